/** Tests prices whose product or district changes, and unusual days (market §8). */
import type { PriceChanges, PriceSeries } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { today } from '../../domain/market/report-day.ts'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildDistrict, buildRegion, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const id = (name: string): number => ids[name] ?? 0
const resourceApp = startResourceApp(async ({ database }) => {
  ids.north = await buildRegion(database, { name: 'North' })
  ids.south = await buildRegion(database, { name: 'South' })
  ids.kg = await buildRecord(database, 'units', { name: { en: 'kg' }, code: 'kg', kind: 'mass', factor: 1 })
  ids.tonne = await buildRecord(database, 'units', { name: { en: 't' }, code: 't', kind: 'mass', factor: 1000 })
  ids.category = await buildRecord(database, 'productcategories', { name: 'Grain' })
})
beforeEach(async () => {
  const { database } = resourceApp
  ids.near = await buildDistrict(database, { name: 'Near', region: ids.north })
  ids.far = await buildDistrict(database, { name: 'Far', region: ids.north })
  const product = { unit: ids.kg, productcategory: ids.category }
  ids.wheat = await buildRecord(database, 'products', { name: 'Wheat', ...product })
  ids.barley = await buildRecord(database, 'products', { name: 'Barley', ...product })
})

const daysAgo = (count: number) =>
  new Date(Date.parse(`${today(resourceApp.database.calendar)}T00:00:00Z`) - count * 86_400_000)
    .toISOString()
    .slice(0, 10)
const pricedate = async (date: string, draft: object = { state: 'published' }) => {
  const [knownDay] = await resourceApp.database.query(
    sql<{ id: number }>`select id from pricedates where date = ${date}::date`,
  )
  return knownDay?.id ?? buildRecord(resourceApp.database, 'pricedates', { date, ...draft })
}
const price = async (date: string, product: string, district: string, figure: number, unit = 'kg') =>
  buildRecord(resourceApp.database, 'pricelists', {
    pricedate: await pricedate(date),
    product: ids[product],
    district: ids[district],
    price: figure,
    unit: ids[unit],
  })
const putData = (path: string, data: object) => resourceApp.ask('PUT', path, { data })
const putGridCells = (date: string, cells: object[]) =>
  resourceApp.ask('PUT', '/pricelists/grid', { data: { date, cells } })
const lineOf = async (
  product: string,
  from: string,
  to: string,
  district = 'near',
): Promise<[day: string, value: number | null][]> => {
  const query = `product=${id(product)}&districts[]=${id(district)}&from=${from}&to=${to}`
  const { data } = await resourceApp.read<{ data: PriceSeries }>(`/pricelists/series?${query}`)
  return (data.lines[0]?.points ?? []).map(({ t, value }) => [t, value])
}
const valuesOf = async (...lineArguments: Parameters<typeof lineOf>): Promise<Record<string, number | null>> =>
  Object.fromEntries((await lineOf(...lineArguments)).filter(([, value]) => value !== null))
const changeOf = async (date: string, window: number, product = 'wheat', district = 'near') => {
  const { data } = await resourceApp.read<{ data: PriceChanges }>(
    `/pricelists/changes?date=${date}&window=${window}&product=${id(product)}`,
  )
  return data.rows.find((row) => row.district === id(district))
}

describe('a product', () => {
  it('returns the same line for a product after it is renamed, in any language', async () => {
    await price('2025-02-03', 'wheat', 'near', 3000)
    ids.wheatRu = await buildTranslation(resourceApp.database, 'products', id('wheat'), 'ru', { name: 'Пшеница' })
    await putData(`/products/${id('wheat')}`, { name: 'Winter wheat' })
    await putData(`/products/${ids.wheatRu}`, { name: 'Озимая пшеница' })
    await price('2025-02-04', 'wheat', 'near', 3100)
    const values = { '2025-02-03': 3000, '2025-02-04': 3100 }
    expect(await valuesOf('wheat', '2025-02-01', '2025-02-10')).toEqual(values)
    expect(await valuesOf('wheatRu', '2025-02-01', '2025-02-10')).toEqual(values)
    expect(await changeOf('2025-02-04', 1)).toMatchObject({ change_pct: 3.3 })
  })

  it('gives the line of a product to the product it is merged into, without losing a price of either', async () => {
    const movedPrices = [
      await price('2025-03-03', 'barley', 'near', 2000),
      await price('2025-03-04', 'barley', 'near', 2100),
    ]
    const conflictingPrice = await price('2025-03-05', 'barley', 'near', 2200)
    await price('2025-03-05', 'wheat', 'near', 2300)
    const answer = await resourceApp.ask('POST', '/bulk', {
      data: {
        resource: 'pricelists',
        action: { kind: 'set', values: { product: ids.wheat } },
        selection: { ids: [...movedPrices, conflictingPrice] },
        mode: 'each',
      },
    })
    expect(answer).toMatchObject({ status: 200, body: { data: { changed: 2, refused: 1 } } })
    expect(await valuesOf('wheat', '2025-03-01', '2025-03-10')).toEqual({
      '2025-03-03': 2000,
      '2025-03-04': 2100,
      '2025-03-05': 2300,
    })
    expect(await valuesOf('barley', '2025-03-01', '2025-03-10')).toEqual({ '2025-03-05': 2200 })
    // A product with prices is taken off the lists, but never deleted with its line.
    expect((await resourceApp.ask('DELETE', `/products/${id('barley')}`)).status).toBe(409)
    expect((await putData(`/products/${id('barley')}`, { active: false })).status).toBe(200)
    expect(await valuesOf('barley', '2025-03-01', '2025-03-10')).toEqual({ '2025-03-05': 2200 })
  })

  it('returns the line of a product in the base unit when its unit changes within the year', async () => {
    await price('2025-04-01', 'wheat', 'near', 3000)
    await putData(`/products/${id('wheat')}`, { unit: ids.tonne })
    await pricedate('2025-04-02', {})
    const cells = [{ product: ids.wheat, district: ids.near, price: 3_150_000 }]
    expect(await putGridCells('2025-04-02', cells)).toMatchObject({
      status: 200,
      body: { data: { rejected: [], saved: [{ state: 'ok' }] } },
    })
    expect(await valuesOf('wheat', '2025-04-01', '2025-04-02')).toEqual({ '2025-04-01': 3000, '2025-04-02': 3150 })
    expect(await changeOf('2025-04-02', 1)).toMatchObject({ value: 3150, change_pct: 5 })
  })

  it('returns gaps and dashes for a season without harvest, never a zero or an old figure', async () => {
    await price('2025-06-02', 'wheat', 'near', 3000)
    const clearedPrice = await price('2025-12-01', 'wheat', 'near', 2900)
    for (const day of ['2025-12-01', '2026-02-02']) await price(day, 'barley', 'near', 2000)
    await putData(`/pricelists/${clearedPrice}`, { price: null, note: 'None is sold before the next harvest' })
    expect(await valuesOf('wheat', '2025-06-01', '2026-03-01')).toEqual({ '2025-06-02': 3000 })
    expect((await lineOf('wheat', '2025-11-30', '2025-12-02')).map(([, value]) => value)).toEqual([null, null, null])
    expect(await changeOf('2025-12-01', 7)).toMatchObject({ value: null, change_pct: null, gap: 'no-value' })
    // Prices of the last harvest are not compared with the new one.
    await pricedate('2026-07-01', {})
    const cells = [{ product: ids.wheat, district: ids.near, price: 9000, unit: ids.kg }]
    expect(await putGridCells('2026-07-01', cells)).toMatchObject({ body: { data: { rejected: [] } } })
    const row = await changeOf('2026-07-01', 30)
    expect([row?.change_pct, row?.gap === 'too-old' || row?.gap === 'unconfirmed']).toEqual([null, true])
  })
})

describe('a district', () => {
  it('leaves prices with the former region when a district moves, also when they are corrected', async () => {
    const formerPrice = await price('2025-05-05', 'wheat', 'near', 3000)
    const removedPrice = await price('2025-05-06', 'wheat', 'near', 3050)
    await resourceApp.ask('DELETE', `/pricelists/${removedPrice}`)
    await putData(`/districts/${id('near')}`, { region: ids.south })
    const laterPrice = await price('2025-05-07', 'wheat', 'near', 3100)
    const regionOf = async (priceId: number) => {
      const foundPrice = await resourceApp.read<{ data: { attributes: { region: { data: { id: number } | null } } } }>(
        `/pricelists/${priceId}?populate=region`,
      )
      return foundPrice.data.attributes.region.data?.id
    }
    expect([await regionOf(formerPrice), await regionOf(laterPrice)]).toEqual([ids.north, ids.south])
    // The body repeats the whole record of the price, as clients send it back.
    const wholeRecord = { product: ids.wheat, district: ids.near, unit: ids.kg, price: 3010, note: 'A slip' }
    expect((await putData(`/pricelists/${formerPrice}`, wholeRecord)).status).toBe(200)
    expect((await resourceApp.ask('POST', `/pricelists/${removedPrice}/restore`, {})).status).toBe(200)
    expect([await regionOf(formerPrice), await regionOf(removedPrice)]).toEqual([ids.north, ids.north])
    // The price line of the district continues, and each region counts its own days.
    expect(await valuesOf('wheat', '2025-05-01', '2025-05-10')).toEqual({
      '2025-05-05': 3010,
      '2025-05-06': 3050,
      '2025-05-07': 3100,
    })
    const count = async (region: string) =>
      (
        await resourceApp.read<{ data: object[] }>(
          `/pricelists?filters[region]=${id(region)}&filters[product]=${id('wheat')}&pagination[pageSize]=10`,
        )
      ).data.length
    expect([await count('north'), await count('south')]).toEqual([2, 1])
    // A price that is moved to another district belongs to the region of that district.
    expect((await putData(`/pricelists/${laterPrice}`, { district: ids.far })).status).toBe(200)
    expect(await regionOf(laterPrice)).toBe(ids.north)
  })
})

describe('a day', () => {
  it('reports no gaps on a day without any market', async () => {
    await price('2025-07-01', 'wheat', 'near', 3000)
    await price('2025-07-01', 'wheat', 'far', 3000)
    const { body } = await resourceApp.ask('POST', '/pricedates', {
      data: { date: '2025-07-02', no_market: [ids.near, ids.far] },
    })
    const holiday = (body as { data: { id: number } }).data.id
    const day = await resourceApp.read<{ data: { attributes: { coverage: object } } }>(`/pricedates/${holiday}`)
    expect(day.data.attributes.coverage).toMatchObject({ expected: 0, filled: 0 })
    expect(await resourceApp.read(`/pricedates/${holiday}/review`)).toMatchObject({ data: { counts: { missing: 0 } } })
    await resourceApp.ask('POST', `/pricedates/${holiday}/submit`, {})
    const publishAnswer = await resourceApp.ask('POST', `/pricedates/${holiday}/publish`, {
      data: { allow_missing: false },
    })
    expect(publishAnswer.status).toBe(200)
    // Prices of the next day are compared with the latest earlier prices.
    await price('2025-07-03', 'wheat', 'near', 3300)
    expect(await changeOf('2025-07-03', 1)).toMatchObject({ change_pct: 10, base: { date: '2025-07-01' } })
  })

  it('marks a new price as late after a week, and recomputes the changes that compare with that price', async () => {
    const [lastWeek, today] = [daysAgo(7), daysAgo(0)]
    await price(today, 'wheat', 'near', 3300)
    await pricedate(lastWeek)
    expect(await changeOf(today, 7)).toMatchObject({ change_pct: null, gap: 'no-base' })
    const lateAnswer = await resourceApp.ask('POST', '/pricelists', {
      data: { product: ids.wheat, district: ids.near, pricedate: await pricedate(lastWeek), unit: ids.kg, price: 3000 },
    })
    expect(lateAnswer).toMatchObject({ status: 200, body: { data: { attributes: { late: true } } } })
    expect(await changeOf(today, 7)).toMatchObject({ change_pct: 10, base: { value: 3000, date: lastWeek } })
    const addLatePrice = async (date: string) =>
      (
        await resourceApp.read<{ data: { cells: { product: number; late: boolean | null }[] } }>(
          `/pricelists/grid?date=${date}&region=${id('north')}`,
        )
      ).data.cells
        .filter(({ product }) => product === id('wheat'))
        .map((cell) => cell.late)
    expect([await addLatePrice(lastWeek), await addLatePrice(today)]).toEqual([[true], [false]])
    expect(await resourceApp.read(`/pricelists?filters[late]=true&filters[product]=${id('wheat')}`)).toMatchObject({
      data: [{ attributes: { price: 3000 } }],
    })
    await putData(`/pricelists/${(lateAnswer.body as { data: { id: number } }).data.id}`, {
      price: 3200,
      note: 'A slip',
    })
    expect(await changeOf(today, 7)).toMatchObject({ change_pct: 3.1 })
  })
})
