import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildRegion } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { judgePrices } from '../../domain/market/price-histories.ts'

const ids: Record<string, number> = {}
const id = (name: string): number => ids[name] ?? 0
const dates = Array.from({ length: 8 }, (_, index) => `2026-03-0${index + 1}`)

const resourceApp = startResourceApp(async ({ database }) => {
  const makeRecord = async (name: string, resource: string, draft: Record<string, unknown>) => {
    ids[name] = await buildRecord(database, resource, draft)
  }
  ids.region = await buildRegion(database, { name: 'Region' })
  for (const [index, name] of ['near', 'far', 'third', 'fourth', 'fifth'].entries())
    ids[name] = await buildDistrict(database, { name, region: ids.region, order: index })
  await makeRecord('kg', 'units', { name: { en: 'Kilogram' }, short: { en: 'kg', ru: 'кг' }, kind: 'mass', factor: 1 })
  await makeRecord('sack', 'units', { name: { en: 'Sack' }, kind: 'mass', factor: 50 })
  await makeRecord('wheat', 'products', { name: 'Wheat', unit: ids.kg })
  await makeRecord('rice', 'products', { name: 'Rice', unit: ids.kg })
  for (const [index, date] of dates.entries()) {
    await makeRecord(date, 'pricedates', { date, state: 'published' })
    const price = (district: string, draft: object) =>
      buildRecord(database, 'pricelists', {
        product: ids.wheat,
        district: ids[district],
        pricedate: ids[date],
        unit: ids.kg,
        ...draft,
      })
    await price('near', { price: 4000 + (index % 3) * 50 })
    // The usual price ignores carried and unconfirmed prices.
    await price('far', { price: 40, origin: index % 2 ? 'carried' : 'entered', state: index % 2 ? 'ok' : 'check' })
  }
  await makeRecord('day', 'pricedates', { date: '2026-03-09' })
})

interface SavedCell {
  product: number
  district: number
  id: number
  version: number
  state: string
  flag: unknown
  suggestion?: unknown
}
interface Answer {
  status: number
  body: { data: { saved: SavedCell[]; rejected: { code: string; suggestion?: unknown }[] } }
}
const putCell = async (cell: object, day = 'day') => {
  const cells = [{ product: ids.wheat, district: ids.near, ...cell }]
  return (await resourceApp.ask('PUT', '/pricelists/grid', { data: { pricedate: ids[day], cells } })) as Answer
}
const publishDay = (body: object = {}) =>
  resourceApp.ask('POST', `/pricedates/${ids.day}/publish`, { data: { allow_missing: true, ...body } })

describe('PUT /api/pricelists/grid', () => {
  it('saves a hundredfold price as unconfirmed, with the kind of slip and the likely figure', async () => {
    expect(await putCell({ price: 400_000 })).toMatchObject({
      status: 200,
      body: {
        data: {
          saved: [
            {
              state: 'check',
              code: 'price.slip-more',
              message: '100 times more than usual: confirm it with a note',
              suggestion: { price: 4000, price_max: null },
              flag: { severity: 'confirm', factor: 100, level: 'district', count: 8, median: 4050 },
            },
          ],
        },
      },
    })
  })

  it('requires a note before a hundredfold price is confirmed', async () => {
    expect(await putCell({ price: 400_000, confirm: true })).toMatchObject({
      body: { data: { saved: [], rejected: [{ code: 'state.reason' }] } },
    })
    expect(await putCell({ price: 400_000, confirm: true, note: 'Border closed' })).toMatchObject({
      body: { data: { saved: [{ state: 'confirmed', flag: { factor: 100 } }], rejected: [] } },
    })
    // A confirmed price is checked again once its figure changes.
    expect(await putCell({ price: 4010 })).toMatchObject({ body: { data: { saved: [{ state: 'ok', flag: null }] } } })
  })

  it('detects a price in another unit, and confirms a price worth a check without a note', async () => {
    expect(await putCell({ price: 204_000 })).toMatchObject({
      body: {
        data: { saved: [{ code: 'price.slip-unit', flag: { unit: { en: 'Sack' } }, suggestion: { price: 4080 } }] },
      },
    })
    expect(await putCell({ price: 5000 })).toMatchObject({
      body: { data: { saved: [{ state: 'check', flag: { severity: 'look', code: 'price.far' } }] } },
    })
    expect(await putCell({ price: 5000, confirm: true })).toMatchObject({
      body: { data: { saved: [{ state: 'confirmed' }] } },
    })
  })

  it('proposes a swapped range of prices in order', async () => {
    expect(await putCell({ price: 4200, price_max: 4000 })).toMatchObject({
      body: { data: { rejected: [{ code: 'rule.ascending', suggestion: { price: 4000, price_max: 4200 } }] } },
    })
  })

  it('compares a district without a history with its region, and never with carried or unconfirmed prices', async () => {
    for (const district of ['far', 'third'])
      expect(await putCell({ district: ids[district], price: 41_000 })).toMatchObject({
        body: { data: { saved: [{ flag: { level: 'region', factor: 10 } }] } },
      })
    expect(await putCell({ district: ids.far, price: 4100 })).toMatchObject({
      body: { data: { saved: [{ state: 'ok' }] } },
    })
    expect(await putCell({ district: ids.third, price: 4100 })).toMatchObject({
      body: { data: { saved: [{ state: 'ok' }] } },
    })
  })

  it('compares a product without a history with its neighbours on the day', async () => {
    for (const district of ['near', 'far', 'third', 'fourth'])
      expect(await putCell({ product: ids.rice, district: ids[district], price: 9000 })).toMatchObject({
        body: { data: { saved: [{ state: 'ok' }] } },
      })
    expect(await putCell({ product: ids.rice, district: ids.fifth, price: 5000 })).toMatchObject({
      body: { data: { saved: [{ state: 'check', flag: { code: 'price.neighbours', neighbours: { min: 9000 } } }] } },
    })
  })

  it('refuses an unconfirmed slip on a published day and stores a confirmed one with its reason', async () => {
    const day = dates[7] ?? ''
    expect(await putCell({ price: 40, note: 'Typing error' }, day)).toMatchObject({
      body: { data: { saved: [], rejected: [{ code: 'price.slip-less', suggestion: { price: 4000 } }] } },
    })
    expect(await putCell({ price: 4070 }, day)).toMatchObject({
      body: { data: { rejected: [{ code: 'state.reason' }] } },
    })
    const correctedCell = await putCell({ price: 4070, note: 'Typing error' }, day)
    expect(correctedCell).toMatchObject({ body: { data: { saved: [{ state: 'ok' }] } } })
    const history = await resourceApp.read<{ data: unknown[] }>(
      `/pricelists/${correctedCell.body.data.saved[0]?.id}/history`,
    )
    expect(history.data.length).toBeGreaterThan(1)
    expect(await resourceApp.read(`/pricedates/${ids[day]}`)).toMatchObject({
      data: { attributes: { state: 'published' } },
    })
  })
})

describe('soft checks of other routes', () => {
  it('checks a price that the generic routes write', async () => {
    const data = { product: ids.wheat, district: ids.fourth, pricedate: ids.day, unit: ids.kg, price: 41_000 }
    expect(await resourceApp.ask('POST', '/pricelists', { data })).toMatchObject({
      status: 200,
      body: { data: { attributes: { state: 'check', flag: { code: 'price.slip-more' } } } },
    })
  })

  it('checks many new prices of one write in their order', async () => {
    const priceDraft = {
      product: id('wheat'),
      district: id('near'),
      marketType: 'retail',
      unit: id('kg'),
      price_max: null,
    }
    const flags = await judgePrices(resourceApp.database, '2026-03-09', [
      { ...priceDraft, price: 4000 },
      { ...priceDraft, price: 400 },
      { ...priceDraft, price: 200_000, unit: id('sack') },
    ])
    expect(flags).toMatchObject([undefined, { code: 'price.slip-less', factor: 10 }, undefined])
  })
})

describe('publishing', () => {
  it('lists the prices to confirm before publishing, and allows those that are only worth a check', async () => {
    await resourceApp.ask('POST', `/pricedates/${ids.day}/submit`)
    expect(await publishDay()).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'price.unconfirmed',
          details: { count: 1, cells: [{ product: { name: 'Wheat' }, district: { name: 'fourth' }, price: 41_000 }] },
        },
      },
    })
    await putCell({ district: ids.fourth, price: 4100 })
    expect(await resourceApp.read(`/pricedates/${ids.day}/review`)).toMatchObject({
      data: { counts: { confirm: 0, look: 1, missing: 0 }, look: [{ product: { name: 'Rice' }, price: 5000 }] },
    })
    expect((await publishDay()).status).toBe(200)
  })

  it('shows the review of a day to staff only', async () => {
    expect((await resourceApp.ask('GET', `/pricedates/${ids.day}/review`, undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/pricedates/999999/review')).status).toBe(404)
  })
})
