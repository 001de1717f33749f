/** The queries of series, changes and exports, as their statements take them (market §5). */
import {
  type ChangeWindow,
  type Locale,
  maxPriceYears,
  type PriceExportFormat,
  type PriceMarket,
  type PriceMeasure,
  type ReportInterval,
  unprocessable,
} from '@dala/model'
import type { ChangesAsk, PriceExportAsk, SeriesAsk } from '@dala/model/api/price-outlook'
import type { Calendar } from '../../../db/calendar.ts'
import { dayNow } from '../../../domain/market/report-day.ts'

/** The filters of all three calls; records are named by their ids on the wire. */
export interface OutlookFilters {
  product: number | undefined
  region: number | undefined
  districts: readonly number[] | undefined
  /** Products of this category and of those inside it. */
  category: number | undefined
  marketType: PriceMarket
  locale: Locale
}

export interface SeriesQuery extends OutlookFilters {
  /** The days, both included; undefined: 90 days up to `to`, and today. */
  from: string | undefined
  to: string | undefined
  interval: ReportInterval
  measure: PriceMeasure
}

export interface ChangesQuery extends OutlookFilters {
  /** The last published day when absent. */
  date: string | undefined
  window: ChangeWindow
}

export interface ExportQuery extends OutlookFilters {
  from: string
  to: string
  format: PriceExportFormat
  /** Whether the file has the earlier prices too. */
  trail: boolean
}

type AskedFilters = Omit<SeriesAsk, 'from' | 'to' | 'interval' | 'measure'> & { category?: number | undefined }

const filtersOf = ({
  product,
  region,
  districts,
  category,
  market_type: marketType = 'retail',
  locale = 'en',
}: AskedFilters): OutlookFilters => ({ product, region, districts, category, marketType, locale })

/** Whether the days are further apart than a series may cover. */
function isTooLong(from: string, to: string): boolean {
  const last = new Date(`${from}T00:00:00Z`)
  last.setUTCFullYear(last.getUTCFullYear() + maxPriceYears)
  return to > last.toISOString().slice(0, 10)
}

/**
 * The query of a series.
 *
 * @param asked - The query as it arrived.
 * @param calendar - The calendar of today, which a series without a last day ends with.
 * @returns The query with its defaults.
 * @throws 422 `price.span` for more years than a series may cover.
 */
export function seriesQueryOf(asked: SeriesAsk, calendar: Calendar): SeriesQuery {
  const { from, to, interval = 'day', measure = 'median' } = asked
  if (from !== undefined && isTooLong(from, to ?? dayNow(calendar)))
    throw unprocessable([{ path: ['from'], code: 'price.span', params: { field: 'from', years: maxPriceYears } }])
  return { ...filtersOf(asked), from, to, interval, measure }
}

/** The query of changes. */
export const changesQueryOf = (asked: ChangesAsk): ChangesQuery => ({
  ...filtersOf(asked),
  date: asked.date,
  window: asked.window ?? '7',
})

/** The query of an export: one `date`, or the days `from` and `to`. */
export function exportQueryOf(asked: PriceExportAsk): ExportQuery {
  const { date, from, to, format = 'xlsx', trail = false } = asked
  return { ...filtersOf(asked), from: date ?? from ?? '', to: date ?? to ?? '', format, trail }
}
