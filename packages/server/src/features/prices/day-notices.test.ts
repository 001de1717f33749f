import { expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildDistrict } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { DayNotices } from './day-notices.ts'

const resourceApp = startResourceApp(undefined, { WORKING_HOURS: '1-6 09:00-18:00' })

/** Builds a day with one price, some days ago. */
async function day(daysAgo: number, state: string, price = 100): Promise<number> {
  const [row] = await resourceApp.database.query(sql<{ date: string }>`
    select ((now() at time zone 'Asia/Tashkent')::date - ${daysAgo}::int)::text as date`)
  const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date: row?.date, state })
  const unit = await buildRecord(resourceApp.database, 'units', { name: `Unit ${daysAgo}` })
  const [product, district] = [
    await buildRecord(resourceApp.database, 'products', { name: 'Wheat' }),
    await buildDistrict(resourceApp.database),
  ]
  await buildRecord(resourceApp.database, 'pricelists', { pricedate, product, district, price, unit })
  return pricedate
}

it('notifies staff in working hours of past days whose prices are not published, once', async () => {
  const forgottenDay = await day(2, 'draft')
  await day(1, 'published')
  await day(0, 'draft')
  const dayNotices = new DayNotices(resourceApp.database)
  // Tuesday 24 November 2026, at 23:00 and at 10:00 in Tashkent.
  expect(await dayNotices.sweep(Date.parse('2026-11-24T18:00:00Z'))).toBe(0)
  const morning = Date.parse('2026-11-24T05:00:00Z')
  expect(await dayNotices.sweep(morning)).toBe(1)
  expect(await dayNotices.sweep(morning)).toBe(0)
  const { data } = await resourceApp.read<{ data: object[] }>('/notices')
  expect(data).toMatchObject([{ kind: 'day.check', params: { flagged: 0 }, address: `/price-list/${forgottenDay}` }])
  expect((await resourceApp.ask('GET', '/notices', undefined, 'authenticated')).body).toMatchObject({ data: [] })
})

it('notifies the colleagues of a user who submits a day', async () => {
  await resourceApp.database.query(sql`delete from notices`)
  const id = await day(3, 'draft')
  expect((await resourceApp.ask('POST', `/pricedates/${id}/submit`, { data: {} }, 'owner')).status).toBe(200)
  expect(await resourceApp.read('/notices')).toMatchObject({
    data: [{ kind: 'day.check', address: `/price-list/${id}` }],
  })
  expect((await resourceApp.ask('GET', '/notices', undefined, 'owner')).body).toMatchObject({ data: [] })
})
