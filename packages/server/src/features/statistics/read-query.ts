/** Parses the query of a report: period, comparison, filters and language (statistics §6). */
import {
  fault,
  type Locale,
  maxReportYears,
  type ReportParameters,
  type ReportDeclaration,
  type ReportFilterValues,
  type ReportHours,
  type ReportPeriod,
  defaultPeriod,
} from '@dala/model'
import { addDays, addMonths, firstOfMonth } from './days.ts'
import type { PeriodRequest } from './period.ts'

export interface ReportQuery {
  period: PeriodRequest
  /** Wire ids of the chosen records, or codes, by filter of the report. */
  filters: Readonly<ReportFilterValues>
  hours: ReportHours
  locale: Locale
}

/** Returns the days of a named period up to today. */
function daysOfPeriod(period: ReportPeriod, today: string): { from: string; to: string } {
  const month = firstOfMonth(today)
  switch (period) {
    case 'month':
      return { from: month, to: addDays(addMonths(month, 1), -1) }
    case 'last_month':
      return { from: addMonths(month, -1), to: addDays(month, -1) }
    case 'today':
      return { from: today, to: today }
    case 'quarter': {
      const quarterStart = addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3))
      return { from: quarterStart, to: addDays(addMonths(quarterStart, 3), -1) }
    }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }
    default:
      return { from: addDays(today, 1 - Number(period.slice('days'.length))), to: today }
  }
}

/**
 * Returns the days that a report's query requests: the given ones, those of a named period, or from a given
 * day to today.
 */
function chosenDays({ from, to: lastDay, period = defaultPeriod }: Partial<ReportParameters>, today: string) {
  if (from === undefined && lastDay === undefined) return daysOfPeriod(period, today)
  const finalDay = lastDay ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? daysOfPeriod(defaultPeriod, finalDay).from, to: finalDay }
}

/**
 * Parses the query of a report.
 *
 * @param parameters - The keys of the query.
 * @param report - The declaration of the report.
 * @param today - Today in the report zone.
 * @returns The query with its defaults.
 * @throws 422 with a specific code for each invalid key (statistics §1, §9).
 */
export function readReportQuery(
  parameters: Partial<ReportParameters>,
  report: ReportDeclaration,
  today: string,
): ReportQuery {
  const { interval, compare = 'previous', filters = {}, hours = 'working', locale = 'en' } = parameters
  const { from, to } = chosenDays(parameters, today)
  if (to < from) throw fault('report.order')
  if (to >= addMonths(from, maxReportYears * 12)) throw fault('report.range', { params: { years: maxReportYears } })
  const unknownFilter = Object.keys(filters).find((name) => !Object.hasOwn(report.filters, name))
  if (unknownFilter !== undefined) throw fault('report.filter', { params: { key: `filters[${unknownFilter}]` } })
  return { period: { from, to, interval, compare }, filters, hours, locale }
}
