import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildRegion, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const ids: Record<string, number> = {}
const id = (name: string): number => ids[name] ?? 0
const resourceApp = startResourceApp(async ({ database }) => {
  const makeRecord = async (name: string, resource: string, draft: Record<string, unknown>) => {
    ids[name] = await buildRecord(database, resource, draft)
  }
  ids.empty = await buildRegion(database, { name: 'Empty', order: 1 })
  ids.region = await buildRegion(database, { name: 'Region', order: 2 })
  ids.near = await buildDistrict(database, { name: 'Near', region: ids.region, order: 1 })
  ids.far = await buildDistrict(database, { name: 'Far', region: ids.region, order: 2 })
  ids.farRu = await buildTranslation(database, 'districts', id('far'), 'ru', { name: 'Дальний' })
  await makeRecord('kg', 'units', {
    name: { en: 'Kilogram', ru: 'Килограмм' },
    short: { ru: 'кг' },
    kind: 'mass',
    factor: 1,
  })
  await makeRecord('tonne', 'units', { name: 'Tonne', kind: 'mass', factor: 1000 })
  await makeRecord('litre', 'units', { name: 'Litre', kind: 'volume', factor: 1 })
  await makeRecord('crops', 'productcategories', { name: 'Crops' })
  await makeRecord('grain', 'productcategories', { name: 'Grain', parent: ids.crops })
  await makeRecord('milkGoods', 'productcategories', { name: 'Milk goods' })
  await makeRecord('wheat', 'products', { name: 'Wheat', unit: ids.kg, productcategory: ids.grain, order: 1 })
  await makeRecord('milk', 'products', { name: 'Milk', unit: ids.litre, productcategory: ids.milkGoods, order: 2 })
  await makeRecord('gone', 'products', { name: 'Gone', unit: ids.kg, active: false, order: 3 })
  await makeRecord('before', 'pricedates', { date: '2026-03-02', state: 'published' })
  await makeRecord('day', 'pricedates', { date: '2026-03-09' })
  const price = (pricedate: string, product: string, district: string, draft: object) =>
    buildRecord(database, 'pricelists', {
      pricedate: ids[pricedate],
      product: ids[product],
      district: ids[district],
      ...draft,
    })
  await price('before', 'wheat', 'near', { price: 3000, unit: ids.kg })
  await price('before', 'wheat', 'far', { price: 3000, unit: ids.kg, origin: 'carried' })
  await price('before', 'milk', 'near', { price: 9000, unit: ids.litre })
  await price('before', 'wheat', 'near', { price: 2500, unit: ids.kg, market_type: 'wholesale' })
  ids.cell = await price('day', 'wheat', 'near', { price: 3_300_000, price_max: 3_500_000, unit: ids.tonne })
  await price('day', 'wheat', 'far', { price: 3300, unit: ids.kg, state: 'check' })
})

interface Cell {
  product: number
  district: number
  id: number | null
  price: number | null
  prev: unknown
  change_pct: number | null
  version: number | null
}
interface Grid {
  data: {
    pricedate: unknown
    region: number | null
    districts: { id: number; name: string }[]
    products: { id: number; name: string; unit: unknown }[]
    cells: Cell[]
  }
  meta: { regions: unknown[]; categories: unknown[]; more: boolean }
}
const grid = (query: string) => resourceApp.read<Grid>(`/pricelists/grid?${query}`)
const cellOf = ({ data }: Grid, product: string, district: string) =>
  data.cells.find((cell) => cell.product === ids[product] && cell.district === ids[district])

describe('GET /api/pricelists/grid', () => {
  it('lists the prices of the day and of the published day before, and the change by base unit', async () => {
    const foundGrid = await grid('date=2026-03-09')
    expect(foundGrid.data).toMatchObject({
      pricedate: { id: ids.day, date: '2026-03-09', state: 'draft', version: 1 },
      region: ids.region,
      districts: [
        { id: ids.near, name: 'Near' },
        { id: ids.far, name: 'Far' },
      ],
      products: [
        { id: ids.wheat, name: 'Wheat', unit: { id: ids.kg, name: 'кг' } },
        { id: ids.milk, name: 'Milk' },
      ],
    })
    expect(cellOf(foundGrid, 'wheat', 'near')).toMatchObject({
      id: ids.cell,
      price: 3_300_000,
      price_max: 3_500_000,
      unit: ids.tonne,
      prev: { price: 3000, unit: ids.kg, date: '2026-03-02' },
      change_pct: 10,
    })
    // A price that is carried over from the day before shows no change against that day.
    expect(cellOf(foundGrid, 'wheat', 'far')).toMatchObject({ price: 3300, state: 'check', change_pct: null })
    expect(cellOf(foundGrid, 'milk', 'near')).toMatchObject({
      id: null,
      price: null,
      version: null,
      prev: { price: 9000 },
    })
    expect(foundGrid.data.cells).toHaveLength(3)
    expect(foundGrid.meta).toMatchObject({ regions: [{ name: 'Empty' }, { name: 'Region' }], more: false })
  })

  it('filters the grid by market, category with its subcategories, region and districts', async () => {
    const wholesaleGrid = await grid(`pricedate=${ids.day}&market_type=wholesale`)
    expect(wholesaleGrid.data.cells).toMatchObject([{ price: null, prev: { price: 2500 } }])
    const crops = await grid(`pricedate=${ids.day}&category=${ids.crops}`)
    expect(crops.data.products.map(({ name }) => name)).toEqual(['Wheat'])
    expect((await grid(`pricedate=${ids.day}&region=${ids.empty}`)).data).toMatchObject({ districts: [], cells: [] })
    // An id of any language names the district; the answer uses one id and the requested language.
    const farGrid = await grid(`pricedate=${ids.day}&districts[]=${ids.farRu}&locale=ru`)
    expect(farGrid.data.districts).toEqual([{ id: ids.far, name: 'Дальний', no_market: false }])
    expect(farGrid.data.products[0]).toMatchObject({ name: 'Wheat', unit: { name: 'кг' } })
  })

  it.each([
    ['', 422, 'date'],
    ['date=2026-02-30', 422, 'date'],
    ['date=2026-03-09&market_type=x', 422, 'market_type'],
    ['date=2026-03-09&region=x', 422, 'region'],
    ['date=2026-03-09&region=999999', 422, 'region'],
    ['date=2026-03-09&districts[]=999999', 422, 'districts'],
    ['date=2026-03-09&category=999999', 422, 'category'],
    ['date=2026-03-10', 404, undefined],
    ['pricedate=999999', 404, undefined],
  ])('refuses the query “%s” of the grid', async (query, status, field) => {
    const answer = await resourceApp.ask('GET', `/pricelists/grid?${query}`)
    const details = field === undefined ? {} : { errors: [{ path: [field] }] }
    expect(answer).toMatchObject({ status, body: { error: { details } } })
  })

  it('shows readers only published days in the grid', async () => {
    const readGridAsReader = (day: string) =>
      resourceApp.ask('GET', `/pricelists/grid?pricedate=${ids[day]}`, undefined, 'authenticated')
    expect((await readGridAsReader('day')).status).toBe(404)
    expect(await readGridAsReader('before')).toMatchObject({
      status: 200,
      body: { data: { pricedate: { state: 'published' } } },
    })
    const data = { pricedate: ids.before, cells: [{ product: ids.wheat, district: ids.near, price: 1 }] }
    expect((await resourceApp.ask('PUT', '/pricelists/grid', { data }, 'authenticated')).status).toBe(403)
  })
})

describe('PUT /api/pricelists/grid', () => {
  const putCells = async (cells: unknown, extraData: object = {}) =>
    resourceApp.ask('PUT', '/pricelists/grid', { data: { pricedate: ids.day, cells, ...extraData } })

  it('creates, changes and clears cells, whatever other cells are refused', async () => {
    const { wheat, milk, near, far, farRu, kg } = ids
    const cellBefore = cellOf(await grid(`pricedate=${ids.day}`), 'wheat', 'far')
    const answer = await putCells([
      { product: milk, district: near, price: 9500, version: null },
      { product: wheat, district: farRu, price: 3400, unit: kg, version: cellBefore?.version },
      { product: wheat, district: near, price: 0 },
      { product: milk, district: far, price: 9, unit: kg },
      { product: milk, district: far, price: 8, price_max: 7 },
      { product: 999_999, district: far, price: 9, unit: kg },
    ])
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          rejected: [
            {
              product: wheat,
              district: near,
              code: 'validation.above',
              message: expect.stringContaining('greater than 0') as string,
            },
            { product: milk, district: far, code: 'price.unit' },
            { product: milk, district: far, code: 'validation.unique' },
            { product: 999_999, code: 'validation.relationMissing' },
          ],
        },
      },
    })
    const gridAfter = await grid(`pricedate=${ids.day}`)
    expect(cellOf(gridAfter, 'milk', 'near')).toMatchObject({ price: 9500, version: 1, change_pct: 5.6 })
    expect(cellOf(gridAfter, 'wheat', 'far')).toMatchObject({ price: 3400, state: 'ok', version: 2 })
    expect(cellOf(gridAfter, 'wheat', 'near')).toMatchObject({ price: 3_300_000 })

    expect(await putCells([{ product: milk, district: near, price: null, version: 1 }])).toMatchObject({
      body: { data: { saved: [{ product: milk, district: near, version: 2 }], rejected: [] } },
    })
    expect(cellOf(await grid(`pricedate=${ids.day}`), 'milk', 'near')).toMatchObject({ price: null, change_pct: null })
  })

  it('returns the present cell when the version is stale', async () => {
    const cell = { product: ids.wheat, district: ids.near, price: 1 }
    for (const version of [null, 77]) {
      expect(await putCells([{ ...cell, version }])).toMatchObject({
        body: { data: { saved: [], rejected: [{ code: 'record.stale', current: { price: 3_300_000, version: 1 } }] } },
      })
    }
  })

  it('runs as many statements for many cells as for two, and records a revision of each', async () => {
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date: '2026-04-06' })
    const districts: number[] = []
    for (let order = 1; order <= 12; order += 1)
      districts.push(await buildDistrict(resourceApp.database, { name: `Many ${order}`, region: id('region') }))
    const cells = districts.map((district) => ({ product: ids.wheat, district, price: 3000 }))
    const countStatements = async (writtenCells: object[]) => {
      let answer: Awaited<ReturnType<typeof putCells>> | undefined
      const statements = await statementsOf(resourceApp.database, async () => {
        answer = await putCells(writtenCells, { pricedate })
      })
      expect(answer).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
      const { saved } = (answer as { body: { data: { saved: { id: number }[] } } }).body.data
      expect(saved).toHaveLength(writtenCells.length)
      return {
        ids: saved.map((savedCell) => savedCell.id),
        count: statements.filter((text) => !/\bsessions\b/.test(text)).length,
      }
    }
    const firstWrite = await countStatements(cells.slice(0, 2))
    const laterCount = await countStatements(cells.slice(2))
    expect(laterCount.count).toBeLessThanOrEqual(firstWrite.count)
    const changedCount = await countStatements(
      cells.map((cell, index) => ({ ...cell, price: 3001 + index, version: 1 })),
    )
    expect(changedCount.count).toBeLessThanOrEqual(firstWrite.count + 1)
    expect(new Set(changedCount.ids)).toEqual(new Set([...firstWrite.ids, ...laterCount.ids]))
    for (const price of [changedCount.ids[0], changedCount.ids.at(-1)])
      expect(await resourceApp.read(`/pricelists/${price}/history`)).toMatchObject({ data: { length: 2 } })
  })

  it('counts the files that the note of a price names as used', async () => {
    const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date: '2026-04-13' })
    const file = await buildUpload(resourceApp.database)
    const { url } = await resourceApp.read<{ url: string }>(`/upload/files/${file}`)
    const cell = { product: ids.wheat, district: ids.near, price: 3000 }
    const uses = async () => (await resourceApp.read<{ data: unknown[] }>(`/upload/files/${file}/uses`)).data.length
    await putCells(
      [
        { ...cell, note: `Seen at ${url}` },
        { ...cell, district: ids.far },
      ],
      { pricedate },
    )
    expect(await uses()).toBe(1)
    await putCells([{ ...cell, note: 'Seen', version: 1 }], { pricedate })
    expect(await uses()).toBe(0)
  })

  it('refuses an upper limit of a price below that price', async () => {
    expect(await putCells([{ product: ids.milk, district: ids.far, price: 8, price_max: 7 }])).toMatchObject({
      body: { data: { rejected: [{ code: 'rule.ascending' }] } },
    })
  })

  it.each([
    ['no cells', [], 'cells'],
    ['cells that are none', [{ product: 'x' }], 'cells'],
    ['too many', Array.from({ length: 501 }, () => ({ product: 1, district: 1 })), 'cells'],
  ])('refuses to save %s in the grid', async (_name, cells, field) => {
    expect(await putCells(cells)).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{ path: [field] }] } } },
    })
  })
  it('refuses to save cells of an unknown day', async () => {
    const cells = [{ product: id('wheat'), district: id('near'), price: 1 }]
    expect((await putCells(cells, { pricedate: undefined, date: '2026-03-10' })).status).toBe(404)
    expect((await putCells(cells, { pricedate: undefined })).status).toBe(422)
  })
})
