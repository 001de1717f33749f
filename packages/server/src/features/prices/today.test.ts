import { describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildDistrict, buildRegion } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

interface Answer {
  data: { date: string; progress: Record<string, unknown> | null }
}

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database)
  ids.unit = await buildRecord(database, 'units', { name: { en: 'kg' }, kind: 'mass', factor: 1 })
  for (const name of ['near', 'far']) ids[name] = await buildDistrict(database, { name, region: ids.region })
  for (const name of ['wheat', 'rice']) ids[name] = await buildRecord(database, 'products', { name, unit: ids.unit })
})
const today = () => resourceApp.read<Answer>('/pricedates/today')
const progress = async () => (await today()).data.progress
const dateDaysAgo = async (days: number) =>
  new Date(Date.parse((await today()).data.date) - days * 86_400_000).toISOString().slice(0, 10)
const price = (pricedate: number | undefined, product: string, district: string, draft: object = {}) =>
  buildRecord(resourceApp.database, 'pricelists', {
    pricedate,
    product: ids[product],
    district: ids[district],
    unit: ids.unit,
    price: 10,
    ...draft,
  })

describe('the progress of GET /api/pricedates/today', () => {
  it('expects no prices today while no day is published', async () => {
    expect(await progress()).toEqual({
      pricedate: null,
      state: null,
      expected: 0,
      entered: 0,
      carried: 0,
      missing: 0,
      districts: [],
      districts_count: 0,
    })
  })

  it('counts all cells of the published day before as missing while the day has no prices', async () => {
    ids.before = await buildRecord(resourceApp.database, 'pricedates', {
      date: await dateDaysAgo(1),
      state: 'published',
    })
    for (const product of ['wheat', 'rice'])
      for (const district of ['near', 'far']) await price(ids.before, product, district)
    await price(ids.before, 'rice', 'far', { price: null, market_type: 'wholesale' })
    expect(await progress()).toMatchObject({ pricedate: null, expected: 4, entered: 0, carried: 0, missing: 4 })
  })

  it('counts entered, carried and missing cells separately, and a deleted price as missing', async () => {
    ids.day = await buildRecord(resourceApp.database, 'pricedates', { date: await dateDaysAgo(0) })
    await price(ids.day, 'wheat', 'near')
    await price(ids.day, 'wheat', 'near', { market_type: 'wholesale' })
    await price(ids.day, 'wheat', 'far', { origin: 'carried' })
    await price(ids.day, 'rice', 'near', { price: null })
    const counts = { expected: 5, entered: 2, carried: 1, missing: 2 }
    const districts = [
      { name: 'far', count: 2 },
      { name: 'near', count: 1 },
    ]
    const wholeDay = { pricedate: ids.day, state: 'draft', ...counts, districts, districts_count: 2 }
    expect(await progress()).toMatchObject(wholeDay)
    const review = await resourceApp.read<{ data: { counts: object } }>(`/pricedates/${ids.day}/review`)
    expect(review.data.counts).toMatchObject(counts)
  })

  it('leaves a district that had no market on the day out of the progress', async () => {
    const data = { no_market: { connect: [ids.far] } }
    expect((await resourceApp.ask('PUT', `/pricedates/${ids.day}`, { data })).status).toBe(200)
    expect(await progress()).toMatchObject({
      expected: 4,
      entered: 2,
      carried: 1,
      missing: 1,
      districts: [
        { name: 'near', count: 1 },
        { name: 'far', count: 1 },
      ],
    })
  })

  it('returns null as progress for callers who may not write prices', async () => {
    const { status, body } = await resourceApp.ask('GET', '/pricedates/today', undefined, 'authenticated')
    expect([status, (body as Answer).data.progress]).toEqual([200, null])
    expect((await resourceApp.ask('GET', '/pricedates/today', undefined, 'public')).status).toBe(401)
  })

  it('expects no prices on a weekday without prices in eight weeks, until the day has its first price', async () => {
    await resourceApp.database.query(sql`delete from pricelists where pricedate_id = ${ids.day}`)
    await resourceApp.database.query(sql`delete from pricedates where id = ${ids.day}`)
    for (const weeks of [1, 2, 3])
      await buildRecord(resourceApp.database, 'pricedates', {
        date: await dateDaysAgo(weeks * 7 + 1),
        state: 'published',
      })
    expect(await progress()).toMatchObject({ expected: 0, missing: 0 })
    ids.day = await buildRecord(resourceApp.database, 'pricedates', { date: await dateDaysAgo(0) })
    expect(await progress()).toMatchObject({ pricedate: ids.day, expected: 4, missing: 4 })
  })
})
