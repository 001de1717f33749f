/**
 * `npm run interaction-trace`: how long the panel takes to paint after a press or a key, on a processor four times slower.
 *
 * In a list of twenty rows and in the longest form, with the browser's own event timings (what INP is made of); the
 * longest interaction of all counts. The median of each kind stands beside, to tell a slow kind from a machine that did
 * something else meanwhile. `--slower` is another factor.
 */
/// <reference lib="dom" />
import { type Field, type Resource, resources, screensOf } from '@dala/model'
import { chromium, type Page } from '@playwright/test'
import { openAs } from '../e2e/sign-in.ts'
import { browserFlags, findBrowser } from './browser.ts'
import { ownerEmail, startServer, trialPassword } from './server-process.ts'

/** Milliseconds from the input to the next paint (the good mark of web vitals is twice that). */
const limit = 100
const position = process.argv.indexOf('--slower')
const slower = position >= 0 ? Number(process.argv[position + 1]) : 4
const rounds = 7

/** The form with most fields that has a title to type in. */
function longestForm(): { path: string; resource: Resource } {
  const drawn = (resource: Resource) =>
    [...(resource.form?.sections ?? []).flatMap(({ fields }) => fields), ...(resource.form?.aside ?? [])].length
  const [longest] = Object.values<Resource>(resources)
    .flatMap(screensOf)
    .filter(({ resource }) => {
      const title: Field | undefined = resource.fields[resource.title]
      return title?.kind === 'text' && resource.localized
    })
    .toSorted((a, b) => drawn(b.resource) - drawn(a.resource))
  if (!longest) throw new Error('The model has no form')
  return { path: longest.edited, resource: longest.resource }
}

/** Starts to note every interaction of the page; a new document has to be told again. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.interactions = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration, name } = entry as PerformanceEventTiming & { interactionId: number }
        if (interactionId > 0) window.interactions.push({ id: interactionId, duration, name })
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
}

/** Until the page has painted and has a moment: a hand's next press comes later, and timings are handed over then. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done, { timeout: 2_000 }))),
  )
}

/** The longest interaction of what is done, in milliseconds; none below 16 is reported by the browser. */
async function longestOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => (window.interactions = []))
  await act()
  await rest(page)
  return page.evaluate(() => Math.max(0, ...window.interactions.map(({ duration }) => duration)))
}

const server = await startServer({ seed: 'demo' })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
let slowest = 0
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await openAs(page, { url: server.url, identifier: ownerEmail, password: trialPassword })
  const devtools = await page.context().newCDPSession(page)
  const form = longestForm()

  const measure = async (name: string, act: () => Promise<void>) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await longestOf(page, act))
    const middle = times.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? 0
    slowest = Math.max(slowest, ...times)
    console.log(`${name}: median ${middle.toFixed(0)} ms, all ${times.map((time) => time.toFixed(0)).join(' ')}`)
  }
  const open = async (address: string) => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(`${server.url}/app/${address}`)
    await page.getByRole('main').locator('tbody tr, form').first().waitFor()
    await page.waitForLoadState('networkidle')
    await watch(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  }

  await open('settings/districts?size=20')
  const rows = page.locator('tbody tr')
  await measure('list: a row is ticked', () => rows.nth(4).getByRole('checkbox').click())
  await measure('list: all rows are ticked', () => page.locator('thead').getByRole('checkbox').click())
  await measure('list: the cursor moves by j and k', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('k')
  })
  await measure('list: the menu of a row opens', async () => {
    await rows.nth(2).getByRole('button').last().click()
    await page.getByRole('menu').waitFor()
    await rest(page)
    await page.keyboard.press('Escape')
  })
  await measure('list: the bar of selected rows comes, and goes by Escape', async () => {
    await rows.nth(6).getByRole('checkbox').click()
    await page.locator('.bulk-bar button').first().waitFor()
    await rest(page)
    await page.keyboard.press('Escape')
    await page.locator('.bulk-bar').waitFor({ state: 'detached' })
  })
  const name = (row: number) => rows.nth(row).locator('[data-name]')
  const input = page.getByRole('dialog').getByRole('textbox')
  await measure('list: a cell opens, and is left by Escape', async () => {
    await name(3).focus()
    await rest(page)
    await page.keyboard.press('F2')
    await input.waitFor()
    await rest(page)
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'detached' })
  })
  await measure('list: a cell is changed and saved', async () => {
    await name(5).focus()
    await rest(page)
    await page.keyboard.press('F2')
    await input.waitFor()
    await rest(page)
    await page.keyboard.press('End')
    await input.pressSequentially('a')
    await rest(page)
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/bulk'))
    await page.keyboard.press('Enter')
    await saved
    await input.waitFor({ state: 'detached' })
  })
  await measure('list: a letter in the search', () => page.getByRole('searchbox').pressSequentially('a'))

  await open(`${form.path}/new`)
  const main = page.getByRole('main')
  await measure('form: letters in a text', () =>
    main.locator(`[data-field$="${form.resource.title}"]`).getByRole('textbox').pressSequentially('abc'),
  )
  await measure('form: a list of choices opens', async () => {
    await main.getByRole('combobox').first().click()
    await rest(page)
    await page.keyboard.press('Escape')
  })
  await measure('form: a switch', () => main.getByRole('switch').first().click())
} finally {
  await browser.close()
  await server.close()
}
console.log(`Slowest interaction at ${slower} times slower: ${slowest.toFixed(0)} ms (limit ${limit})`)
process.exit(slowest <= limit ? 0 : 1)

declare global {
  interface Window {
    interactions: { id: number; duration: number; name: string }[]
  }
}
