import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildRegion } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  const makeRecord = async (name: string, resource: string, draft: Record<string, unknown>) => {
    ids[name] = await buildRecord(database, resource, draft)
  }
  ids.region = await buildRegion(database)
  ids.near = await buildDistrict(database, { name: 'Near', region: ids.region, order: 1 })
  ids.far = await buildDistrict(database, { name: 'Far', region: ids.region, order: 2 })
  await makeRecord('kg', 'units', { name: { en: 'kg' }, kind: 'mass', factor: 1 })
  await makeRecord('wheat', 'products', { name: 'Wheat', unit: ids.kg, order: 1 })
  await makeRecord('rice', 'products', { name: 'Rice', unit: ids.kg, order: 2 })
  await makeRecord('before', 'pricedates', { date: '2026-03-02', state: 'published' })
  await makeRecord('day', 'pricedates', { date: '2026-03-09' })
  await makeRecord('closed', 'pricedates', { date: '2026-03-10', no_market: [ids.far] })
  await makeRecord('ahead', 'pricedates', { date: '2999-01-01' })
  const price = (pricedate: string, product: string, district: string, draft: object) =>
    buildRecord(database, 'pricelists', {
      pricedate: ids[pricedate],
      product: ids[product],
      district: ids[district],
      unit: ids.kg,
      ...draft,
    })
  await price('before', 'wheat', 'near', { price: 3000, price_max: 3200 })
  await price('before', 'wheat', 'far', { price: 3100 })
  await price('before', 'rice', 'near', { price: 9000 })
  await price('before', 'rice', 'far', { price: 90, state: 'check' })
  await price('day', 'wheat', 'near', { price: 3050 })
  ids.cleared = await price('day', 'wheat', 'far', { price: 3000 })
  await resourceApp.ask('PUT', `/pricelists/${ids.cleared}`, { data: { price: null } })
})

interface CarriedCell {
  product: number
  district: number
  price: number
  origin: string
  version: number
}
const copy = (data: object, role?: 'authenticated') => resourceApp.ask('POST', '/pricelists/copy', { data }, role)
const cellsOf = (answer: { body: unknown }) => (answer.body as { data: { cells: CarriedCell[] } }).data.cells
const grid = async (day: string) =>
  (
    await resourceApp.read<{ data: { cells: (CarriedCell & { change_pct: number | null; state: string })[] } }>(
      `/pricelists/grid?pricedate=${ids[day]}`,
    )
  ).data.cells

describe('POST /api/pricelists/copy', () => {
  it('refuses readers, wrong bodies, and days that accept no prices, when prices are copied', async () => {
    expect((await copy({ to: '2026-03-09' }, 'authenticated')).status).toBe(403)
    expect(await copy({ to: 'x', from: 'y', products: ['z'], market_type: 'q' })).toMatchObject({
      status: 422,
      body: { error: { details: { errors: [{}, {}, {}, {}] } } },
    })
    expect((await copy({ to: '2026-03-09', from: '2026-03-09' })).status).toBe(422)
    expect((await copy({ to: '2026-03-11' })).status).toBe(404)
    expect(await copy({ to: '2026-03-02' })).toMatchObject({
      status: 422,
      body: { error: { code: 'price.published' } },
    })
    expect(await copy({ to: '2999-01-01' })).toMatchObject({ status: 422, body: { error: { code: 'price.future' } } })
  })

  it('fills empty cells as carried, once, and leaves out prices that must be confirmed', async () => {
    const cells = cellsOf(await copy({ to: '2026-03-09', from: '2026-03-02', only_empty: true }))
    expect(cells).toMatchObject([
      { product: ids.wheat, district: ids.far, price: 3100, origin: 'carried' },
      { product: ids.rice, district: ids.near, price: 9000, origin: 'carried', version: 1 },
    ])
    expect(cellsOf(await copy({ to: '2026-03-09' }))).toEqual([])
    const carriedCells = (await grid('day')).filter(({ origin }) => origin === 'carried')
    expect(carriedCells.map(({ change_pct, state }) => [change_pct, state])).toEqual([
      [null, 'ok'],
      [null, 'ok'],
    ])
    expect(await resourceApp.read(`/pricedates/${ids.day}`)).toMatchObject({
      data: { attributes: { coverage: { expected: 4, filled: 1, carried: 2 } } },
    })
  })

  it('turns a carried price into an entered price when the same figure is typed again', async () => {
    const cells = [{ product: ids.rice, district: ids.near, price: 9000, version: 1 }]
    expect(await resourceApp.ask('PUT', '/pricelists/grid', { data: { pricedate: ids.day, cells } })).toMatchObject({
      body: { data: { saved: [{ origin: 'entered', version: 2 }] } },
    })
  })

  it('overwrites filled cells only on request, and only within the named products and districts', async () => {
    const copyRequest = { to: '2026-03-09', only_empty: false, products: [ids.wheat], districts: [ids.near] }
    expect(cellsOf(await copy(copyRequest))).toMatchObject([{ product: ids.wheat, district: ids.near, price: 3000 }])
  })

  it('copies no price for a district without a market, which counts as no gap either', async () => {
    await copy({ to: '2026-03-10', from: '2026-03-02' })
    expect((await grid('closed')).filter(({ origin }) => origin === 'carried').map(({ district }) => district)).toEqual(
      [ids.near, ids.near],
    )
    expect(await resourceApp.read(`/pricedates/${ids.closed}`)).toMatchObject({
      data: { attributes: { coverage: { expected: 2, filled: 0, carried: 2 } } },
    })
    expect(await resourceApp.read(`/pricedates/${ids.closed}/review`)).toMatchObject({
      data: { counts: { expected: 2, missing: 0, carried: 2 }, carried: [{ product: { name: 'Wheat' } }, {}] },
    })
    expect(await resourceApp.read(`/pricelists/grid?pricedate=${ids.closed}`)).toMatchObject({
      data: { districts: [{ no_market: false }, { name: 'Far', no_market: true }] },
    })
  })
})

describe('POST /api/pricedates/:id/publish with gaps', () => {
  const publishDay = (data: object) => resourceApp.ask('POST', `/pricedates/${ids.day}/publish`, { data })

  it('lists gaps and carried prices that the request to publish a day does not allow', async () => {
    await resourceApp.ask('POST', `/pricedates/${ids.day}/submit`)
    expect(await publishDay({ allow_missing: false, allow_carried: false })).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'price.incomplete',
          details: {
            missing: [{ product: { name: 'Rice' }, district: { name: 'Far' }, prev: 90 }],
            carried: [{ product: { name: 'Wheat' } }, { product: { name: 'Wheat' } }],
          },
        },
      },
    })
    expect((await publishDay({ allow_missing: true, allow_carried: false })).status).toBe(422)
    expect((await publishDay({ allow_missing: true, allow_carried: true })).status).toBe(200)
  })
})

describe('GET /api/pricedates/today', () => {
  it('returns the day of the report zone, and no gaps while no rhythm is known', async () => {
    const { data } = await resourceApp.read<{ data: { date: string } }>('/pricedates/today')
    expect(data.date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(data).toMatchObject({ zone: 'Asia/Tashkent', offset_minutes: 300, missing: [] })
  })

  it('names the days of two weeks whose weekday usually has prices', async () => {
    const { data } = await resourceApp.read<{ data: { date: string } }>('/pricedates/today')
    const dateDaysAgo = (days: number) => new Date(Date.parse(data.date) - days * 86_400_000).toISOString().slice(0, 10)
    for (const weeks of [2, 3, 4, 5])
      await buildRecord(resourceApp.database, 'pricedates', { date: dateDaysAgo(weeks * 7 + 1), state: 'published' })
    await buildRecord(resourceApp.database, 'pricedates', { date: dateDaysAgo(1) })
    expect(await resourceApp.read('/pricedates/today')).toMatchObject({
      data: { missing: [dateDaysAgo(1), dateDaysAgo(8)] },
    })
  })
})
