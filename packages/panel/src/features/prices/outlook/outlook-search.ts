/** The filters of the chart, the changes, the map and the bulletin, stored in the address. */
import {
  type ChangeWindow,
  changeWindows,
  maxPriceLines,
  maxPriceYears,
  type PriceMeasure,
  priceMeasures,
  type ReportInterval,
  reportIntervals,
  type PriceMarket,
} from '@dala/model'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { dateToDay, dayToDate } from '../../../lib/format.ts'
import { yearsAfter } from '../day-marks.ts'

export const spans = ['90', '180', '365', '1095'] as const
type Span = (typeof spans)[number]

export interface OutlookSearch {
  product?: string | undefined
  region?: string | undefined
  category?: string | undefined
  /** Ids of the districts chosen for the chart, at most six. */
  districts: readonly string[]
  market: PriceMarket
  date?: string | undefined
  /** Span of the chart up to the last published day; typed days override it. */
  span: Span
  /** Typed days of the chart: both, in order, or neither. */
  from?: string | undefined
  to?: string | undefined
  /** The magnified range of the chart: the first days of its first and last intervals. */
  first?: string | undefined
  last?: string | undefined
  window: ChangeWindow
  interval?: ReportInterval | undefined
  measure: PriceMeasure
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value)
/** Returns whether a value is a calendar day, `2026-03-01`. */
export function isDay(value: unknown): value is string {
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? dayToDate(value) : undefined
  return date !== undefined && dateToDay(date) === value
}

/** Reason why the chart cannot have the typed days. */
export type SpanFault = 'order' | 'length'

/** Checks the days typed for a chart, and returns the reason against them. */
export function faultOfSpan({ from, to }: { from: string; to: string }): SpanFault | undefined {
  if (to < from) return 'order'
  return to > yearsAfter(from, maxPriceYears) ? 'length' : undefined
}

/** Both typed days of an address; neither unless they form a valid pair. */
function dateRange(from: unknown, to: unknown): { from: string; to: string } | undefined {
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** Parses the address of a price page; invalid values are dropped and never cause an error. */
export function readOutlookSearch(search: Readonly<Record<string, unknown>>): OutlookSearch {
  const idOf = (key: string) => (isId(search[key]) ? search[key] : undefined)
  const readChoice = <V extends string>(key: string, values: readonly V[]) =>
    values.find((value) => value === search[key])
  const { districts, date } = search
  const customDays = dateRange(search['from'], search['to'])
  const days = customDays && faultOfSpan(customDays) === undefined ? customDays : undefined
  const shownRange = dateRange(search['first'], search['last'])
  return {
    product: idOf('product'),
    region: idOf('region'),
    category: idOf('category'),
    districts: typeof districts === 'string' ? districts.split('-').filter(isId).slice(0, maxPriceLines) : [],
    market: search['market'] === 'wholesale' ? 'wholesale' : 'retail',
    date: isDay(date) ? date : undefined,
    span: readChoice('span', spans) ?? '180',
    ...days,
    ...(shownRange && { first: shownRange.from, last: shownRange.to }),
    window: readChoice('window', changeWindows) ?? '7',
    interval: readChoice('interval', reportIntervals),
    measure: readChoice('measure', priceMeasures) ?? 'median',
  }
}

/** Builds the address of a price page; defaults are left out. */
export function writeOutlookSearch({ districts, market, window, measure, span, ...otherFields }: OutlookSearch) {
  const params: Record<string, string> = {}
  for (const [key, value] of Object.entries(otherFields)) if (value !== undefined) params[key] = value
  if (districts.length > 0) params['districts'] = districts.join('-')
  if (market !== 'retail') params['market'] = market
  if (window !== '7') params['window'] = window
  if (span !== '180') params['span'] = span
  if (measure !== 'median') params['measure'] = measure
  return params
}

/** Search parameters whose change resets the magnified range of the chart. */
const spanKeys = ['span', 'from', 'to', 'interval'] as const

export interface OutlookState {
  search: OutlookSearch
  change: (outlookChange: Partial<OutlookSearch>) => void
  /** Magnifies a range of the chart without an entry in the browser's history. */
  show: (chartRange: { first: string; last: string } | undefined) => void
}

/** Reads and writes the address of a price page; each change is a history entry. */
export function useOutlookState(): OutlookState {
  const search = readOutlookSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const navigateTo = (searchChange: Partial<OutlookSearch>, replace: boolean) =>
    void navigate({ to: '.', search: writeOutlookSearch({ ...search, ...searchChange }), resetScroll: false, replace })
  return {
    search,
    change: (searchChange) => {
      const isOtherSpan = spanKeys.some((key) => key in searchChange)
      navigateTo(isOtherSpan ? { first: undefined, last: undefined, ...searchChange } : searchChange, false)
    },
    show: (shownRange) => navigateTo({ first: shownRange?.first, last: shownRange?.last }, true),
  }
}
