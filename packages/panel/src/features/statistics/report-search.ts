/** The parameters of a report, stored in the address and sent to the API (statistics §6, §7). */
import {
  filterCodes,
  type Locale,
  type ReportComparison,
  reportComparisons,
  type ReportFilter,
  type ReportHours,
  reportHours,
  reportFilters,
  type ReportInterval,
  reportIntervals,
  type ReportPeriod,
  reportPeriods,
} from '@dala/model'
import type { RouteQuery } from '../../api/route.ts'

/** Query of a report in an API call. */
export type ReportQuery = RouteQuery<'GET /api/statistics/:id'>

/** Figure whose records are shown beside the report: as a whole, of one interval, or of one row of a table. */
export interface OpenedFigure {
  metric: string
  /** First day of the interval whose records are shown. */
  bucket?: string | undefined
  dim?: string | undefined
  dim_id?: string | undefined
}

export interface ReportSearch {
  period?: ReportPeriod | undefined
  /** First of the report's custom days, which replace a period. */
  from?: string | undefined
  to?: string | undefined
  compare?: ReportComparison | undefined
  interval?: ReportInterval | undefined
  hours?: ReportHours | undefined
  /** Ids of the records, or codes, chosen in the report's filters, by filter. */
  filters: Readonly<Partial<Record<ReportFilter, string>>>
  /** Id of the saved report that was opened; its settings are in the address, and may have been changed since. */
  saved?: number | undefined
  opened?: OpenedFigure | undefined
}

/**
 * Returns the filters of a report with another value of one, or without it. Districts are chosen within a region,
 * so that another region takes the chosen district away.
 *
 * @example
 * withFilter({ region: '5', district: '7' }, 'region', '6') // { region: '6' }
 */
export function withFilter(
  filters: ReportSearch['filters'],
  name: ReportFilter,
  value: string | undefined,
): ReportSearch['filters'] {
  const replaced: readonly string[] = name === 'region' ? ['region', 'district'] : [name]
  const otherFilters = Object.fromEntries(Object.entries(filters).filter(([filter]) => !replaced.includes(filter)))
  return value === undefined ? otherFilters : { ...otherFilters, [name]: value }
}

/** Whether two figures have the same records. */
export const isSameFigure = (one: OpenedFigure, other: OpenedFigure | undefined): boolean =>
  other !== undefined &&
  one.metric === other.metric &&
  one.bucket === other.bucket &&
  one.dim === other.dim &&
  one.dim_id === other.dim_id

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Parses the opened figure of a report's address; a row of a table needs both of its parts. */
function readOpenedFigure({
  metric,
  bucket,
  dim,
  dim_id: dimId,
}: Readonly<Record<string, unknown>>): OpenedFigure | undefined {
  const isKey = (value: unknown): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value)
  if (!isKey(metric)) return undefined
  return {
    metric,
    ...(isDay(bucket) && { bucket }),
    ...(isKey(dim) && isKey(dimId) && { dim, dim_id: dimId }),
  }
}

/** Parses the address of a report; invalid values are dropped and never cause an error. */
export function readReportSearch(search: Readonly<Record<string, unknown>>): ReportSearch {
  const { from, to } = search
  const oneOf = <V extends string>(key: string, values: readonly V[]) => values.find((value) => value === search[key])
  const customPeriod = isDay(from) && isDay(to) ? { from, to } : { period: oneOf('period', reportPeriods) }
  const filters: Partial<Record<ReportFilter, string>> = {}
  for (const name of reportFilters) {
    const value = search[`f.${name}`]
    const codes = filterCodes[name]
    if (typeof value === 'string' && (codes ? codes.includes(value) : /^[1-9]\d{0,9}$/.test(value)))
      filters[name] = value
  }
  const { saved } = search
  return {
    ...customPeriod,
    compare: oneOf('compare', reportComparisons),
    interval: oneOf('interval', reportIntervals),
    hours: oneOf('hours', reportHours),
    filters,
    saved: typeof saved === 'string' && /^[1-9]\d{3,9}$/.test(saved) ? Number(saved) : undefined,
    opened: readOpenedFigure(search),
  }
}

/** Address for the state of a report. */
export function writeReportSearch({ filters, opened, ...otherFields }: ReportSearch): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [key, value] of Object.entries({ ...otherFields, ...opened }))
    if (value !== undefined) params[key] = String(value)
  for (const [name, value] of Object.entries(filters)) params[`f.${name}`] = value
  return params
}

/** API query for the state of a report. */
export const reportQueryOf = (
  { filters, opened: _opened, saved: _saved, ...otherFields }: ReportSearch,
  locale: Locale,
): ReportQuery => ({
  ...otherFields,
  ...(Object.keys(filters).length > 0 && { filters }),
  locale,
})
