import { sql } from '../db/sql.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../testing/databases.ts'
import { reportDay, useReportZone } from './report-day.ts'

afterEach(() => useReportZone('Asia/Tashkent'))

describe('the day of reports', () => {
  it('is that of the zone', async () => {
    const { database } = await openTestDatabase()
    const dayIn = async (zone: string) => {
      useReportZone(zone)
      const [row] = await database.query(sql<{ today: string }>`select ${reportDay()} as today`)
      return row?.today ?? ''
    }
    // 26 hours apart: never the same day.
    const [first, last] = [await dayIn('Pacific/Kiritimati'), await dayIn('Etc/GMT+12')]
    expect([first, last].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))).toBe(true)
    expect(first > last).toBe(true)
    const hours = (Date.parse(await dayIn('Asia/Tashkent')) - (Date.now() + 5 * 3_600_000)) / 3_600_000
    expect(hours <= 0 && hours > -24.1).toBe(true)
  })
})
