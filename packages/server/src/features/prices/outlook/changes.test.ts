import {
  type ChangeWindow,
  changeTolerance,
  changeWindows,
  type PriceChange,
  type PriceChanges,
  type PriceChangesMeta,
} from '@dala/model'
import { describe, expect, it } from 'vitest'
import { buildRecord } from '../../../testing/factories.ts'
import { buildPriceWorld, createDraws, type PriceRow, type PriceWorld } from '../../../testing/price-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

interface Answer {
  data: PriceChanges
  meta: PriceChangesMeta
}

const firstDate = '2025-01-01'
const days = 420
let world: PriceWorld
const resourceApp = startResourceApp(async (app) => {
  world = await buildPriceWorld(app, firstDate, days)
})
const changes = (query: string) => resourceApp.read<Answer>(`/pricelists/changes?${query}`)

const dayAfter = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

/**
 * Converts a price to ten thousandths of the base unit; units without a factor compare only with themselves.
 */
const amountOf = ({ price, unit, base }: PriceRow): bigint | null =>
  price === null ? null : unit === 'bunch' ? BigInt(Math.round(price * 10_000)) : base

/** Rounds a percentage to one digit, halves away from zero. */
function percent(value: bigint, base: bigint): number {
  const difference = value - base
  const size = difference < 0n ? -difference : difference
  const tenths = (size * 2000n + base) / (2n * base)
  return Number(difference < 0n ? -tenths : tenths) / 10
}

interface ExpectedChange {
  value: number | null
  change_pct: number | null
  gap: string | null
  base: string | null
}

/** Computes the change of a price by the rule of market §4, independently, over plain rows. */
function recomputeChange(product: number, district: number, date: string, window: ChangeWindow): ExpectedChange {
  const ownRows = world.rows.filter((row) => row.product === product && row.district === district)
  const now = ownRows.find((row) => row.date === date)
  const sound = ownRows.filter(
    (row) => row.published && row.price !== null && row.origin !== 'carried' && row.state !== 'check',
  )
  const newestDate = dayAfter(date, -Number(window))
  const oldestDate = dayAfter(newestDate, -changeTolerance[window])
  const bases = sound.filter((row) => row.date <= newestDate && row.date >= oldestDate).map(({ date: day }) => day)
  const baseRow = sound.find((row) => row.date === bases.sort().at(-1))
  const amount = now ? amountOf(now) : null
  const value = amount === null ? null : Number(amount) / 10_000
  const emptyChange = (gap: string) => ({ value, change_pct: null, gap, base: null })
  if (!now || now.price === null || amount === null) return emptyChange('no-value')
  if (now.origin === 'carried') return emptyChange('carried')
  if (now.state === 'check') return emptyChange('unconfirmed')
  const amountBefore = baseRow ? amountOf(baseRow) : null
  if (!baseRow || amountBefore === null)
    return emptyChange(sound.some((row) => row.date < oldestDate) ? 'too-old' : 'no-base')
  return { value, change_pct: percent(amount, amountBefore), gap: null, base: baseRow.date }
}

const shownChangeOf = ({ value, change_pct, gap, base }: PriceChange): ExpectedChange => ({
  value,
  change_pct,
  gap,
  base: base?.date ?? null,
})

describe('GET /pricelists/changes', () => {
  it('agrees with an independent computation of the changes of 1,000 random cells', async () => {
    const drawNumber = createDraws(3)
    let comparedCount = 0
    const reasons = new Set<string>()
    for (const window of changeWindows) {
      for (let attempt = 0; attempt < 8; attempt += 1) {
        const date = dayAfter(firstDate, Math.floor(drawNumber() * days))
        const { data, meta } = await changes(`date=${date}&window=${window}`)
        expect(data.date).toBe(date)
        const expectedRows = data.rows.map((row) => recomputeChange(row.product, row.district, date, window))
        expect({ date, window, rows: data.rows.map(shownChangeOf) }).toEqual({ date, window, rows: expectedRows })
        expect(meta).toMatchObject({ total: data.rows.length, more: false, window: Number(window) })
        const missingPairs = world.products.flatMap(({ id: product }) =>
          world.districts
            .filter(({ id }) => !data.rows.some((row) => row.product === product && row.district === id))
            .map(({ id }) => recomputeChange(product, id, date, window)),
        )
        expect(missingPairs.every(({ value, change_pct: change }) => value === null && change === null)).toBe(true)
        for (const { gap } of data.rows) reasons.add(gap ?? 'none')
        comparedCount += data.rows.length
      }
    }
    expect(comparedCount).toBeGreaterThan(1_000)
    expect([...reasons].sort()).toEqual(['carried', 'no-base', 'no-value', 'none', 'too-old', 'unconfirmed'].sort())
  })

  it('sorts the largest changes of prices first and rates each by the limits of the nearest category', async () => {
    const { data, meta } = await changes(`date=${dayAfter(firstDate, 200)}&window=7`)
    const sizes = data.rows.map(({ change_pct: change }) => (change === null ? -1 : Math.abs(change)))
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    const grainIds = new Set(world.products.slice(0, 4).map(({ id }) => id))
    const priceBands = data.rows.map(({ product, change_pct: change }) => {
      if (change === null) return null
      const [movingPercent, sharp] = grainIds.has(product) ? [2, 20] : [3, 10]
      const size = Math.abs(change)
      return size < movingPercent ? 'steady' : size < sharp ? 'moving' : 'sharp'
    })
    expect(data.rows.map(({ band }) => band)).toEqual(priceBands)
    expect(meta.bands).toEqual({
      steady: priceBands.filter((band) => band === 'steady').length,
      moving: priceBands.filter((band) => band === 'moving').length,
      sharp: priceBands.filter((band) => band === 'sharp').length,
    })
  })

  it('aggregates the changes of each product without carried and unconfirmed prices', async () => {
    const date = dayAfter(firstDate, 210)
    const { data } = await changes(`date=${date}`)
    for (const product of data.products) {
      const ownAmounts = world.rows
        .filter((row) => row.product === product.id && row.date === date && row.price !== null)
        .filter((row) => row.origin !== 'carried' && row.state !== 'check')
        .map((row) => Number(amountOf(row)) / 10_000)
        .sort((a, b) => a - b)
      const middleIndex = ownAmounts.length >> 1
      const medianValue =
        ownAmounts.length % 2 === 1
          ? ownAmounts[middleIndex]
          : ((ownAmounts[middleIndex - 1] ?? 0) + (ownAmounts[middleIndex] ?? 0)) / 2
      expect(product).toMatchObject({
        n: ownAmounts.length,
        low: ownAmounts[0] ?? null,
        high: ownAmounts.at(-1) ?? null,
      })
      const expectedMedian = ownAmounts.length === 0 ? null : Math.round((medianValue ?? 0) * 100)
      expect(product.median === null ? null : Math.round(product.median * 100)).toBe(expectedMedian)
    }
    expect(data.products.find(({ id }) => id === world.products[0]?.id)?.unit).toMatchObject({ name: 'kg' })
  })

  it('filters changes of prices by product, region, districts and category with its subcategories', async () => {
    const date = dayAfter(firstDate, 220)
    const allRows = (await changes(`date=${date}`)).data.rows
    const north = new Set(world.districts.filter(({ of }) => of === 'north').map(({ id }) => id))
    const [firstDistrict, secondDistrict] = world.districts
    const grainIds = new Set(world.products.slice(0, 4).map(({ id }) => id))
    const cases: [string, (row: PriceChange) => boolean][] = [
      [`product=${world.products[1]?.id}`, (row) => row.product === world.products[1]?.id],
      [`region=${world.regions.north}`, (row) => north.has(row.district)],
      [
        `districts[]=${firstDistrict?.id}&districts[]=${secondDistrict?.id}`,
        (row) => [firstDistrict?.id, secondDistrict?.id].includes(row.district),
      ],
      [`category=${world.categories.crops}`, (row) => grainIds.has(row.product)],
    ]
    for (const [query, isMeant] of cases)
      expect((await changes(`date=${date}&${query}`)).data.rows).toEqual(allRows.filter(isMeant))
    expect((await changes(`date=${date}&market_type=wholesale`)).data.rows).toEqual([])
  })

  it('starts with the last published day, and returns dashes for a day without prices', async () => {
    const publishedDates = world.rows.filter((row) => row.published).map(({ date }) => date)
    expect((await changes('')).data.date).toBe(publishedDates.sort().at(-1))
    const { data } = await changes(`date=${dayAfter(firstDate, days + 6)}`)
    expect(new Set(data.rows.map(({ gap }) => gap))).toEqual(new Set(['no-value']))
  })

  it('compares the season of a price with the same month of past years when the window is a year', async () => {
    const [kg] = (await resourceApp.read<{ data: { id: number }[] }>('/units?filters[code]=kg')).data
    const product = await buildRecord(resourceApp.database, 'products', { name: 'Onion', unit: kg?.id })
    const prices: [date: string, price: number][] = [2020, 2021, 2022, 2023].flatMap((year): [string, number][] => [
      [`${year}-03-15`, 1000],
      [`${year}-06-15`, year === 2023 ? 1300 : 1040],
    ])
    for (const [date, price] of prices) {
      const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date, state: 'published' })
      const priceDraft = { product, district: world.districts[0]?.id, unit: kg?.id }
      await buildRecord(resourceApp.database, 'pricelists', { ...priceDraft, pricedate, price })
    }
    const readSeason = async (date: string, window = '365') =>
      (await changes(`product=${product}&date=${date}&window=${window}`)).data.rows[0]
    expect(await readSeason('2023-06-15')).toMatchObject({ change_pct: 25, season: { level: 'abnormal', years: 3 } })
    expect(await readSeason('2022-06-15')).toMatchObject({ change_pct: 0, season: { level: 'usual', years: 2 } })
    expect(await readSeason('2021-06-15')).toMatchObject({ change_pct: 0, season: null })
    expect(await readSeason('2023-06-15', '30')).toMatchObject({ season: null })
  })

  it('shows readers changes of published days only', async () => {
    const draft = world.rows.find((row) => !row.published && row.price !== null)
    const url = `/pricelists/changes?date=${draft?.date}`
    const answer = await resourceApp.ask('GET', url, undefined, 'authenticated')
    const { data } = answer.body as Answer
    expect(data.rows.every(({ value }) => value === null)).toBe(true)
    expect((await resourceApp.read<Answer>(url)).data.rows.some(({ value }) => value !== null)).toBe(true)
    expect((await resourceApp.ask('GET', url, undefined, 'public')).status).toBe(401)
  })

  it('leaves products that the caller may not see out of the changes', async () => {
    const hiddenProduct = await buildRecord(resourceApp.database, 'products', { name: 'Hidden', active: false })
    const url = `/pricelists/changes?product=${hiddenProduct}`
    expect((await resourceApp.ask('GET', url, undefined, 'authenticated')).status).toBe(422)
    expect((await resourceApp.ask('GET', url)).status).toBe(200)
  })

  it.each([
    ['date=2026-02-30', 'date'],
    ['window=8', 'window'],
    ['market_type=x', 'market_type'],
    ['product=x', 'product'],
    ['product=999999', 'product'],
    ['region=999999', 'region'],
    ['districts[]=999999', 'districts'],
    ['category=999999', 'category'],
    [`${Array.from({ length: 61 }, (_, index) => `districts[]=${index + 1}`).join('&')}`, 'districts'],
  ])('refuses the query %s for changes of prices', async (query, field) => {
    expect(await resourceApp.ask('GET', `/pricelists/changes?${query}`)).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: [field] }] } } },
    })
  })
})
