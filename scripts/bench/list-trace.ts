/**
 * `npm run list-trace`: how long a clerk waits in a list of 100,000 news in four languages, measured in a
 * browser.
 *
 * Measures from the press of a button until the new rows are painted, for the next page, a sort, a filter and
 * a search. The browser's trace is stored as well; `--on server` uses PostgreSQL, `--rows` another number of
 * news, `--data` a folder that an earlier run has filled.
 */
/// <reference lib="dom" />
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { median, startFilledServer } from '../lib/filled-database.ts'
import { ownerEmail, trialPassword } from '../lib/server-process.ts'

/** Maximum milliseconds for a change of page or filter. */
const limit = 300
const rounds = 5
/** The last page of a list passes over all earlier rows, so it is measured without the limit. */
const lastPageLabel = 'the last page'

/** Milliseconds from the press until the list shows other rows, the page is idle and the frame is painted. */
async function timeOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const list = document.querySelector('main [aria-busy]')
    const formerText = list?.textContent
    window.addEventListener('pointerdown', () => (window.pressedAt = performance.now()), { once: true, capture: true })
    window.addEventListener('keydown', () => (window.pressedAt = performance.now()), { once: true, capture: true })
    const startTime = performance.now()
    window.answered = new Promise((resolve, reject) => {
      const watchRows = () => {
        const now = document.querySelector('main [aria-busy]')
        const isNew = now?.getAttribute('aria-busy') === 'false' && now.textContent !== formerText
        if (isNew) requestAnimationFrame(() => resolve(performance.now() - (window.pressedAt ?? 0)))
        else if (performance.now() - startTime > 20_000) reject(new Error('The list did not change'))
        else requestAnimationFrame(watchRows)
      }
      watchRows()
    })
  })
  await act()
  return page.evaluate(() => window.answered)
}

const server = await startFilledServer('trace')
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
let slowest = 0
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await openSignedInPage(page, { url: server.url, identifier: ownerEmail, password: trialPassword })
  const tracePath = join(server.dataDir, 'trace.json')
  await browser.startTracing(page, { path: tracePath })
  const openList = async (query: string) => {
    await page.goto(`${server.url}/app/news${query}`)
    await page.locator('main [aria-busy="false"] tbody tr').first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  const pressControl = (role: 'button' | 'option', name: string | RegExp) =>
    page.getByRole('main').getByRole(role, { name, exact: true }).first().click()
  const cases: readonly [string, string, () => Promise<void>][] = [
    ['the second page', '', () => pressControl('button', 'Перейти на страницу 2')],
    [
      lastPageLabel,
      '',
      () =>
        page
          .getByRole('button', { name: /^Перейти на страницу/ })
          .last()
          .click(),
    ],
    ['twenty a page', '?page=3', () => page.getByRole('button', { name: 'Перейти на страницу 4' }).click()],
    ['without a filter again', '?f.kind=event', () => page.getByRole('button', { name: 'Убрать все фильтры' }).click()],
    [
      'without an end of dates',
      '?f.date=2025-01-01..',
      () => page.getByRole('button', { name: 'Убрать все фильтры' }).click(),
    ],
    ['only the inactive', '', () => pressControl('button', /^Неактивно/)],
  ]
  for (const [name, query, act] of cases) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await openList(query)
      times.push(await timeOf(page, act))
    }
    if (name !== lastPageLabel) slowest = Math.max(slowest, median(times))
    console.log(`${name}: median ${median(times).toFixed(0)} ms, all ${times.map((time) => time.toFixed(0)).join(' ')}`)
  }
  await browser.stopTracing()
  console.log(`Trace: ${tracePath}`)
} finally {
  await browser.close()
  await server.close()
}
console.log(`${server.rows} news in four languages: slowest median ${slowest.toFixed(0)} ms (limit ${limit})`)
process.exit(slowest <= limit ? 0 : 1)

declare global {
  interface Window {
    pressedAt?: number
    answered: Promise<number>
  }
}
