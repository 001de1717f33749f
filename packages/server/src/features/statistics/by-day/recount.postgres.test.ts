/** Counts days while another program writes; this file runs only where there is a PostgreSQL server. */
import { expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { countDays } from '../../../testing/counted-days.ts'
import { buildReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { DayRecount } from './recount.ts'

const resourceApp = startResourceApp(async (startedApp) => {
  await buildReportWorld(startedApp)
})
const readAskedCount = async () => {
  const { data } = await resourceApp.read<{ data: { metrics: { key: string; value: number }[] } }>(
    '/statistics/consultations?from=2025-04-15&to=2025-04-15',
  )
  return data.metrics.find(({ key }) => key === 'asked')?.value
}

it('keeps the mark of a writer that commits after the day was counted', async () => {
  const recount = new DayRecount(resourceApp.database)
  await countDays(recount)
  const formerCount = (await readAskedCount()) ?? 0
  await resourceApp.database.session(async (session) => {
    await session.script(
      "begin; insert into consultations (question, created_at, turn) values ('late', '2025-04-15T06:00:00Z', 1)",
    )
    // The day is counted anew while the writer has not committed.
    await resourceApp.database.query(sql`delete from report_days where day = '2025-04-15'`)
    await countDays(recount)
    expect(await readAskedCount()).toBe(formerCount)
    await session.script('commit')
  })
  expect(await readAskedCount()).toBe(formerCount + 1)
  await countDays(recount)
  expect(await readAskedCount()).toBe(formerCount + 1)
})

it('counts no day while a writer of it may be running', async () => {
  const recount = new DayRecount(resourceApp.database)
  await resourceApp.database.query(sql`delete from report_days`)
  await resourceApp.database.session(async (session) => {
    await session.script("begin; insert into tags (source_locale) values ('en')")
    expect(await recount.count()).toBeUndefined()
    await session.script('commit')
  })
  expect(await countDays(recount)).toBeGreaterThan(100)
})

it('lets one instance count at a time', async () => {
  await resourceApp.database.query(sql`delete from report_days`)
  const counts = await Promise.all([
    countDays(new DayRecount(resourceApp.database)),
    countDays(new DayRecount(resourceApp.database)),
  ])
  const [days] = await resourceApp.database.query(sql<{ n: number }>`select count(*)::int as n from report_days`)
  expect(days?.n).toBeGreaterThan(100)
  expect(Math.max(...counts)).toBeLessThanOrEqual(days?.n ?? 0)
  expect(await new DayRecount(resourceApp.database).check()).toEqual([])
})
