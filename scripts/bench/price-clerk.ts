/**
 * `npm run price-clerk`: a clerk fills 40 products in 14 districts from yesterday's prices with 60 changes,
 * by keyboard alone and with human pauses (market §9). Prints the duration, how fast the table opens, how
 * long a key takes to paint, and how long 500 cells take to be saved. `--pace 10` shortens the pauses ten
 * times. Ends with code 1 and the names of the missed limits, if there are any.
 */
/// <reference lib="dom" />
import { rmSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { fillWorld, randomNumbers, reportToday, seriesOf } from '../proofs/price-world.ts'
import { ownerEmail, startServer, temporaryFolder, trialPassword } from '../lib/server-process.ts'

const [products, districts, days] = [40, 14, 30]
const changes = 60
/** Limits of market §9 for a clerk, each with the unit of its figure. */
const clerkLimits = {
  opening: { figure: 1_000, unit: 'ms' },
  keys: { figure: 50, unit: 'ms' },
  saving: { figure: 1_000, unit: 'ms' },
  filling: { figure: 5, unit: 'minutes' },
} as const
const missedLimits: string[] = []

/**
 * Compares a figure of the clerk's work with its limit and records a miss.
 *
 * @returns The limit as text.
 */
function checkMaximum(name: keyof typeof clerkLimits, figure: number): string {
  const { figure: limit, unit } = clerkLimits[name]
  if (figure > limit) missedLimits.push(`${name} (${figure.toFixed(unit === 'ms' ? 0 : 1)} of ${limit} ${unit})`)
  return `at most ${limit}`
}
/**
 * Milliseconds that a clerk needs to read the next figure from paper, to press an arrow, and to press a
 * digit.
 */
const clerkDelays = { read: 1_200, arrow: 90, digit: 180 }

const position = process.argv.indexOf('--pace')
const paceFactor = position >= 0 ? Number(process.argv[position + 1]) : 1

interface Grid {
  products: { id: number }[]
  districts: { id: number }[]
  cells: { product: number; district: number; price: number | null }[]
}

interface Figures {
  data: { attributes: { coverage: { filled: number; carried: number; flagged: number } } }[]
}

/** Starts to record how long each key of the clerk takes to be painted. */
const watchKeys = (page: Page) =>
  page.evaluate(() => {
    window.keyTimes = []
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.keyTimes.push(duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })

declare global {
  interface Window {
    keyTimes: number[]
  }
}

const dataDir = temporaryFolder('price-clerk')
await fillWorld(dataDir, { products, districts, days, drafts: 1 })
const server = await startServer({ dataDir, seed: 'none', yieldsProcessor: true })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const token = await openSignedInPage(page, { url: server.url, identifier: ownerEmail, password: trialPassword })
  const headers = { authorization: `Bearer ${token}` }
  const readJson = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${server.url}/api${path}`, { headers })).json()) as T
  const { data } = await readJson<{ data: { id: number }[] }>(`/pricedates?filters[date][$eq]=${reportToday()}`)
  const day = data[0]?.id
  const pauseFor = (milliseconds: number) => page.waitForTimeout(milliseconds / paceFactor)
  const key = async (name: string, wait: number) => {
    await page.keyboard.press(name)
    await pauseFor(wait)
  }
  const coverage = async () =>
    (await readJson<Figures>(`/pricedates?filters[id][$eq]=${day}&fields[0]=coverage`)).data[0]?.attributes.coverage
  const waitUntil = async (isDone: (now: NonNullable<Awaited<ReturnType<typeof coverage>>>) => boolean) => {
    for (;;) {
      const now = await coverage()
      if (now && isDone(now)) return now
      await page.waitForTimeout(50)
    }
  }

  // The first visit caches the code of the price table, as a clerk has it after the first price of the day.
  await page.goto(`${server.url}/app/price-list`)
  await page.getByRole('main').locator('tbody tr').first().waitFor()
  const openingStart = performance.now()
  await page.goto(`${server.url}/app/price-list/${day}`)
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`)
  await cell(0, 0).locator('input').waitFor()
  const openingTime = performance.now() - openingStart
  console.log(`The table opens in ${openingTime.toFixed(0)} ms (${checkMaximum('opening', openingTime)})`)
  await watchKeys(page)

  const startTime = performance.now()
  await cell(0, 0).locator('input').focus()
  await key('Control+a', clerkDelays.arrow)
  await key('Alt+y', clerkDelays.arrow)
  await waitUntil(({ carried }) => carried === products * districts)
  await key('Control+a', clerkDelays.arrow)
  const saveStart = performance.now()
  await key('Space', clerkDelays.arrow)
  await waitUntil(({ filled }) => filled === products * districts)
  const save = ((performance.now() - saveStart) * 500) / (products * districts)
  console.log(`500 confirmed cells are saved in ${save.toFixed(0)} ms (${checkMaximum('saving', save)})`)
  await key('Escape', clerkDelays.arrow)

  const drawNumber = randomNumbers(5)
  let focusedCell = { row: 0, column: 0 }
  /** Figures on the clerk's paper, by the key of their price cell. */
  const figuresByCell = new Map<number, number>()
  const cellNumbers = Array.from({ length: changes }, () => Math.floor(drawNumber() * products * districts)).toSorted(
    (firstCell, otherCell) => firstCell - otherCell,
  )
  for (const cellNumber of cellNumbers) {
    const nextCell = { row: Math.floor(cellNumber / districts), column: cellNumber % districts }
    await pauseFor(clerkDelays.read)
    for (; focusedCell.row < nextCell.row; focusedCell.row += 1) await key('ArrowDown', clerkDelays.arrow)
    for (; focusedCell.column < nextCell.column; focusedCell.column += 1) await key('ArrowRight', clerkDelays.arrow)
    for (; focusedCell.column > nextCell.column; focusedCell.column -= 1) await key('ArrowLeft', clerkDelays.arrow)
    const formerPrice = seriesOf(nextCell.row + 1, nextCell.column + 1, days).at(-1) ?? 0
    const price = Math.round(formerPrice * (0.97 + drawNumber() * 0.06))
    figuresByCell.set(cellNumber, price)
    for (const digit of String(price)) await key(digit, clerkDelays.digit)
    await key('Enter', clerkDelays.digit)
    focusedCell = { row: Math.min(nextCell.row + 1, products - 1), column: nextCell.column }
    // The clerk moves back up, because the next cell is above the current one.
    if (focusedCell.row > nextCell.row) {
      await key('ArrowUp', clerkDelays.arrow)
      focusedCell.row = nextCell.row
    }
  }
  const lastProgress = await waitUntil(({ filled, carried }) => filled === products * districts && carried === 0)
  for (;;) {
    const { data: grid } = await readJson<{ data: Grid }>(`/pricelists/grid?pricedate=${day}`)
    const isSaved = ([cellNumber, price]: [number, number]) => {
      const [product, district] = [
        grid.products[Math.floor(cellNumber / districts)],
        grid.districts[cellNumber % districts],
      ]
      return grid.cells.some(
        (gridCell) =>
          gridCell.product === product?.id && gridCell.district === district?.id && gridCell.price === price,
      )
    }
    if ([...figuresByCell].every(isSaved)) break
    await page.waitForTimeout(50)
  }
  const minutes = (performance.now() - startTime) / 60_000
  const keys = (await page.evaluate(() => window.keyTimes)).toSorted((firstTime, otherTime) => firstTime - otherTime)
  const slowKeyTime = keys.at(Math.floor(keys.length * 0.95)) ?? 16
  console.log(
    `A key is painted within 16 ms, or for ${keys.length} of them within ${slowKeyTime.toFixed(0)} ms at the 95th hundredth (${checkMaximum('keys', slowKeyTime)})`,
  )
  console.log(
    `${products} × ${districts} with ${changes} changes took ${minutes.toFixed(1)} minutes (${checkMaximum('filling', minutes)})`,
  )
  console.log(`Filled ${lastProgress.filled}, flagged ${lastProgress.flagged}`)
  if (missedLimits.length > 0) {
    console.error(`Missed: ${missedLimits.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
}
