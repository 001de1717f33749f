/** Random queries over all reports: periods, steps, comparisons, hours, and each filter alone and in pairs. */
import {
  reportComparisons,
  type ReportFilter,
  reportFilters,
  type ReportFilterValues,
  reportIntervals,
  type ReportKey,
  reportPeriods,
  type ReportPeriod,
  reports,
} from '@dala/model'
import type { RandomDraws } from '../../lib/draws.ts'
import { dayNumber, dayText } from './period.ts'
import type { FilterIds } from './world.ts'

export interface RandomQuery {
  key: ReportKey
  /** The query as a part of an address. */
  text: string
  /** The query by keys, as orders of files and shares name them. */
  parameters: Readonly<Record<string, string>>
  hours: 'wall' | 'working'
  /** Wire ids or codes by filter. */
  filters: Readonly<ReportFilterValues>
  /** Returns the days of the query on a day. */
  days: (today: number) => { from: number; to: number }
}

const keys = Object.keys(reports) as ReportKey[]

/** Returns all sets of at most two filters. */
function filterSets(names: readonly ReportFilter[]): ReportFilter[][] {
  const pairs = names.flatMap((firstFilter, index) =>
    names.slice(index + 1).map((secondFilter) => [firstFilter, secondFilter]),
  )
  return [[], ...names.map((singleFilter) => [singleFilter]), ...pairs]
}

const monthStart = (day: number, addedMonths: number): number => {
  const date = new Date(day * 86_400_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + addedMonths, 1) / 86_400_000
}

/** Returns the days of a named period. */
function namedDays(period: ReportPeriod, today: number): { from: number; to: number } {
  const month = new Date(today * 86_400_000).getUTCMonth()
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'days7':
      return { from: today - 6, to: today }
    case 'days28':
      return { from: today - 27, to: today }
    case 'days90':
      return { from: today - 89, to: today }
    case 'month':
      return { from: monthStart(today, 0), to: monthStart(today, 1) - 1 }
    case 'last_month':
      return { from: monthStart(today, -1), to: monthStart(today, 0) - 1 }
    case 'quarter':
      return { from: monthStart(today, -(month % 3)), to: monthStart(today, 3 - (month % 3)) - 1 }
    case 'year':
      return { from: monthStart(today, -month), to: monthStart(today, 12 - month) - 1 }
  }
}

/** Draws the first and the last day: any days, whole months, or one day. */
function drawDays(draws: RandomDraws, today: number): { from: number; to: number } {
  const maxDaysAgo = draws.chance(0.5) ? 150 : 800
  const firstDay = today - draws.below(maxDaysAgo) + draws.below(20)
  if (draws.chance(0.35)) {
    const startDay = monthStart(firstDay, 0)
    return { from: startDay, to: monthStart(firstDay, draws.pick([1, 1, 2, 3, 3, 6, 12])) - 1 }
  }
  return { from: firstDay, to: firstDay + draws.pick([1, 2, 7, 10, 28, 31, 60, 92, 200, 366]) - 1 }
}

/**
 * Draws a query. The reports take turns, and so do the sets of their filters.
 *
 * @param draws - The random numbers.
 * @param index - Number of the query.
 * @param ids - Wire ids that filters may name.
 */
export function drawQuery(draws: RandomDraws, index: number, ids: FilterIds): RandomQuery {
  const key = keys[index % keys.length] ?? 'overview'
  const report = reports[key]
  const sets = filterSets(reportFilters.filter((name) => report.filters[name] !== undefined))
  const chosenFilters = sets[Math.floor(index / keys.length) % sets.length] ?? []
  const optionsOf = (name: ReportFilter): readonly (number | string)[] => {
    const target = report.filters[name]
    return typeof target === 'string' ? ids[target as keyof FilterIds] : (target ?? [])
  }
  const filters: ReportFilterValues = Object.fromEntries(
    chosenFilters.map((name) => [name, draws.pick(optionsOf(name))]),
  )
  const hours = draws.pick(['wall', 'working'] as const)
  const parameters: Record<string, string> = { compare: draws.pick(reportComparisons), hours }
  let days: RandomQuery['days']
  if (draws.chance(0.4)) {
    const period = draws.pick(reportPeriods)
    parameters.period = period
    days = (today) => namedDays(period, today)
  } else {
    const drawnDays = drawDays(draws, dayNumber(new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 10)))
    Object.assign(parameters, { from: dayText(drawnDays.from), to: dayText(drawnDays.to) })
    days = () => drawnDays
  }
  if (draws.chance(0.7)) parameters.interval = draws.pick(reportIntervals)
  const search = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(filters)) search.set(`filters[${name}]`, String(value))
  return { key, text: search.toString(), parameters, hours, filters, days }
}
