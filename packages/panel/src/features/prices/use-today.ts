/** The day that it is by the clock of reports, and the days behind it that lack prices. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { setReportOffset, today } from './day-marks.ts'

interface Today {
  date: string
  zone: string
  offset_minutes: number
  /** Days on which prices are usual and none are published, newest first. */
  missing: string[]
}

const todayQuery = queryOptions({
  queryKey: ['resource', 'pricedates', 'today'],
  queryFn: async ({ signal }) => {
    const { data } = await call<{ data: Today }>('GET', '/pricedates/today', { signal })
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
