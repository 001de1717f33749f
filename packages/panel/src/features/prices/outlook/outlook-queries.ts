/** The calls behind the chart, the changes, the map and the bulletin (market §5). */
import type { Locale, ReportInterval } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute, type RouteQuery } from '../../../api/route.ts'
import type { OutlookSearch } from './outlook-search.ts'

/** Filters that all calls of the price pages share. */
const filtersOf = ({ product, region, category, market }: OutlookSearch, locale: Locale) => ({
  ...(product !== undefined && { product }),
  ...(region !== undefined && { region }),
  ...(category !== undefined && { category }),
  market_type: market,
  locale,
})

const sharedOptions = { placeholderData: keepPreviousData, meta: { inPlace: true } } as const

/** Query of a product's price lines over some days. */
export function seriesQuery(
  search: OutlookSearch,
  days: { from: string; to: string },
  interval: ReportInterval,
  locale: Locale,
) {
  const { product, market, districts, region, measure } = search
  const areaFilter = districts.length > 0 ? { districts: [...districts] } : { region }
  const query = { product, ...areaFilter, market_type: market, ...days, interval, measure, locale }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'series', query],
    queryFn: ({ signal }) => callRoute('GET /api/pricelists/series', { query, signal }),
    enabled: product !== undefined,
    ...sharedOptions,
  })
}

/** Query of the price changes of a day. */
export function changesQuery(search: OutlookSearch, locale: Locale) {
  const { date, window } = search
  const query = { ...filtersOf(search, locale), ...(date !== undefined && { date }), window }
  return queryOptions({
    queryKey: ['resource', 'pricelists', 'changes', query],
    queryFn: ({ signal }) => callRoute('GET /api/pricelists/changes', { query, signal }),
    ...sharedOptions,
  })
}

export type PricesQuery = RouteQuery<'GET /api/pricelists/export'>

/** Query of the export with the prices of a page. */
export function exportQuery(search: OutlookSearch, days: { from: string; to: string }, locale: Locale): PricesQuery {
  const { districts } = search
  return { ...filtersOf(search, locale), ...(districts.length > 0 && { districts: [...districts] }), ...days }
}
