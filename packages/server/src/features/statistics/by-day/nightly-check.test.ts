/** Recounts random days at night, as the server does by itself. */
import { expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { countDays } from '../../../testing/counted-days.ts'
import { testCalendar, testDatabaseWith } from '../../../testing/databases.ts'
import { waitUntil } from '../../../testing/eventually.ts'
import { buildReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { DayRecount } from './recount.ts'

const resourceApp = startResourceApp(async (startedApp) => {
  await buildReportWorld(startedApp)
})

/** A zone in which it is noon. */
function zoneOfNoon(): string {
  const hoursToNoon = 12 - new Date().getUTCHours()
  return `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`
}

it('counts random days again after three in the morning, once a day', async () => {
  const database = await testDatabaseWith(testCalendar(zoneOfNoon()))
  const readChecks = () => database.query(sql<{ days: number }>`select days from report_checks`)
  await resourceApp.database.query(sql`delete from report_checks`)
  await countDays(new DayRecount(database))
  const failures: unknown[] = []
  const runOnce = async () => {
    const recount = new DayRecount(database)
    recount.start(
      (error) => failures.push(error),
      (differences) => failures.push(differences),
    )
    await waitUntil(async () => expect((await readChecks()).length).toBeGreaterThan(0))
    await recount.stop()
  }
  await runOnce()
  await runOnce()
  expect(failures).toEqual([])
  expect(await readChecks()).toEqual([{ days: 30 }])
})
