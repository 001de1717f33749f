import type { PriceChanges, PriceChangesMeta, PriceSeries } from '@dala/model'
import { unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildPriceWorld, type PriceWorld } from '../../../testing/price-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

let world: PriceWorld
const resourceApp = startResourceApp(async (app) => {
  world = await buildPriceWorld(app, '2025-01-01', 30)
})
const file = (query: string, role: 'admin' | 'authenticated' = 'admin') =>
  resourceApp.app.inject({
    method: 'GET',
    url: `/api/pricelists/export?${query}`,
    headers: { authorization: `Bearer ${resourceApp.tokens[role]}` },
  })
const readExportedSheet = async (query: string) => (await readSheet((await file(query)).rawPayload)).slice(1)

const findPublishedDay = () => world.rows.find((row) => row.published && row.price !== null)?.date ?? ''

describe('GET /pricelists/export', () => {
  it('exports prices with real dates and numbers, and texts in the requested language', async () => {
    const answer = await file(`date=${findPublishedDay()}&locale=ru`)
    expect(answer.headers['content-type']).toContain('spreadsheetml')
    const [head, ...rows] = await readSheet(answer.rawPayload)
    expect(head?.slice(0, 4)).toEqual(['Дата цен', 'Продукт', 'Регион', 'Район'])
    const expectedPrices = world.rows.filter((row) => row.date === findPublishedDay() && row.price !== null)
    expect(rows).toHaveLength(expectedPrices.length)
    for (const row of rows) {
      expect(row[0]).toEqual(new Date(`${findPublishedDay()}T00:00:00Z`))
      expect(typeof row[5]).toBe('number')
    }
    const sum = (prices: readonly unknown[]) => prices.reduce<number>((total, price) => total + Number(price), 0)
    expect(sum(rows.map((row) => row[5]))).toBeCloseTo(sum(expectedPrices.map(({ price }) => price)), 1)
  })

  it('exports prices with headings in the other script, and names in the language', async () => {
    const readAll = async (locale: string) =>
      readSheet((await file(`date=${findPublishedDay()}&locale=${locale}`)).rawPayload)
    const [[latinHead, ...latinRows], [head, ...rows]] = [await readAll('uz'), await readAll('uz-Cyrl')]
    expect(latinHead?.slice(1, 4)).toEqual(['Mahsulot', 'Hudud', 'Tuman'])
    expect(head?.slice(1, 4)).toEqual(['Маҳсулот', 'Ҳудуд', 'Туман'])
    expect(rows.map((row) => row.slice(1, 4))).toEqual(latinRows.map((row) => row.slice(1, 4)))
  })

  it('never turns a text into a formula, in a sheet or in CSV, also behind blanks', async () => {
    const notes = ['=1+1', ' =1+1', '+1', '-1', '@x', '\t=1', '\r=1', 'a;=1']
    const ids = await resourceApp.database.query(sql<{ id: number }>`
      select p.id from pricelists p join pricedates d on d.id = p.pricedate_id
       where d.date = ${findPublishedDay()}::date and p.price is not null order by p.id limit ${notes.length}`)
    for (const [noteIndex, { id }] of ids.entries())
      await resourceApp.database.query(sql`update pricelists set note = ${notes[noteIndex] ?? ''} where id = ${id}`)
    const sheet = unzipSync((await file(`date=${findPublishedDay()}`)).rawPayload)['xl/worksheets/sheet1.xml']
    expect(Buffer.from(sheet ?? []).toString('utf8')).not.toContain('<f>')
    const csv = (await file(`date=${findPublishedDay()}&format=csv`)).body
    expect(csv).not.toMatch(/(^|[;\t\r\n"])[ \t\r\n]*[=+@]/m)
    for (const note of ["'=1+1", "'+1", "'-1", "'@x"]) expect(csv).toContain(note)
  })

  it('exports as many prices as list, chart and map show for the same filters', async () => {
    const date = findPublishedDay()
    const day = await resourceApp.read<{ data: { id: number }[] }>(`/pricedates?filters[date]=${date}`)
    const [product, district] = [world.products[0]?.id, world.districts[1]?.id]
    const cases: [outlook: string, list: string][] = [
      ['', ''],
      [`&region=${world.regions.north}`, `&filters[region]=${world.regions.north}`],
      [`&districts[]=${district}`, `&filters[district]=${district}`],
      [`&product=${product}`, `&filters[product]=${product}`],
      [
        `&product=${product}&region=${world.regions.south}`,
        `&filters[product]=${product}&filters[region]=${world.regions.south}`,
      ],
      [`&category=${world.categories.crops}`, `&filters[product][productcategory]=${world.categories.grain}`],
    ]
    for (const [outlook, list] of cases) {
      const listedPrices = await resourceApp.read<{ meta: { pagination: { total: number } } }>(
        `/pricelists?filters[pricedate]=${day.data[0]?.id}&filters[price][$notNull]=true&filters[market_type]=retail${list}`,
      )
      const { total } = listedPrices.meta.pagination
      const changes = await resourceApp.read<{ data: PriceChanges; meta: PriceChangesMeta }>(
        `/pricelists/changes?date=${date}${outlook}`,
      )
      const exportedSheet = await readExportedSheet(`date=${date}${outlook}`)
      expect([outlook, exportedSheet.length, changes.meta.priced]).toEqual([outlook, total, total])
      if (!outlook.includes('product')) continue
      const { data } = await resourceApp.read<{ data: PriceSeries }>(
        `/pricelists/series?from=${date}&to=${date}&interval=day${outlook}`,
      )
      const drawnRows = world.rows.filter(
        (row) =>
          row.product === product &&
          row.date === date &&
          row.price !== null &&
          row.state !== 'check' &&
          (!outlook.includes('region') || world.districts.some(({ id, of }) => id === row.district && of === 'south')),
      )
      const ownPrices = drawnRows.filter(({ origin }) => origin !== 'carried')
      expect(data.lines[0]?.points[0]?.n).toBe(ownPrices.length > 0 ? ownPrices.length : drawnRows.length)
    }
  })

  it('exports the sound prices that list, chart and map count for a product by region and district', async () => {
    const date = findPublishedDay()
    const [product, otherProduct] = world.products
    const areaFilters = [
      ['', ''],
      ...Object.values(world.regions).map((id) => [`&region=${id}`, `&filters[region]=${id}`]),
      ...world.districts.map(({ id }) => [`&districts[]=${id}`, `&filters[district]=${id}`]),
    ]
    let countedRows = 0
    for (const { id } of [product, otherProduct].filter((shownProduct) => shownProduct !== undefined)) {
      for (const [outlook = '', list = ''] of areaFilters) {
        const parameters = `product=${id}${outlook}`
        const sound = '&filters[state][$ne]=check&filters[origin][$ne]=carried&filters[price][$notNull]=true'
        const listedPrices = await resourceApp.read<{ meta: { pagination: { total: number } } }>(
          `/pricelists?filters[pricedate][date]=${date}&filters[product]=${id}${list}${sound}`,
        )
        const { total } = listedPrices.meta.pagination
        const series = await resourceApp.read<{ data: PriceSeries }>(
          `/pricelists/series?from=${date}&to=${date}&${parameters}`,
        )
        const point = series.data.lines[0]?.points[0]
        const map = await resourceApp.read<{ data: PriceChanges }>(`/pricelists/changes?date=${date}&${parameters}`)
        const rows = (await readExportedSheet(`date=${date}&${parameters}`)).filter(
          (row) => row[10] !== 'Carried over' && row[11] !== 'To be checked',
        )
        const mapCount = map.data.products.find((mapProduct) => mapProduct.id === id)?.n ?? 0
        expect([parameters, point?.carried ? 0 : point?.n, mapCount, rows.length]).toEqual([
          parameters,
          total,
          total,
          total,
        ])
        countedRows += total
      }
    }
    expect(countedRows).toBeGreaterThan(10)
  })

  it('exports several days of prices, limited to what the caller may see', async () => {
    const openDate = world.rows.find((row) => !row.published && row.price !== null)?.date ?? ''
    expect((await file(`date=${openDate}&format=csv`, 'authenticated')).body.trim().split('\r\n')).toHaveLength(1)
    expect(await readExportedSheet(`from=2025-01-01&to=2025-01-30`)).toHaveLength(
      world.rows.filter(({ price }) => price !== null).length,
    )
  })

  it.each([
    ['', 'date'],
    ['from=2025-01-01', 'to'],
    ['date=2025-01-01&format=pdf', 'format'],
    ['date=2025-01-01&product=999999', 'product'],
    ['date=2025-01-01&category=999999', 'category'],
  ])('refuses the query “%s” for an export of prices', async (query, field) => {
    const answer = await file(query)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ error: { details: { errors: [{ path: [field] }] } } })
  })
})
