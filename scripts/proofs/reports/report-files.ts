/**
 * Proof that a report shows the same numbers and days everywhere: random queries to a server in UTC, with the
 * report zone in Tashkent, answered by the route, as a sheet, CSV and PDF, on a shared page, and on screens of
 * browsers in three zones (statistics §10).
 * `node scripts/proofs/reports/report-files.ts --runs 50 --screens 6`
 */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import {
  intervalText,
  type Locale,
  locales,
  type ReportAnswer,
  type ReportFile,
  reportFormats,
  wholeReport,
} from '@dala/model'
import { type Browser, chromium, type Page } from '@playwright/test'
import { textOfPdf } from '../../../packages/server/src/testing/pdf-text.ts'
import {
  comparePage,
  expectedRows,
  missingRows,
  valueText,
  wrongCells,
} from '../../../packages/server/src/testing/report-files.ts'
import { browserFlags, findBrowser } from '../../lib/browser.ts'
import { RandomDraws } from '../../lib/draws.ts'
import { prepareFirstData } from '../../lib/first-data.ts'
import { signIn, startServer, temporaryFolder } from '../../lib/server-process.ts'
import { optionOf } from '../on-place.ts'
import { drawQuery, type RandomQuery } from './queries.ts'
import { fillReports, reportedNames } from './world.ts'

const zones = ['UTC', 'Asia/Tashkent', 'America/Los_Angeles'] as const
/** Query of a report whose figures do not grow while several screens show it. */
const isCalm = ({ key }: RandomQuery) => key !== 'overview' && key !== 'content'

/** Reader of reports by HTTP. */
class ReportReader {
  readonly url: string
  readonly #token: string
  constructor(url: string, token: string) {
    this.url = url
    this.#token = token
  }

  async #send(method: 'GET' | 'POST', path: string, data?: object): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(data && { body: JSON.stringify({ data }) }),
    })
    if (!answer.ok)
      throw new Error(`${method} ${path} ${JSON.stringify(data)}: ${answer.status} ${await answer.text()}`)
    return answer
  }

  async answer({ key }: RandomQuery, text: string): Promise<ReportAnswer> {
    return (await (await this.#send('GET', `/api/statistics/${key}?${text}`)).json()) as ReportAnswer
  }

  /** Orders a file, waits until it is done, and returns its bytes. */
  async file(order: object): Promise<Buffer> {
    const creationAnswer = await this.#send('POST', '/api/statistics/exports', order)
    let { data } = (await creationAnswer.json()) as { data: ReportFile }
    while (data.state === 'running') {
      await pause(100)
      ;({ data } = (await (await this.#send('GET', `/api/statistics/exports/${data.id}`)).json()) as {
        data: ReportFile
      })
    }
    const answer = await this.#send('GET', data.url ?? '')
    return Buffer.from(await answer.arrayBuffer())
  }

  /** Makes a page for readers without an account, and returns what such a reader gets. */
  async page(share: object): Promise<string> {
    const creationAnswer = await this.#send('POST', '/api/statistics/shares', share)
    const { data } = (await creationAnswer.json()) as { data: { url: string } }
    const answer = await fetch(`${this.url}${new URL(data.url).pathname}`)
    if (!answer.ok) throw new Error(`A shared page answered ${answer.status}`)
    return answer.text()
  }
}

const storedQuery = ({ parameters, filters }: RandomQuery): Record<string, unknown> => ({
  ...parameters,
  ...(Object.keys(filters).length > 0 && {
    filters: Object.fromEntries(Object.entries(filters).map(([name, id]) => [name, String(id)])),
  }),
})

/** Days that the sheets of a report may show. */
const daysOf = ({ data }: ReportAnswer): ReadonlySet<string> =>
  new Set([
    ...data.series.flatMap(({ points }) => points.flatMap(({ t, previous_t: formerTime }) => [t, formerTime ?? t])),
    ...data.stacks.flatMap(({ intervals }) => intervals.map(({ t }) => t)),
  ])

interface FileTally {
  rows: number
  sharedRows: number
  pages: number
  screens: number
}

/** Compares the files of one query with its answer. Returns what differs. */
async function compareFiles(
  reader: ReportReader,
  query: RandomQuery,
  locale: Locale,
  tally: FileTally,
): Promise<string[]> {
  const answer = await reader.answer(query, `${query.text}&locale=${locale}`)
  const correctRows = expectedRows(answer, query.key, locale)
  tally.rows += correctRows.length
  const foundDifferences: string[] = []
  for (const format of reportFormats) {
    const bytes = await reader.file({ key: query.key, query: storedQuery(query), format, locale })
    for (const { name, day, shown } of await missingRows(format, bytes, correctRows))
      foundDifferences.push(`${format} lacks ${day ?? name}: ${shown}`)
    if (format === 'xlsx') foundDifferences.push(...(await wrongCells(bytes, daysOf(answer))))
  }
  return foundDifferences
}

/** Compares a shared page with the answer; a report of one consultant has no page. Returns what differs. */
async function comparePages(
  reader: ReportReader,
  query: RandomQuery,
  locale: Locale,
  tally: FileTally,
): Promise<string[]> {
  if (query.filters.consultant !== undefined) return []
  const html = await reader.page({
    key: query.key,
    query: storedQuery(query),
    locale,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    frozen: tally.pages % 2 === 0,
  })
  const answer = await reader.answer(query, `${query.text.replace(/compare=\w+/, 'compare=none')}&locale=${locale}`)
  const { wrong, rows } = comparePage(html, answer, query.key, locale)
  tally.pages += 1
  tally.sharedRows += rows
  return wrong.map((row) => `the page has not so: ${row}`)
}

/** Returns the tiles and the rows of all tables that a screen shows, each chart as its table. */
async function readScreen(page: Page, address: string): Promise<{ tiles: string[]; rows: string[][] }> {
  await page.goto(address)
  const tiles = page.getByRole('region', { name: 'Figures', exact: true }).getByRole('listitem')
  await tiles.first().waitFor()
  const asTable = page.getByRole('button', { name: /^Show as table: / })
  while ((await asTable.count()) > 0) await asTable.first().click()
  const rows = await page
    .locator('main tr')
    .evaluateAll((tableRows) =>
      tableRows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)),
    )
  return { tiles: await tiles.allInnerTexts(), rows }
}

const removeSpaces = (text: string) => text.replaceAll(/\s/g, '')

/** Compares what browsers in three zones show with the answer. Returns what differs. */
async function compareScreens(
  browser: Browser,
  reader: ReportReader,
  token: string,
  query: RandomQuery,
  tally: FileTally,
): Promise<string[]> {
  const foundDifferences: string[] = []
  const answer = await reader.answer(query, `${query.text}&locale=en`)
  const textOf = (metric: string, value: number) =>
    valueText('en', wholeReport(query.key).metrics[metric]?.unit ?? 'count', value)
  const screenContents: string[] = []
  for (const timezoneId of zones) {
    const context = await browser.newContext({ timezoneId, viewport: { width: 1440, height: 900 } })
    try {
      await context.addInitScript((value) => {
        localStorage.setItem('token', value)
        localStorage.setItem('current-language', 'en')
      }, token)
      const { tiles, rows } = await readScreen(
        await context.newPage(),
        `${reader.url}/app/statistics/${query.key}?${query.text}`,
      )
      screenContents.push(JSON.stringify({ tiles, rows }))
      if (tiles.length !== answer.data.metrics.length)
        foundDifferences.push(`${timezoneId} shows ${tiles.length} figures`)
      for (const [index, { key, value }] of answer.data.metrics.entries())
        if (value !== null && !removeSpaces(tiles[index] ?? '').includes(removeSpaces(textOf(key, value))))
          foundDifferences.push(`${timezoneId} shows ${key} as ${tiles[index] ?? ''}`)
      for (const { key, points } of answer.data.series)
        for (const { t, value } of points) {
          if (value === null) continue
          const [day, text] = [intervalText(t, answer.meta.interval), textOf(key, value)]
          if (!rows.some(([firstCell = '', ...cells]) => firstCell.startsWith(day) && cells.includes(text)))
            foundDifferences.push(`${timezoneId} lacks ${key} of ${day}: ${text}`)
        }
      tally.screens += 1
    } finally {
      await context.close()
    }
  }
  if (new Set(screenContents).size > 1) foundDifferences.push('the screens of the zones differ')
  return foundDifferences
}

/** Returns the names with letters of all languages that the PDF of a long period does not return. */
async function findLostNames(reader: ReportReader): Promise<string[]> {
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const query = { from: dayBefore(800), to: dayBefore(0), interval: 'month', compare: 'none' }
  const text = textOfPdf(await reader.file({ key: 'consultations', query, format: 'pdf', locale: 'kaa' })).join('')
  return reportedNames.filter((name) => !text.includes(name))
}

/**
 * Runs the proof of the files, pages and screens of reports, and prints figures.
 *
 * @param runs - Number of queries.
 * @param screens - Number of further queries whose screens are compared in a browser.
 * @param seed - Seed of a run to repeat.
 * @returns Whether all numbers and days are the same everywhere.
 */
export async function reportFiles(runs: number, screens: number, seed = 7): Promise<{ harmless: boolean }> {
  const startMoment = performance.now()
  const dataDir = temporaryFolder('report-files')
  const env = { TZ: 'UTC', TIME_ZONE: 'Asia/Tashkent' }
  try {
    const ids = await prepareFirstData({ dataDir, seed: 'none', env }, (database) => fillReports(database, seed))
    const server = await startServer({ dataDir, seed: 'none', env })
    const browser =
      screens > 0 ? await chromium.launch({ executablePath: findBrowser(), args: browserFlags }) : undefined
    const tally: FileTally = { rows: 0, sharedRows: 0, pages: 0, screens: 0 }
    const foundDifferences: string[] = []
    try {
      const token = await signIn(server.url)
      const reader = new ReportReader(server.url, token)
      const draws = new RandomDraws(seed, 2)
      for (let index = 0; index < runs; index += 1) {
        const query = drawQuery(draws, index, ids)
        const locale = draws.pick(locales)
        // A figure that grows with the clock may be rounded another way in a later second, but not twice.
        for (const compare of [compareFiles, comparePages]) {
          const differences = await compare(reader, query, locale, tally)
          if (differences.length === 0) continue
          const repeatedDifferences = await compare(reader, query, locale, tally)
          foundDifferences.push(
            ...repeatedDifferences.map((text) => `${query.key}?${query.text} in ${locale}: ${text}`),
          )
        }
      }
      for (const name of await findLostNames(reader)) foundDifferences.push(`the PDF does not return ${name}`)
      for (let index = 0, comparedQueries = 0; browser && comparedQueries < screens; index += 1) {
        const query = drawQuery(draws, index, ids)
        if (!isCalm(query)) continue
        comparedQueries += 1
        for (const text of await compareScreens(browser, reader, token, query, tally))
          foundDifferences.push(`${query.key}?${query.text}: ${text}`)
      }
    } finally {
      await browser?.close()
      await server.close()
    }
    for (const text of foundDifferences.slice(0, 20)) console.log(`   NOT SO: ${text}`)
    console.log(
      `   ${tally.rows} rows of ${runs} random queries are the same in the answer, xlsx, CSV and PDF, ` +
        `${tally.sharedRows} rows on ${tally.pages} shared pages, and ${tally.screens} screens in ${zones.length} zones; ` +
        `seed ${seed}; ${((performance.now() - startMoment) / 1_000).toFixed(1)} s`,
    )
    return { harmless: foundDifferences.length === 0 }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { harmless } = await reportFiles(
    Number(optionOf('--runs') ?? 50),
    Number(optionOf('--screens') ?? 6),
    Number(optionOf('--seed') ?? 7),
  )
  process.exit(harmless ? 0 : 1)
}
