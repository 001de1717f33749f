/** The filters of the chart, the changes, the map and the bulletin, as their address holds them. */
import {
  type ChangeWindow,
  changeWindows,
  maxPriceLines,
  type PriceMeasure,
  priceMeasures,
  type ReportInterval,
  reportIntervals,
} from '@dala/model'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Market } from '../price-grid.ts'

export const spans = ['90', '180', '365', '1095'] as const
type Span = (typeof spans)[number]

export interface OutlookSearch {
  product?: string | undefined
  region?: string | undefined
  category?: string | undefined
  /** Ids of at most six districts. */
  districts: readonly string[]
  market: Market
  date?: string | undefined
  /** Days of the chart. */
  span: Span
  window: ChangeWindow
  interval?: ReportInterval | undefined
  measure: PriceMeasure
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value)
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Reads the address; what it cannot mean is dropped, never an error. */
export function readOutlookSearch(search: Readonly<Record<string, unknown>>): OutlookSearch {
  const idOf = (key: string) => (isId(search[key]) ? search[key] : undefined)
  const oneOf = <V extends string>(key: string, values: readonly V[]) => values.find((value) => value === search[key])
  const { districts, date } = search
  return {
    product: idOf('product'),
    region: idOf('region'),
    category: idOf('category'),
    districts: typeof districts === 'string' ? districts.split('-').filter(isId).slice(0, maxPriceLines) : [],
    market: search['market'] === 'wholesale' ? 'wholesale' : 'retail',
    date: isDay(date) ? date : undefined,
    span: oneOf('span', spans) ?? '180',
    window: oneOf('window', changeWindows) ?? '7',
    interval: oneOf('interval', reportIntervals),
    measure: oneOf('measure', priceMeasures) ?? 'median',
  }
}

/** The address of a state; what is usual is left out. */
export function writeOutlookSearch({ districts, market, window, measure, span, ...rest }: OutlookSearch) {
  const written: Record<string, string> = {}
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) written[key] = value
  if (districts.length > 0) written['districts'] = districts.join('-')
  if (market !== 'retail') written['market'] = market
  if (window !== '7') written['window'] = window
  if (span !== '180') written['span'] = span
  if (measure !== 'median') written['measure'] = measure
  return written
}

export interface OutlookState {
  search: OutlookSearch
  change: (next: Partial<OutlookSearch>) => void
}

/** Reads and writes the address; each change is a step that Back undoes. */
export function useOutlookState(): OutlookState {
  const search = readOutlookSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    change: (next) =>
      void navigate({ to: '.', search: writeOutlookSearch({ ...search, ...next }), resetScroll: false }),
  }
}
