/** Tests concurrent writes of one day, for which only a PostgreSQL server has several open transactions. */
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildDistrict, buildRegion } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { waitUntil } from '../../testing/eventually.ts'

const ids: Record<string, number> = {}
const id = (name: string): number => ids[name] ?? 0
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'Region' })
  ids.kg = await buildRecord(database, 'units', { name: 'Kilogram', kind: 'mass', factor: 1 })
  ids.category = await buildRecord(database, 'productcategories', { name: 'Grain' })
  ids.former = await buildRecord(database, 'pricedates', { date: '2026-03-01', state: 'published' })
})

let days = 0
beforeEach(async () => {
  const { database } = resourceApp
  days += 1
  ids.day = await buildRecord(database, 'pricedates', { date: `2026-03-0${days + 1}` })
  for (const district of ['near', 'far', 'third'])
    ids[district] = await buildDistrict(database, { name: `${district} ${days}`, region: ids.region })
  const product = { unit: ids.kg, productcategory: ids.category }
  ids.wheat = await buildRecord(database, 'products', { name: `Wheat ${days}`, ...product })
  // The test locks one product to pause writes of prices.
  ids.gate = await buildRecord(database, 'products', { name: `Gate ${days}`, ...product })
})

interface Answer {
  status: number
  body: unknown
}
interface Grid {
  data: { saved: { price: number | null }[]; rejected: { district: number; code: string; current?: unknown }[] }
}

const price = (product: string, district: string, draft: object = {}, day = 'day') =>
  buildRecord(resourceApp.database, 'pricelists', {
    pricedate: ids[day],
    product: ids[product],
    district: ids[district],
    unit: ids.kg,
    price: 100,
    ...draft,
  })
const putGridCells = (cells: readonly object[]) =>
  resourceApp.ask('PUT', '/pricelists/grid', { data: { pricedate: ids.day, cells } })
const cell = (product: string, district: string, figure: number, extraFields: object = {}) => ({
  product: ids[product],
  district: ids[district],
  price: figure,
  ...extraFields,
})

/** Locks a product until the test unlocks it: writes that link to the product wait. */
async function closeGate(product = 'gate') {
  const [gateClosing, gateOpening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = resourceApp.database.transaction(async (trx) => {
    await trx.query(sql`
      select d.id from products d join products_texts t on t.document_id = d.id where t.id = ${id(product)} for update of d`)
    gateClosing.resolve()
    await gateOpening.promise
  })
  await gateClosing.promise
  return async () => {
    gateOpening.resolve()
    await transaction
  }
}

const countWaitingSessions = async () =>
  (
    await resourceApp.database.query(sql`
      select 1 as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  ).length

/** Sends a call, and resolves as soon as it has been answered or `count` transactions wait for a lock. */
async function sendCalls(call: () => Promise<Answer>, count: number): Promise<Promise<Answer>[]> {
  const state = { isAnswered: false }
  const answer = call().finally(() => (state.isAnswered = true))
  await waitUntil(async () => expect(state.isAnswered || (await countWaitingSessions()) === count).toBe(true))
  return [answer]
}

/** Runs the second call after the first call has read its price cells and before it writes them. */
async function runConcurrently(
  sendFirst: () => Promise<Answer>,
  sendSecond: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const openGate = await closeGate()
  const [firstAnswer] = await sendCalls(sendFirst, 1)
  expect(await countWaitingSessions()).toBe(1)
  const [secondAnswer] = await sendCalls(sendSecond, 2)
  await openGate()
  return Promise.all([firstAnswer, secondAnswer]) as Promise<[Answer, Answer]>
}

const figureAt = async (product: string, district: string) => {
  const { data } = await resourceApp.read<{ data: { attributes: { price: number; state: string } }[] }>(
    `/pricelists?filters[product]=${id(product)}&filters[district]=${id(district)}&filters[pricedate]=${id('day')}`,
  )
  return data.map(({ attributes }) => attributes.price)
}

describe('a call of the price table while another write of its day is under way', () => {
  const saveGrid = () => putGridCells([cell('gate', 'near', 70), cell('wheat', 'far', 80, { version: null })])

  it('saves every cell when a single price of the same cell is made meanwhile', async () => {
    const data = { pricedate: ids.day, ...cell('wheat', 'far', 90), unit: ids.kg }
    const [table, singleAnswer] = await runConcurrently(saveGrid, () =>
      resourceApp.ask('POST', '/pricelists', { data }),
    )
    expect(table).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
    expect(singleAnswer).toMatchObject({ status: 400 })
    expect([await figureAt('gate', 'near'), await figureAt('wheat', 'far')]).toEqual([[70], [80]])
  })

  it('saves every cell when another price is moved to the same cell meanwhile', async () => {
    const movedPrice = await price('wheat', 'near')
    const [table, singleAnswer] = await runConcurrently(saveGrid, () =>
      resourceApp.ask('PUT', `/pricelists/${movedPrice}`, { data: { district: ids.far } }),
    )
    expect(table).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
    expect(singleAnswer).toMatchObject({ status: 400 })
    expect([await figureAt('gate', 'near'), await figureAt('wheat', 'far')]).toEqual([[70], [80]])
  })

  it('saves every cell when a price of the same cell is restored from the trash meanwhile', async () => {
    const removedPrice = await price('wheat', 'far')
    await resourceApp.ask('DELETE', `/pricelists/${removedPrice}`)
    const [table, singleAnswer] = await runConcurrently(saveGrid, () =>
      resourceApp.ask('POST', `/pricelists/${removedPrice}/restore`, {}),
    )
    expect(table).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
    expect(singleAnswer).toMatchObject({ status: 409 })
    expect([await figureAt('gate', 'near'), await figureAt('wheat', 'far')]).toEqual([[70], [80]])
  })

  it('writes a cell of a day before its price is deleted, and never half of both writes', async () => {
    const removedPrice = await price('wheat', 'far')
    const [table, singleAnswer] = await runConcurrently(
      () => putGridCells([cell('gate', 'near', 70), cell('wheat', 'far', 80, { version: 1 })]),
      () => resourceApp.ask('DELETE', `/pricelists/${removedPrice}`),
    )
    expect(table).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
    expect(singleAnswer).toMatchObject({ status: 200 })
    expect(await figureAt('wheat', 'far')).toEqual([])
    await resourceApp.ask('POST', `/pricelists/${removedPrice}/restore`, {})
    expect(await figureAt('wheat', 'far')).toEqual([80])
  })

  it('reports the outcome of each cell when a bulk edit moves a price to the same cell meanwhile', async () => {
    const movedPrice = await price('wheat', 'near')
    const [table, singleAnswer] = await runConcurrently(saveGrid, () =>
      resourceApp.ask('POST', '/bulk', {
        data: {
          resource: 'pricelists',
          action: { kind: 'set', values: { district: ids.far } },
          selection: { ids: [movedPrice] },
        },
      }),
    )
    expect(table).toMatchObject({ status: 200, body: { data: { rejected: [] } } })
    expect(singleAnswer).toMatchObject({ status: 200, body: { data: { refused: 1 } } })
    expect(await figureAt('wheat', 'far')).toEqual([80])
  })
})

describe('a single price while its day is published', () => {
  it('leaves a day unpublished when a single price of that day waits for a confirmation', async () => {
    await price('gate', 'near', {}, 'former')
    await price('gate', 'near')
    const ownPrice = await price('wheat', 'near')
    await price('wheat', 'near', {}, 'former')
    await resourceApp.ask('POST', `/pricedates/${id('day')}/submit`, {})
    const [singleAnswer, publishing] = await runConcurrently(
      () =>
        resourceApp.ask('PUT', `/pricelists/${ownPrice}`, {
          data: { product: ids.gate, district: ids.third, price: 100_000 },
        }),
      () => resourceApp.ask('POST', `/pricedates/${id('day')}/publish`, { data: {} }),
    )
    expect(singleAnswer).toMatchObject({ status: 200, body: { data: { attributes: { state: 'check' } } } })
    expect(publishing).toMatchObject({ status: 422, body: { error: { code: 'price.unconfirmed' } } })
  })
})

describe('two calls on prices of a day', () => {
  it('never deadlocks two calls on prices of one day', async () => {
    const deadlocks = async () => {
      const [databaseStatistics] = await resourceApp.database.query(
        sql<{ count: number }>`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
      )
      return databaseStatistics?.count
    }
    const deadlocksBefore = await deadlocks()
    const ownPrice = await price('wheat', 'far')
    // A client that sends the whole record of a price back links its day again.
    const data = { pricedate: ids.day, product: ids.gate, district: ids.near, price: 120, unit: ids.kg }
    const [singleAnswer, table] = await runConcurrently(
      () => resourceApp.ask('PUT', `/pricelists/${ownPrice}`, { data }),
      () => putGridCells([cell('wheat', 'far', 80, { version: 1 }), cell('wheat', 'near', 60)]),
    )
    expect(singleAnswer.status).toBe(200)
    const { saved, rejected } = (table.body as Grid).data
    expect([saved.length, rejected.length]).toEqual([2, 0])
    expect(await deadlocks()).toBe(deadlocksBefore)
  })
})
