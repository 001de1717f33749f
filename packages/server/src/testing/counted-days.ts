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
  let counted: number | undefined
  await waitUntil(async () => {
    counted = await recount.count()
    expect(counted).toBeDefined()
  })
  return counted ?? 0
}
