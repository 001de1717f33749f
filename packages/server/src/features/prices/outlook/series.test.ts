import type { PriceLine, PricePoint, PriceSeries } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { buildPriceWorld, type PriceRow, type PriceWorld } from '../../../testing/price-world.ts'
import { openTestApp } from '../../../testing/app.ts'
import { testCalendar, testDatabaseWith } from '../../../testing/databases.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { sql } from '../../../db/sql.ts'
import { reportDay } from '../../../domain/market/report-day.ts'

interface Answer {
  data: PriceSeries
  meta: { from: string; to: string; interval: string; measure: string; market_type: string }
}

const firstDate = '2025-01-01'
let world: PriceWorld
const resourceApp = startResourceApp(async (app) => {
  world = await buildPriceWorld(app, firstDate, 100)
})
const series = (query: string) => resourceApp.read<Answer>(`/pricelists/series?${query}`)
const product = (productIndex = 0) => world.products[productIndex]?.id ?? 0
const district = (districtIndex = 0) => world.districts[districtIndex]?.id ?? 0

const isUsed = (row: PriceRow) => row.price !== null && row.base !== null && row.state !== 'check'
const valueOf = ({ base }: PriceRow) => Number(base ?? 0n) / 10_000

function medianOf(values: readonly number[]): number {
  const sortedValues = [...values].sort((a, b) => a - b)
  const middleIndex = sortedValues.length >> 1
  return sortedValues.length % 2 === 1
    ? (sortedValues[middleIndex] ?? 0)
    : ((sortedValues[middleIndex - 1] ?? 0) + (sortedValues[middleIndex] ?? 0)) / 2
}

const cents = (value: number | null) => (value === null ? null : Math.round(value * 100))

/** Computes the expected point of a price series from the rows of an interval. */
function computeExpectedPoint(rows: readonly PriceRow[]): Pick<PricePoint, 'n' | 'carried'> & { value: number | null } {
  const ownRows = rows.filter((row) => row.origin !== 'carried')
  const shownRows = ownRows.length > 0 ? ownRows : rows
  return {
    value: shownRows.length > 0 ? medianOf(shownRows.map(valueOf)) : null,
    n: shownRows.length,
    carried: shownRows.length > 0 && ownRows.length === 0,
  }
}

function assertPoints({ points }: Pick<PriceLine, 'points'>, rowsOf: (day: string) => readonly PriceRow[]) {
  for (const point of points) {
    const expectedPoint = computeExpectedPoint(rowsOf(point.t))
    expect({ ...point, value: cents(point.value) }).toMatchObject({
      ...expectedPoint,
      value: cents(expectedPoint.value),
    })
  }
}

describe('GET /pricelists/series', () => {
  it('returns a line for each district with every day, including gaps and carried prices', async () => {
    const query = `product=${product()}&districts[]=${district(0)}&districts[]=${district(4)}`
    const { data, meta } = await series(`${query}&from=2025-01-01&to=2025-03-31`)
    expect(meta).toEqual({
      from: '2025-01-01',
      to: '2025-03-31',
      interval: 'day',
      measure: 'median',
      market_type: 'retail',
    })
    expect(data).toMatchObject({ product: { id: product(), name: 'Product 0' }, unit: { name: 'kg' } })
    expect(data.lines.map((line) => line.district?.id)).toEqual([district(0), district(4)])
    for (const line of data.lines) {
      expect(line.points).toHaveLength(90)
      assertPoints(line, (day) =>
        world.rows.filter(
          (row) => row.product === product() && row.district === line.district?.id && row.date === day && isUsed(row),
        ),
      )
      const openDates = new Set(world.rows.filter((row) => !row.published).map(({ date }) => date))
      for (const { t, partial, n } of line.points) expect([t, partial]).toEqual([t, n > 0 && openDates.has(t)])
    }
    const points = data.lines.flatMap((line) => line.points)
    expect(points.some(({ value }) => value === null)).toBe(true)
    expect(points.some(({ carried }) => carried)).toBe(true)
  })

  it('aggregates a region by weeks in the base unit, whatever the unit of a price', async () => {
    const region = world.regions.south
    const { data } = await series(`product=${product(1)}&region=${region}&from=2025-01-06&to=2025-03-02&interval=week`)
    expect(data.lines).toMatchObject([{ district: null, region: { id: region } }])
    const southDistricts = new Set(world.districts.filter(({ of }) => of === 'south').map(({ id }) => id))
    const southRows = world.rows.filter(
      (row) => row.product === product(1) && southDistricts.has(row.district) && isUsed(row),
    )
    expect(southRows.some(({ unit }) => unit === 'tonne')).toBe(true)
    expect(data.lines[0]?.points).toHaveLength(8)
    assertPoints(data.lines[0] ?? { points: [] }, (monday) => {
      const sunday = new Date(Date.parse(monday) + 6 * 86_400_000).toISOString().slice(0, 10)
      return southRows.filter(({ date }) => date >= monday && date <= sunday)
    })
  })

  it.each(['min', 'max'] as const)(
    'returns the %s of the country by months, and marks the partial month',
    async (measure) => {
      const { data } = await series(
        `product=${product(2)}&from=2025-01-01&to=2025-02-10&interval=month&measure=${measure}`,
      )
      const values = (month: string) =>
        world.rows
          .filter((row) => row.product === product(2) && isUsed(row) && row.origin !== 'carried')
          .filter(({ date }) => date.startsWith(month) && date <= '2025-02-10')
          .map(valueOf)
      const extremeOf = measure === 'min' ? Math.min : Math.max
      const [line] = data.lines
      expect(line).toMatchObject({ district: null, region: null })
      expect(line?.points.map(({ t }) => t)).toEqual(['2025-01-01', '2025-02-01'])
      expect(line?.points[0]?.value).toBeCloseTo(extremeOf(...values('2025-01')), 3)
      expect(line?.points[1]?.value).toBeCloseTo(extremeOf(...values('2025-02')), 3)
      expect(line?.points[1]?.partial).toBe(true)
    },
  )

  it('returns a separate line for a unit without a factor', async () => {
    const { data } = await series(`product=${product(3)}&from=2025-01-01&to=2025-01-31`)
    expect(data.unit).toMatchObject({ name: 'bunch' })
    expect(data.lines[0]?.points.some(({ n }) => n > 0)).toBe(true)
  })

  it('hides unpublished days of a line from readers', async () => {
    const query = `/pricelists/series?product=${product()}&from=2025-01-01&to=2025-03-31`
    const count = async (role: 'admin' | 'authenticated') => {
      const { body } = await resourceApp.ask('GET', query, undefined, role)
      return (body as Answer).data.lines.flatMap(({ points }) => points.filter(({ n }) => n > 0)).map(({ t }) => t)
    }
    const openDates = new Set(world.rows.filter((row) => !row.published).map(({ date }) => date))
    const allDays = await count('admin')
    expect(allDays.some((day) => openDates.has(day))).toBe(true)
    expect(await count('authenticated')).toEqual(allDays.filter((day) => !openDates.has(day)))
    expect((await resourceApp.ask('GET', query, undefined, 'public')).status).toBe(401)
  })

  it.each([
    ['', 'product'],
    ['product=999999', 'product'],
    ['product=1&from=x', 'from'],
    ['product=1&from=2025-02-01&to=2025-01-01', 'to'],
    ['product=1&interval=hour', 'interval'],
    ['product=1&measure=mean', 'measure'],
    [`product=1&${Array.from({ length: 7 }, (_, index) => `districts[]=${index + 1}`).join('&')}`, 'districts'],
  ])('refuses the query “%s” for lines of prices', async (query, field) => {
    expect(await resourceApp.ask('GET', `/pricelists/series?${query}`)).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: [field] }] } } },
    })
  })

  it.each(['from=2010-01-01&to=2020-01-02', 'from=2010-01-01'])(
    'refuses the period %s as longer than ten years',
    async (span) => {
      const url = `/pricelists/series?product=${product()}&interval=month`
      expect(await resourceApp.ask('GET', `${url}&${span}`)).toMatchObject({
        status: 422,
        body: { error: { details: { errors: [{ path: ['from'], code: 'price.span', params: { years: 10 } }] } } },
      })
      expect((await resourceApp.ask('GET', `${url}&from=2010-01-01&to=2020-01-01`)).status).toBe(200)
    },
  )

  // At any time, one of the test's two time zones has another date than UTC.
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('counts ten years up to today in %s', async (zone) => {
    const { app, database } = await openTestApp({ database: await testDatabaseWith(testCalendar(zone)) })
    try {
      const [row] = await database.query(sql<{ today: string }>`select ${reportDay} as today`)
      const today = row?.today ?? ''
      const tenYearsEarlier = (days: number) => {
        const date = new Date(`${today}T00:00:00Z`)
        date.setUTCFullYear(date.getUTCFullYear() - 10)
        date.setUTCDate(date.getUTCDate() + days)
        return date.toISOString().slice(0, 10)
      }
      const statusFrom = async (startDay: string) => {
        const url = `/api/pricelists/series?product=${product()}&interval=month&from=${startDay}`
        return (await app.inject({ url, headers: { authorization: `Bearer ${resourceApp.tokens.admin}` } })).statusCode
      }
      expect([await statusFrom(tenYearsEarlier(0)), await statusFrom(tenYearsEarlier(-1))]).toEqual([200, 422])
    } finally {
      await app.close()
    }
  })

  it('refuses more intervals than a line may have', async () => {
    const url = `/pricelists/series?product=${product()}&from=2020-01-01&to=2025-01-01`
    expect(await resourceApp.ask('GET', url)).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: ['interval'] }] } } },
    })
    expect((await resourceApp.ask('GET', `${url}&interval=week`)).status).toBe(200)
  })
})
