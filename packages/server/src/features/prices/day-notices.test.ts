import { expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { build, buildDistrict } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { DayNotices } from './day-notices.ts'

const here = startResourceApp(undefined, { WORKING_HOURS: '1-6 09:00-18:00' })

/** Builds a day with one price, some days ago. */
async function day(daysAgo: number, state: string, price = 100): Promise<number> {
  const [row] = await here.database.query(sql<{ date: string }>`
    select ((now() at time zone 'Asia/Tashkent')::date - ${daysAgo}::int)::text as date`)
  const pricedate = await build(here.database, 'pricedates', { date: row?.date, state })
  const unit = await build(here.database, 'units', { name: `Unit ${daysAgo}` })
  const [product, district] = [
    await build(here.database, 'products', { name: 'Wheat' }),
    await buildDistrict(here.database),
  ]
  await build(here.database, 'pricelists', { pricedate, product, district, price, unit })
  return pricedate
}

it('notifies staff in working hours of past days whose prices are not published, once', async () => {
  const forgotten = await day(2, 'draft')
  await day(1, 'published')
  await day(0, 'draft')
  const open = new DayNotices(here.database)
  // Tuesday 24 November 2026, at 23:00 and at 10:00 in Tashkent.
  expect(await open.sweep(Date.parse('2026-11-24T18:00:00Z'))).toBe(0)
  const morning = Date.parse('2026-11-24T05:00:00Z')
  expect(await open.sweep(morning)).toBe(1)
  expect(await open.sweep(morning)).toBe(0)
  const { data } = await here.read<{ data: object[] }>('/notices')
  expect(data).toMatchObject([{ kind: 'day.check', params: { flagged: 0 }, address: `/price-list/${forgotten}` }])
  expect((await here.ask('GET', '/notices', undefined, 'authenticated')).body).toMatchObject({ data: [] })
})

it('notifies the colleagues of whoever submits a day', async () => {
  await here.database.query(sql`delete from notices`)
  const id = await day(3, 'draft')
  expect((await here.ask('POST', `/pricedates/${id}/submit`, { data: {} }, 'owner')).status).toBe(200)
  expect(await here.read('/notices')).toMatchObject({ data: [{ kind: 'day.check', address: `/price-list/${id}` }] })
  expect((await here.ask('GET', '/notices', undefined, 'owner')).body).toMatchObject({ data: [] })
})
