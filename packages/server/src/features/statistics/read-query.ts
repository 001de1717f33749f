/** Reads what a report is asked for: period, comparison, filters and language (statistics §6). */
import {
  type ErrorCode,
  fault,
  isLocale,
  type Locale,
  maxInteger,
  maxReportYears,
  reportComparisons,
  type ReportDeclaration,
  type ReportFilter,
  reportFilters,
  reportIntervals,
  type ReportPeriod,
  reportPeriods,
  usualPeriod,
} from '@dala/model'
import { isObject } from '../../resources/read/parse-filters.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'
import { addDays, addMonths, firstOfMonth, isDay } from './days.ts'
import type { PeriodWish } from './period.ts'

export interface ReportQuery {
  wish: PeriodWish
  /** Wire ids by filter. */
  filters: Readonly<Partial<Record<ReportFilter, number>>>
  locale: Locale
}

/** The days of a period that goes with the day. */
function daysOf(period: ReportPeriod, today: string): { from: string; to: string } {
  const month = firstOfMonth(today)
  switch (period) {
    case 'month':
      return { from: month, to: addDays(addMonths(month, 1), -1) }
    case 'last_month':
      return { from: addMonths(month, -1), to: addDays(month, -1) }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }
    default:
      return { from: addDays(today, 1 - Number(period.slice('days'.length))), to: today }
  }
}

/** The days that are asked for: named ones, those of a period, or from one of them to today. */
function readDays(query: QueryTree, today: string): { from: string; to: string } {
  const [first, last] = [readDay(query.from, 'from'), readDay(query.to, 'to')]
  const period = readChoice(query.period, 'period', reportPeriods)
  if (first === undefined && last === undefined) return daysOf(period ?? usualPeriod, today)
  const to = last ?? (first !== undefined && first > today ? first : today)
  return { from: first ?? daysOf(usualPeriod, to).from, to }
}

const refuse = (code: ErrorCode, key: string, values: readonly string[] = []) =>
  fault(code, { params: { key, values: values.join(', ') } })

function readDay(value: unknown, key: string): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || !isDay(value)) throw refuse('report.date', key)
  return value
}

function readChoice<V extends string>(value: unknown, key: string, choices: readonly V[]): V | undefined {
  if (value === undefined || value === '') return undefined
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw refuse('report.choice', key, choices)
  return chosen
}

function readFilters(given: unknown, report: ReportDeclaration): ReportQuery['filters'] {
  if (given === undefined || given === '') return {}
  if (!isObject(given)) throw refuse('report.filter', 'filters')
  const read: Partial<Record<ReportFilter, number>> = {}
  for (const [name, condition] of Object.entries(given)) {
    const key = `filters[${name}]`
    const filter = reportFilters.find((known) => known === name)
    if (filter === undefined || !report.filters[filter]) throw refuse('report.filter', key)
    const value = isObject(condition) && Object.keys(condition).length === 1 ? condition.$eq : condition
    if (value === '') continue
    const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
    if (id < 1 || id > maxInteger) throw refuse('report.filter', key)
    read[filter] = id
  }
  return read
}

/**
 * Reads the query of a report's figures. In: the query, the declaration, and the day it is in the report zone.
 * Throws 422 with a code of its own for each thing that cannot be counted (statistics §1, §9).
 */
export function readReportQuery(query: QueryTree, report: ReportDeclaration, today: string): ReportQuery {
  const { from, to } = readDays(query, today)
  if (to < from) throw fault('report.order')
  if (to >= addMonths(from, maxReportYears * 12)) throw fault('report.range', { params: { years: maxReportYears } })
  return {
    wish: {
      from,
      to,
      interval: readChoice(query.interval, 'interval', reportIntervals),
      compare: readChoice(query.compare, 'compare', reportComparisons) ?? 'previous',
    },
    filters: readFilters(query.filters, report),
    locale: isLocale(query.locale) ? query.locale : 'en',
  }
}
