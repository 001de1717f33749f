import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { testCalendar, testDatabaseWith } from '../../testing/databases.ts'
import { endOfDay, reportDay } from './report-day.ts'

describe('the day of reports', () => {
  it('follows the time zone of the calendar in the day of reports', async () => {
    const dayInZone = async (zone: string) => {
      const database = await testDatabaseWith(testCalendar(zone))
      const [row] = await database.query(sql<{ today: string }>`select ${reportDay} as today`)
      return row?.today ?? ''
    }
    // The zones are 26 hours apart, so they never have the same day.
    const [earliestZoneDay, latestZoneDay] = [await dayInZone('Pacific/Kiritimati'), await dayInZone('Etc/GMT+12')]
    expect([earliestZoneDay, latestZoneDay].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))).toBe(true)
    expect(earliestZoneDay > latestZoneDay).toBe(true)
    const hours = (Date.parse(await dayInZone('Asia/Tashkent')) - (Date.now() + 5 * 3_600_000)) / 3_600_000
    expect(hours <= 0 && hours > -24.1).toBe(true)
  })
  it.each([
    ['Asia/Tashkent', '2026-11-24T18:59:59.999Z', '2026-11-24T19:00:00.000Z'],
    ['Asia/Tashkent', '2026-11-24T19:00:00.000Z', '2026-11-25T19:00:00.000Z'],
    ['Asia/Tashkent', '2026-12-31T20:00:00.000Z', '2027-01-01T19:00:00.000Z'],
    ['UTC', '2026-11-24T23:59:59.999Z', '2026-11-25T00:00:00.000Z'],
    // Clocks change on the next two days, which last 23 and 25 hours.
    ['Europe/Berlin', '2026-03-28T23:30:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T22:30:00.000Z', '2026-10-25T23:00:00.000Z'],
  ])('ends the day of reports in %s for %s at %s', (zone, moment, end) => {
    expect(new Date(endOfDay(testCalendar(zone), Date.parse(moment))).toISOString()).toBe(end)
  })
})
