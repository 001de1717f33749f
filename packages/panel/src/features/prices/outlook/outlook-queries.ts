/** The calls behind the chart, the changes, the map and the bulletin (market §5). */
import type { Locale, PriceChanges, PriceChangesMeta, PriceMeasure, PriceSeries, ReportInterval } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'
import type { OutlookSearch } from './outlook-search.ts'

export interface SeriesAnswer {
  data: PriceSeries
  meta: { from: string; to: string; interval: ReportInterval; measure: PriceMeasure }
}
export interface ChangesAnswer {
  data: PriceChanges
  meta: PriceChangesMeta
}

/** The filters that all calls share. */
const narrowing = ({ product, region, category, market }: OutlookSearch, locale: Locale): Query => ({
  ...(product !== undefined && { product }),
  ...(region !== undefined && { region }),
  ...(category !== undefined && { category }),
  market_type: market,
  locale,
})

const shared = { placeholderData: keepPreviousData, meta: { inPlace: true } } as const

/** The lines of a product over some days. */
export function seriesQuery(
  search: OutlookSearch,
  days: { from: string; to: string },
  interval: string,
  locale: Locale,
) {
  const { product, market, districts, region, measure } = search
  const places = districts.length > 0 ? { districts: [...districts] } : { region }
  const query = { product, ...places, market_type: market, ...days, interval, measure, locale }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'series', query],
    queryFn: ({ signal }) => call<SeriesAnswer>('GET', '/pricelists/series', { query, signal }),
    enabled: product !== undefined,
    ...shared,
  })
}

/** The changes of a day. */
export function changesQuery(search: OutlookSearch, locale: Locale) {
  const { date, window } = search
  const query = { ...narrowing(search, locale), ...(date !== undefined && { date }), window }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'changes', query],
    queryFn: ({ signal }) => call<ChangesAnswer>('GET', '/pricelists/changes', { query, signal }),
    ...shared,
  })
}

/** The query of the file with the prices that a page is made of. */
export function exportQuery(search: OutlookSearch, days: { from: string; to: string }, locale: Locale): Query {
  const { districts } = search
  return { ...narrowing(search, locale), ...(districts.length > 0 && { districts: [...districts] }), ...days }
}
