/** Today in the report time zone, the progress of its prices, and the earlier days that lack prices. */
import type { DayProgress, Locale } from '@dala/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'
import { useLocale } from '../../lib/i18n.ts'
import { setReportOffset, today } from './day-marks.ts'

/** Query key of the state of today's prices, the same in all languages. */
export const todayKey = ['resource', 'pricedates', 'today'] as const

const todayQuery = (locale: Locale) =>
  queryOptions({
    queryKey: [...todayKey, locale],
    queryFn: async ({ signal }) => {
      const { data } = await callRoute('GET /api/pricedates/today', { query: { locale }, signal })
      setReportOffset(data.offset_minutes)
      return data
    },
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

/**
 * Today in the report time zone.
 *
 * @returns The day, by the browser's clock until the server has answered, and the days that lack prices.
 */
export function useToday(): { now: string; missing: readonly string[] } {
  const { data } = useQuery(todayQuery(useLocale()))
  return { now: today(), missing: data?.missing ?? [] }
}

/**
 * Loads the progress of today's prices.
 *
 * @param isEnabled - Whether the server is asked.
 * @returns The day and its cells; undefined without an answer and for users who may not write prices.
 */
export function useProgress(isEnabled: boolean): { date: string; progress: DayProgress } | undefined {
  const { data } = useQuery({ ...todayQuery(useLocale()), enabled: isEnabled })
  return data?.progress ? { date: data.date, progress: data.progress } : undefined
}
