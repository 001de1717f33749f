/** Reads the queries of series, changes and exports; every fault is named at once (market §5). */
import {
  type ChangeWindow,
  changeWindows,
  isLocale,
  type Issue,
  type Locale,
  maxInteger,
  maxPriceLines,
  maxPriceYears,
  type PriceExportFormat,
  priceExportFormats,
  type PriceMeasure,
  priceMeasures,
  type ReportInterval,
  reportIntervals,
  unprocessable,
} from '@dala/model'
import type { QueryTree } from '../../../resources/read/parse-query.ts'
import { dayNow } from '../../../domain/market/report-day.ts'
import { isDay, isMarketType } from '../grid-read.ts'

/** Districts that one call may name. */
const maxDistricts = 60

/** The filters of all three calls; records are named by their ids on the wire. */
export interface OutlookFilters {
  product: number | undefined
  region: number | undefined
  districts: readonly number[] | undefined
  /** Products of this category and of those inside it. */
  category: number | undefined
  marketType: string
  locale: Locale
}

export interface SeriesQuery extends OutlookFilters {
  product: number
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

/** Reads keys one by one and collects what is wrong with them. */
class QueryReader {
  readonly #query: QueryTree
  readonly #issues: Issue[] = []

  constructor(query: QueryTree) {
    this.#query = query
  }

  wrong(name: string, code: Issue['code'], params: Issue['params'] = {}): void {
    this.#issues.push({ path: [name], code, params: { field: name, ...params } })
  }

  #raw(name: string): unknown {
    const value = this.#query[name]
    return value === '' ? undefined : value
  }

  #idIn(name: string, value: unknown): number {
    const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
    if (id < 1 || id > maxInteger) this.wrong(name, 'validation.relation')
    return id
  }

  id(name: string): number | undefined {
    const value = this.#raw(name)
    return value === undefined ? undefined : this.#idIn(name, value)
  }

  ids(name: string, max: number): number[] | undefined {
    const value = this.#raw(name)
    if (value === undefined) return undefined
    const list: unknown[] = Array.isArray(value) ? value : [value]
    if (list.length > max) {
      this.wrong(name, 'validation.maxItems', { max })
      return undefined
    }
    return list.map((item) => this.#idIn(name, item))
  }

  day(name: string): string | undefined {
    const value = this.#raw(name)
    if (value === undefined || isDay(value)) return value
    this.wrong(name, 'validation.date')
    return undefined
  }

  choice<V extends string>(name: string, values: readonly V[], usual: V): V {
    const value = this.#raw(name)
    const chosen = value === undefined ? usual : values.find((one) => one === value)
    if (chosen === undefined) this.wrong(name, 'validation.choice', { values: values.join(', ') })
    return chosen ?? usual
  }

  /** The days of a stretch in their order. */
  stretch(): { from: string | undefined; to: string | undefined } {
    const [from, to] = [this.day('from'), this.day('to')]
    if (from !== undefined && to !== undefined && to < from) this.wrong('to', 'rule.ascending', { than: 'from' })
    return { from, to }
  }

  filters(districts: number): OutlookFilters {
    const [marketType, locale] = [this.#raw('market_type') ?? 'retail', this.#raw('locale')]
    const isMarket = isMarketType(marketType)
    if (!isMarket) this.wrong('market_type', 'validation.choice')
    return {
      product: this.id('product'),
      region: this.id('region'),
      districts: this.ids('districts', districts),
      category: this.id('category'),
      marketType: isMarket ? marketType : '',
      locale: isLocale(locale) ? locale : 'en',
    }
  }

  /** @throws 422 with everything that is wrong */
  check(): void {
    if (this.#issues.length > 0) throw unprocessable(this.#issues)
  }
}

/** Whether the days are further apart than a series may cover; without a last day it ends today, by the clock of reports. */
function isTooLong(from: string, to = dayNow()): boolean {
  const last = new Date(`${from}T00:00:00Z`)
  last.setUTCFullYear(last.getUTCFullYear() + maxPriceYears)
  return to > last.toISOString().slice(0, 10)
}

/** Reads the query of a series. Throws 422. */
export function readSeriesQuery(query: QueryTree): SeriesQuery {
  const reader = new QueryReader(query)
  const { product, ...filters } = reader.filters(maxPriceLines)
  if (product === undefined) reader.wrong('product', 'validation.required')
  const stretch = reader.stretch()
  if (stretch.from !== undefined && isTooLong(stretch.from, stretch.to))
    reader.wrong('from', 'price.span', { years: maxPriceYears })
  const interval = reader.choice('interval', reportIntervals, 'day')
  const measure = reader.choice('measure', priceMeasures, 'median')
  reader.check()
  return { ...filters, category: undefined, product: product ?? 0, ...stretch, interval, measure }
}

/** Reads the query of changes. Throws 422. */
export function readChangesQuery(query: QueryTree): ChangesQuery {
  const reader = new QueryReader(query)
  const filters = reader.filters(maxDistricts)
  const date = reader.day('date')
  const window = reader.choice('window', changeWindows, '7')
  reader.check()
  return { ...filters, date, window }
}

/** Reads the query of an export: one `date`, or the days `from` and `to`. Throws 422. */
export function readExportQuery(query: QueryTree): ExportQuery {
  const reader = new QueryReader(query)
  const filters = reader.filters(maxDistricts)
  const date = reader.day('date')
  const { from, to } = reader.stretch()
  if (date === undefined && from === undefined) reader.wrong('date', 'validation.required')
  if (date === undefined && from !== undefined && to === undefined) reader.wrong('to', 'validation.required')
  const format = reader.choice('format', priceExportFormats, 'xlsx')
  const trail = reader.choice('trail', ['true', 'false'], 'false') === 'true'
  reader.check()
  return { ...filters, from: date ?? from ?? '', to: date ?? to ?? '', format, trail }
}
