/** Parses the queries of series, changes and exports (market §5). */
import {
  type ChangeWindow,
  type Locale,
  localeOf,
  maxPriceYears,
  type PriceExportFormat,
  type PriceMarket,
  type PriceMeasure,
  type ReportInterval,
  unprocessableFault,
  type WrittenLocale,
} from '@dala/model'
import type { PriceChangesRequest, PriceExportRequest, SeriesRequest } from '@dala/model/api/price-outlook'
import type { Calendar } from '../../../db/calendar.ts'
import { today } from '../../../domain/market/report-day.ts'

/** Filters of price series, changes and exports; records are named by their wire ids. */
export interface OutlookFilters {
  product: number | undefined
  region: number | undefined
  districts: readonly number[] | undefined
  /** Category whose products are requested, with its subcategories. */
  category: number | undefined
  marketType: PriceMarket
  locale: Locale
}

export interface SeriesQuery extends OutlookFilters {
  /** First and last day of a price series, both included; by default 90 days up to `to`, and today. */
  from: string | undefined
  to: string | undefined
  interval: ReportInterval
  priceMeasure: PriceMeasure
}

export interface ChangesQuery extends OutlookFilters {
  /** Day whose prices are compared, by default the last published one. */
  date: string | undefined
  window: ChangeWindow
}

export interface ExportQuery extends OutlookFilters {
  from: string
  to: string
  format: PriceExportFormat
  /** Language of the labels; that of names is `locale`. */
  language: WrittenLocale
  /** Whether the exported file contains the earlier prices too. */
  trail: boolean
}

type RequestedFilters = Omit<SeriesRequest, 'from' | 'to' | 'interval' | 'measure'> & { category?: number | undefined }

const filtersOf = ({
  product,
  region,
  districts,
  category,
  market_type: marketType = 'retail',
  locale = 'en',
}: RequestedFilters): OutlookFilters => ({ product, region, districts, category, marketType, locale })

/** Tells whether a price series over the given days would be too long. */
function isTooLong(from: string, to: string): boolean {
  const lastDay = new Date(`${from}T00:00:00Z`)
  lastDay.setUTCFullYear(lastDay.getUTCFullYear() + maxPriceYears)
  return to > lastDay.toISOString().slice(0, 10)
}

/**
 * Parses the query of a series of prices.
 *
 * @param query - The query as it arrived.
 * @param calendar - The calendar of today, the default last day.
 * @returns The query with its defaults.
 * @throws 422 `price.span` for more years than a series may cover.
 */
export function seriesQueryOf(query: SeriesRequest, calendar: Calendar): SeriesQuery {
  const { from, to, interval = 'day', measure: priceMeasure = 'median' } = query
  if (from !== undefined && isTooLong(from, to ?? today(calendar)))
    throw unprocessableFault([{ path: ['from'], code: 'price.span', params: { field: 'from', years: maxPriceYears } }])
  return { ...filtersOf(query), from, to, interval, priceMeasure }
}

/**
 * Parses the query of changes of prices.
 *
 * @param query - The query as it arrived.
 * @returns The query with its defaults.
 */
export const changesQueryOf = (query: PriceChangesRequest): ChangesQuery => ({
  ...filtersOf(query),
  date: query.date,
  window: query.window ?? '7',
})

/**
 * Parses the query of an export of prices: one `date`, or the days `from` and `to`.
 *
 * @param query - The query as it arrived.
 * @returns The query with its defaults.
 */
export function exportQueryOf(query: PriceExportRequest): ExportQuery {
  const { date, from, to, format = 'xlsx', trail = false, locale: language = 'en' } = query
  const filters = filtersOf({ ...query, locale: localeOf(language) })
  return { ...filters, from: date ?? from ?? '', to: date ?? to ?? '', format, language, trail }
}
