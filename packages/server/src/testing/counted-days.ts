/** Counts the days of reports in tests. */
import { expect } from 'vitest'
import type { DayRecount } from '../features/statistics/by-day/recount.ts'
import { waitUntil } from './eventually.ts'

/**
 * Counts days once all writers have ended, in other databases of the server too: other test files write there.
 *
 * @returns The number of counted days.
 */
export async function countDays(recount: DayRecount): Promise<number> {
  let dayCount: number | undefined
  await waitUntil(async () => {
    dayCount = await recount.count()
    expect(dayCount).toBeDefined()
  })
  return dayCount ?? 0
}
