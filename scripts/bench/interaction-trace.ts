/**
 * `npm run interaction-trace`: how long the panel takes to paint after a press or a key, on a processor four
 * times slower.
 *
 * Measures a list of twenty rows and the longest form with the browser's own event timings, on which INP is
 * based; the longest interaction counts. The median of each kind is printed as well: it distinguishes a slow
 * kind from a machine that was busy otherwise. `--slower` sets another factor.
 */
/// <reference lib="dom" />
import { type Field, type Resource, resources, screensOf } from '@dala/model'
import { chromium, type Locator, type Page } from '@playwright/test'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { ownerEmail, startServer, trialPassword } from '../lib/server-process.ts'

/** Maximum milliseconds from an input to the next paint; web vitals call twice that good. */
const limit = 100
const position = process.argv.indexOf('--slower')
const slowdownFactor = position >= 0 ? Number(process.argv[position + 1]) : 4
const rounds = 7

/** Path of the measured form, which has the most fields of all forms with a title to type in. */
function longestForm(): { path: string; resource: Resource } {
  const countInputs = (resource: Resource) =>
    [...(resource.form?.sections ?? []).flatMap(({ fields }) => fields), ...(resource.form?.aside ?? [])].length
  const [longestScreen] = Object.values<Resource>(resources)
    .flatMap(screensOf)
    .filter(({ resource }) => {
      const title: Field | undefined = resource.fields[resource.title]
      return title?.kind === 'text' && resource.localized
    })
    .toSorted((a, b) => countInputs(b.resource) - countInputs(a.resource))
  if (!longestScreen) throw new Error('The model has no form')
  return { path: longestScreen.editPath, resource: longestScreen.resource }
}

/** Starts to record every interaction of the page; a new document needs a new start. */
async function watchPage(page: Page): Promise<void> {
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

/**
 * Waits until the page has painted and is idle: a user's next press comes later, and timings are reported
 * then.
 */
async function waitForIdle(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 2_000 }))),
  )
}

/**
 * Returns the milliseconds of the longest interaction during an action; the browser reports none below 16.
 */
async function measureLongestTask(page: Page, act: () => Promise<void>): Promise<number> {
  await act()
  await waitForIdle(page)
  // An interaction that the browser reports late counts for the next action.
  return page.evaluate(() => Math.max(0, ...window.interactions.splice(0).map(({ duration }) => duration)))
}

const server = await startServer({ seed: 'samples', yieldsProcessor: true })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
let slowest = 0
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await openSignedInPage(page, { url: server.url, identifier: ownerEmail, password: trialPassword })
  const devtools = await page.context().newCDPSession(page)
  const form = longestForm()

  const measure = async (name: string, act: () => Promise<void>) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await measureLongestTask(page, act))
    const medianTime = times.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? 0
    slowest = Math.max(slowest, ...times)
    console.log(`${name}: median ${medianTime.toFixed(0)} ms, all ${times.map((time) => time.toFixed(0)).join(' ')}`)
  }
  const openPage = async (address: string) => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(`${server.url}/app/${address}`)
    await page.getByRole('main').locator('tbody tr, form').first().waitFor()
    await page.waitForLoadState('networkidle')
    await watchPage(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdownFactor })
  }

  /**
   * Presses a control after it was found and reached, because finding it is work of the test and not of the
   * page.
   */
  const pressTarget = async (target: Locator) => {
    // Controls are scrolled to the middle of the window before the press, because bars cover its edges.
    await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    await waitForIdle(page)
    const box = await target.boundingBox()
    if (!box) throw new Error('Nothing to press')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await waitForIdle(page)
    await page.mouse.down()
    await page.mouse.up()
    await waitForIdle(page)
  }
  const key = async (name: string) => {
    await page.keyboard.press(name)
    await waitForIdle(page)
  }

  await openPage('settings/districts?size=20')
  const rows = page.locator('tbody tr')
  await measure('list: a row is ticked', () => pressTarget(rows.nth(4).getByRole('checkbox')))
  await measure('list: all rows are ticked', () => pressTarget(page.locator('thead').getByRole('checkbox')))
  await measure('list: the cursor moves by j and k', async () => {
    await key('j')
    await key('k')
  })
  await measure('list: the menu of a row opens', async () => {
    await pressTarget(rows.nth(2).getByRole('button').last())
    await page.getByRole('menu').waitFor()
    await waitForIdle(page)
    await key('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })
  await measure('list: the bar of selected rows comes, and goes by Escape', async () => {
    await pressTarget(rows.nth(6).getByRole('checkbox'))
    await page.locator('.bulk-bar button').first().waitFor()
    await waitForIdle(page)
    await key('Escape')
    await page.locator('.bulk-bar').waitFor({ state: 'detached' })
  })
  const name = (row: number) => rows.nth(row).locator('[data-name]')
  const input = page.getByRole('dialog').getByRole('textbox')
  await measure('list: a cell opens, and is left by Escape', async () => {
    await name(3).focus()
    await waitForIdle(page)
    await key('F2')
    await input.waitFor()
    await waitForIdle(page)
    await key('Escape')
    await input.waitFor({ state: 'detached' })
  })
  await measure('list: a cell is changed and saved', async () => {
    await name(5).focus()
    await waitForIdle(page)
    await key('F2')
    await input.waitFor()
    await waitForIdle(page)
    await key('End')
    await key('a')
    const savedSignal = page.waitForResponse((answer) => answer.url().endsWith('/api/bulk'))
    await key('Enter')
    await savedSignal
    await input.waitFor({ state: 'detached' })
  })
  await page.getByRole('searchbox').focus()
  await measure('list: a letter in the search', () => key('a'))

  await openPage(`${form.path}/new`)
  const main = page.getByRole('main')
  await main.locator(`[data-field$="${form.resource.title}"]`).getByRole('textbox').focus()
  await measure('form: letters in a text', async () => {
    for (const letter of 'abc') await key(letter)
  })
  await measure('form: a list of choices opens', async () => {
    await pressTarget(main.getByRole('combobox').first())
    await page.getByRole('listbox').waitFor()
    await waitForIdle(page)
    await key('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })
  const firstSwitch = main.getByRole('switch').first()
  await measure('form: a switch', async () => {
    const wasChecked = await firstSwitch.isChecked()
    await pressTarget(firstSwitch)
    if ((await firstSwitch.isChecked()) === wasChecked) throw new Error('The switch was not reached')
  })
} finally {
  await browser.close()
  await server.close()
}
console.log(`Slowest interaction at ${slowdownFactor} times slower: ${slowest.toFixed(0)} ms (limit ${limit})`)
process.exit(slowest <= limit ? 0 : 1)

declare global {
  interface Window {
    interactions: { id: number; duration: number; name: string }[]
  }
}
