/** The day that it is by the clock of reports, its progress, and the days behind it that lack prices. */
import type { DayProgress, PriceToday } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { setReportOffset, today } from './day-marks.ts'

export const todayQuery = queryOptions({
  queryKey: ['resource', 'pricedates', 'today'],
  queryFn: async ({ signal }) => {
    const { data } = await call<{ data: PriceToday }>('GET', '/pricedates/today', { signal })
    setReportOffset(data.offset_minutes)
    return data
  },
  meta: { inPlace: true },
})

/**
 * The day by the clock of reports.
 *
 * @returns The day, by the browser until the server has answered, and the days that lack prices.
 */
export function useToday(): { now: string; missing: readonly string[] } {
  const { data } = useQuery(todayQuery)
  return { now: today(), missing: data?.missing ?? [] }
}

/**
 * The progress of today.
 *
 * @param enabled Whether the server is asked.
 * @returns The day and its cells; undefined without an answer and for readers who may not write prices.
 */
export function useProgress(enabled: boolean): { date: string; progress: DayProgress } | undefined {
  const { data } = useQuery({ ...todayQuery, enabled })
  return data?.progress ? { date: data.date, progress: data.progress } : undefined
}
