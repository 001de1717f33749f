/**
 * `npm run price-slips`: proof that no wrong price is published unnoticed. Slips of four kinds (ten and a
 * thousand times too much, the price of another unit, a swapped range) and clean prices pass through the
 * table of a day. Prints how many slips are stopped or flagged, and the number of false alarms. `--slips 200`
 * of each kind.
 */
import { rmSync } from 'node:fs'
import { computeEarlierDay, factors, fillWorld, randomNumbers, seriesOf } from './price-world.ts'
import { type RunningServer, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'
import { failedTally, passedTally, type CountTally } from '../lib/step.ts'

/**
 * Minimum share of wrong prices (slips), and maximum share of clean ones, that are stopped or flagged (market
 * §9).
 */
const [leastCaught, mostFalse] = [0.98, 0.02]
const [days, drafts] = [60, 5]
const [products, districts] = [20, 10]

interface Grid {
  products: { id: number }[]
  districts: { id: number }[]
}
interface SavedPrice {
  saved: { state: string; code?: string }[]
  rejected: { code: string }[]
}
interface EnteredPrice {
  product: number
  district: number
  price: number
  price_max?: number
}

class Desk {
  readonly #server: RunningServer
  readonly #token: string

  constructor(server: RunningServer, token: string) {
    this.#server = server
    this.#token = token
  }

  async ask<T>(method: string, path: string, data?: object): Promise<T> {
    const answer = await fetch(`${this.#server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(data && { body: JSON.stringify({ data }) }),
    })
    const answerBody = (await answer.json()) as { data: T }
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answerBody)}`)
    return answerBody.data
  }

  /**
   * Enters prices of a day.
   *
   * @returns Number of cells that were stopped or flagged.
   */
  async enter(date: string, cells: readonly EnteredPrice[]): Promise<number> {
    let caughtCount = 0
    for (let startIndex = 0; startIndex < cells.length; startIndex += 200) {
      const cellBatch = cells.slice(startIndex, startIndex + 200)
      const { saved, rejected } = await this.ask<SavedPrice>('PUT', '/pricelists/grid', { date, cells: cellBatch })
      caughtCount += rejected.length + saved.filter(({ state }) => state !== 'ok').length
    }
    return caughtCount
  }
}

/** Kinds of price slips: for each, the wrong price that is entered instead of a usual one. */
const kinds: Readonly<
  Record<string, (price: number, draw: () => number) => Omit<EnteredPrice, 'product' | 'district'>>
> = {
  'ten times': (price) => ({ price: price * 10 }),
  'a thousand times': (price) => ({ price: price * 1000 }),
  'another unit': (price, draw) => ({ price: price * (factors[1 + Math.floor(draw() * 3)] ?? 1000) }),
  'swapped range': (price) => ({ price: Math.round(price * 1.08), price_max: price }),
}

/**
 * Enters wrong prices (slips) and clean prices.
 *
 * @param slips - Number of slips of each kind.
 * @returns Passed when enough slips are caught and few enough clean prices are.
 */
export async function priceSlips(slips: number): Promise<CountTally> {
  const dataDir = temporaryFolder('prices')
  await fillWorld(dataDir, { products, districts, days, drafts })
  const server = await startServer({ dataDir, seed: 'none' })
  try {
    const priceDesk = new Desk(server, await signIn(server.url))
    const { date } = await priceDesk.ask<{ date: string }>('GET', '/pricedates/today')
    const grid = await priceDesk.ask<Grid>('GET', `/pricelists/grid?date=${date}`)
    const cellOf = (index: number, draftIndex = drafts - 1) => {
      const [product, district] = [index % products, Math.floor(index / products) % districts]
      const price = seriesOf(product + 1, district + 1, days + drafts)[days + draftIndex] ?? 0
      return { price, product: grid.products[product]?.id ?? 0, district: grid.districts[district]?.id ?? 0 }
    }
    const drawNumber = randomNumbers(17)
    let isGood = true
    for (const [name, slip] of Object.entries(kinds)) {
      // A call has each price cell once, so more slips than cells take several rounds.
      const cells = Array.from({ length: slips }, () => Math.floor(drawNumber() * products * districts))
      let caughtCount = 0
      for (const index of cells) {
        const { price, ...cellIds } = cellOf(index)
        caughtCount += await priceDesk.enter(date, [{ ...cellIds, ...slip(price, drawNumber) }])
      }
      isGood &&= caughtCount / slips >= leastCaught
      console.log(`   ${name}: ${caughtCount} of ${slips} stopped or flagged`)
    }
    let alarmCount = 0
    for (let draftIndex = 0; draftIndex < drafts; draftIndex += 1) {
      const cleanCells = Array.from({ length: products * districts }, (_, index) => cellOf(index, draftIndex))
      alarmCount += await priceDesk.enter(computeEarlierDay(date, drafts - 1 - draftIndex), cleanCells)
    }
    const priceCount = products * districts * drafts
    isGood &&= alarmCount / priceCount <= mostFalse
    console.log(`   clean prices: ${alarmCount} false alarms of ${priceCount}`)
    return isGood ? passedTally : failedTally
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--slips')
  const { failed } = await priceSlips(Number(position >= 0 ? process.argv[position + 1] : 200))
  if (failed > 0) process.exitCode = 1
}
