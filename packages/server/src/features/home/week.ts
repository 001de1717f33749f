/** Reads the week on the home page: prices entered on each day, or the answers of a consultant. */
import {
  type Caller,
  type HomeDay,
  type HomeFigure,
  type HomeWeek,
  type PriceToday,
  type ReportParameters,
  type ReportFigures,
  reports,
} from '@dala/model'
import type { Database } from '../../db/database.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { today } from '../../domain/market/report-day.ts'
import { readFlatEntries } from './rows.ts'

const day = 86_400_000
const daysOfWeek = 7
/** Maximum number of unpublished price days that the home page names. */
const maxUnpublishedDays = 3

/** Returns the seven days from Monday to Sunday around a day. */
function weekOf(today: string): string[] {
  const todayTime = Date.parse(`${today}T00:00:00Z`)
  const monday = todayTime - ((new Date(todayTime).getUTCDay() + 6) % daysOfWeek) * day
  return Array.from({ length: daysOfWeek }, (_, index) => new Date(monday + index * day).toISOString().slice(0, 10))
}

const numberOf = (value: unknown, key: string): number =>
  typeof value === 'object' && value !== null && key in value ? Number((value as Record<string, unknown>)[key]) : 0

/** Reads the share of the expected prices that were entered on each day, and the days to be published. */
export async function readPriceWeek(
  routes: Pick<FeatureRoutes, 'database' | 'totals'>,
  caller: Caller,
  today: PriceToday,
): Promise<HomeWeek> {
  const days = weekOf(today.date)
  const [firstDay = '', lastDay = ''] = [days[0], days.at(-1)]
  const foundDays = await readFlatEntries(routes, {
    caller,
    resource: 'pricedates',
    query: {
      filters: { date: { $gte: firstDay, $lte: lastDay } },
      fields: ['date', 'state', 'coverage'],
      sort: 'date:asc',
    },
    limit: daysOfWeek,
  })
  const daysByDate = new Map(foundDays.map((entry) => [String(entry.date), entry]))
  const { progress } = today
  const isOpen = progress !== null && progress.state !== 'published' && progress.expected > 0
  return {
    of: 'prices',
    days: days.map((date): HomeDay => {
      const entry = daysByDate.get(date)
      const expectedCount = numberOf(entry?.coverage, 'expected')
      const filledCount = numberOf(entry?.coverage, 'filled')
      return {
        date,
        share: entry && expectedCount > 0 ? Math.floor((filledCount / expectedCount) * 100) : null,
        count: null,
        pricedate: entry?.id ?? null,
      }
    }),
    unpublished: [
      ...(isOpen ? [{ date: today.date, pricedate: progress.pricedate }] : []),
      ...today.missing
        .slice(0, maxUnpublishedDays - (isOpen ? 1 : 0))
        .map((date) => ({ date, pricedate: daysByDate.get(date)?.id ?? null })),
    ],
    figures: [],
  }
}

/** Computes a report within the rights of a caller. */
export type ComputeReport = (
  database: Database,
  key: 'consultants',
  query: Partial<ReportParameters>,
  caller: Caller,
) => Promise<{ figures: ReportFigures }>

const figureKeys = ['reply_median', 'within_target', 'rating'] as const

/**
 * Reads the caller's answers on each day, and three of the caller's figures of 28 days with the median of the
 * team; null without access to that report.
 */
export async function readAnswerWeek(
  routes: Pick<FeatureRoutes, 'database' | 'totals'>,
  caller: Caller,
  computeReport: ComputeReport,
): Promise<HomeWeek | null> {
  const { database } = routes
  const [record] = await readFlatEntries(routes, {
    caller,
    resource: 'statistics',
    query: { filters: { key: { $eq: 'consultants' } }, fields: ['key'] },
    limit: 1,
  })
  if (!record) return null
  const currentDay = today(database.calendar)
  const days = weekOf(currentDay)
  const week = { from: days[0], to: days.at(-1), interval: 'day', compare: 'none' } as const
  const [answeredCount, month] = [
    await computeReport(database, 'consultants', week, caller),
    await computeReport(database, 'consultants', { compare: 'none' }, caller),
  ]
  const points = answeredCount.figures.series.find(({ key }) => key === 'answered')?.points ?? []
  return {
    of: 'answers',
    days: days.map((date): HomeDay => ({
      date,
      share: null,
      count: date > currentDay ? null : (points.find(({ t }) => t === date)?.value ?? 0),
      pricedate: null,
    })),
    unpublished: [],
    figures: figureKeys.map((key): HomeFigure => {
      const monthMetric = month.figures.metrics.find((metric) => metric.key === key)
      const teamBreakdown = month.figures.breakdowns.find(({ dim, metric }) => dim === 'consultant' && metric === key)
      return {
        key,
        unit: reports.consultants.metrics[key]?.unit ?? 'count',
        value: monthMetric?.value ?? null,
        team: teamBreakdown?.team ?? null,
      }
    }),
  }
}
