/** The contract of prices over time and between districts (market §4, §5). */
import * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import { priceMarkets } from '../../prices/price-grid.ts'
import {
  changeGaps,
  changeTolerance,
  changeWindows,
  maxOutlookDistricts,
  maxPriceLines,
  maxPricePoints,
  maxPriceYears,
  priceBands,
  priceExportFormats,
  priceMeasures,
  seasonLevels,
  usualBands,
} from '../../prices/price-outlook.ts'
import { reportIntervals } from '../reports.ts'
import type { Contracts } from './contract.ts'
import {
  day,
  dayKey,
  idsKey,
  issue,
  languageKey,
  oneOf,
  optionalIdKey,
  optionalKey,
  whole,
  writtenLanguageKey,
} from './parts.ts'

const group = 'Price lists'
const roles = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const refusals = ['access.denied', 'request.unprocessable'] as const satisfies readonly ErrorCode[]

const namedEntry = z.strictObject({ id: whole, name: z.string() })
const number = z.number().nullable()
const market = z.enum(priceMarkets)
const tolerance = Object.entries(changeTolerance).map(([window, days]) => `${window}: ${days}`)

/** Filters of a price chart, with records by their wire ids. */
const filters = (districts: number) => ({
  product: optionalIdKey('Prices of this product'),
  region: optionalIdKey('Prices that belong to this region'),
  districts: idsKey(districts, 'Prices of these districts'),
  category: optionalIdKey('Products of this category and of its subcategories'),
  market_type: oneOf(priceMarkets, 'Kind of market; retail when absent'),
  locale: languageKey('Language of names; English when absent'),
})
const { category: _category, ...seriesFilters } = filters(maxPriceLines)

interface DayRange {
  value: { from?: string | undefined; to?: string | undefined }
  issues: z.core.$ZodRawIssue[]
}

/** Rejects a period whose days are in the wrong order. */
function checkDayOrder({ value: { from, to }, issues }: DayRange): void {
  if (from !== undefined && to !== undefined && to < from)
    issues.push({ ...issue(to, 'rule.ascending', { than: 'from' }), path: ['to'] })
}

const point = z.strictObject({
  /** First day of the interval of a price chart's point. */
  t: day,
  /** Price of the base unit in a price chart's point; null where no price is known. */
  value: number,
  /** Number of prices in the value of a price chart's point. */
  n: whole,
  /** Whether all prices of a price chart's point were carried over. */
  carried: z.boolean(),
  /**
   * Whether the interval of a price chart's point is cut or not over, or has a price that is not published.
   */
  partial: z.boolean(),
})

/** One line of a price chart: a district, a region, or the whole country. */
const line = z.strictObject({ district: namedEntry.nullable(), region: namedEntry.nullable(), points: z.array(point) })

const series = z.strictObject({
  product: namedEntry,
  /** Base unit of a price chart's values; null where the unit of the product has no base. */
  unit: namedEntry.nullable(),
  lines: z.array(line),
})

const seriesAnswer = z.strictObject({
  data: series,
  meta: z.strictObject({
    from: day,
    to: day,
    interval: z.enum(reportIntervals),
    measure: z.enum(priceMeasures),
    market_type: market,
  }),
})

const season = z.strictObject({
  /** Deviation of the price growth from that of the same month in past years, in standard deviations. */
  value: z.number(),
  level: z.enum(seasonLevels),
  /** Number of past years that the growth of the price is compared with. */
  years: whole,
})

const priceBand = z.enum(priceBands).nullable()

const change = z.strictObject({
  product: whole,
  district: whole,
  /** Price of the base unit on the earlier day of a price change. */
  value: number,
  carried: z.boolean(),
  change_pct: number,
  band: priceBand,
  /** Earlier price that the present price is compared with. */
  base: z.strictObject({ value: z.number(), date: day }).nullable(),
  /** Reason why the price change is missing. */
  gap: z.enum(changeGaps).nullable(),
  season: season.nullable(),
})

const changedProduct = z.strictObject({
  id: whole,
  name: z.string(),
  unit: namedEntry.nullable(),
  /** Number of districts with their own price of the product, neither carried over nor unconfirmed. */
  n: whole,
  low: number,
  median: number,
  high: number,
  /** Ids of the districts with the lowest and the highest price of the product. */
  low_district: whole.nullable(),
  high_district: whole.nullable(),
  /** Median of the product's price changes, in per cent. */
  change_pct: number,
  band: priceBand,
})

const changedDistrict = z.strictObject({
  id: whole,
  name: z.string(),
  region: whole.nullable(),
  lat: number,
  lng: number,
})

const changes = z.strictObject({
  date: day.nullable(),
  products: z.array(changedProduct),
  districts: z.array(changedDistrict),
  /** Price changes, the largest first. */
  rows: z.array(change),
})

const changesMeta = z.strictObject({
  window: whole,
  market_type: market,
  /** Number of pairs of product and district in the list of price changes. */
  total: whole,
  /** Number of pairs of product and district with a price on the day, including carried prices. */
  priced: whole,
  bands: z.strictObject({ steady: whole, moving: whole, sharp: whole }),
  /** Whether there are more price changes than the answer contains. */
  more: z.boolean(),
})

const changesAnswer = z.strictObject({ data: changes, meta: changesMeta })

const file = { type: 'string', format: 'binary' } as const

const seriesQuery = z
  .object({
    ...seriesFilters,
    from: dayKey('The first day; 90 days before the last one when absent'),
    to: dayKey('The last day; today when absent'),
    interval: oneOf(reportIntervals, 'Length of an interval; a day when absent. Weeks begin on Monday'),
    measure: oneOf(priceMeasures, 'The value that represents several prices; the median when absent'),
  })
  .check(checkDayOrder)
  .check(({ value, issues }) => {
    if (value.product === undefined) issues.push({ ...issue(undefined, 'validation.required'), path: ['product'] })
  })

const changesQuery = z.object({
  date: dayKey('The day; the last published one when absent'),
  window: oneOf(changeWindows, 'Days between the two prices; 7 when absent'),
  ...filters(maxOutlookDistricts),
})

const trail = optionalKey<boolean | 'true' | 'false', boolean>(
  (rawValue) => (rawValue === 'true' ? true : rawValue === 'false' ? false : undefined),
  'validation.choice',
  { type: 'boolean', description: 'Whether earlier prices are included; false by default' },
  { values: 'true, false' },
)

const exportQuery = z
  .object({
    date: dayKey('The day'),
    from: dayKey('The first of several days, in place of `date`'),
    to: dayKey('The last of several days, together with `from`'),
    format: oneOf(priceExportFormats, 'xlsx when absent'),
    trail,
    ...filters(maxOutlookDistricts),
    locale: writtenLanguageKey('Language of names and of the headings; English when absent'),
  })
  .check(checkDayOrder)
  .check(({ value: { date, from, to }, issues }) => {
    if (date !== undefined) return
    if (from === undefined) issues.push({ ...issue(undefined, 'validation.required'), path: ['date'] })
    else if (to === undefined) issues.push({ ...issue(undefined, 'validation.required'), path: ['to'] })
  })

export const priceOutlookRoutes = {
  'GET /api/pricelists/series': {
    group,
    id: 'pricelists.series',
    summary: 'Get the price of a product over time',
    details: `There is a line for each of the \`districts\`, at most ${maxPriceLines}, or otherwise one line for the region or the country. Values are in the base unit; an interval without a price is null. Prices that wait for confirmation are left out. \`carried\` is true when all prices of the interval were carried over; if there are others, carried prices do not count. \`partial\` is true when the interval is cut or not over, or when one of its prices is not published. At most ${maxPricePoints} intervals and ${maxPriceYears} years.`,
    query: seriesQuery,
    unprocessableQuery: true,
    answers: { 200: seriesAnswer },
    refusals,
    roles,
  },
  'GET /api/pricelists/changes': {
    group,
    id: 'pricelists.changes',
    summary: 'Get changes of prices by product and district',
    details: `Compares a price of the day with the newest price of a published day that is at least \`window\` days older. That day may exceed the window by a few days (${tolerance.join(', ')}). Carried prices and prices that wait for confirmation are never compared. \`gap\` is the reason when \`change_pct\` is null. Bands begin at ${usualBands.moving} and ${usualBands.sharp} percent, unless the category of the product has other limits. \`season\` compares the growth over a quarter and a year with that of the same month in past years, in standard deviations (FAO). It exists for the window of 365 days when there are at least two past years. The answer contains the 1,000 largest changes; \`meta\` counts all.`,
    query: changesQuery,
    unprocessableQuery: true,
    answers: { 200: changesAnswer },
    refusals,
    roles,
  },
  'GET /api/pricelists/export': {
    group,
    id: 'pricelists.export',
    summary: 'Export the prices of several days',
    details:
      'Contains existing prices; the filters are those of the other calls. Cells are written as by `POST /api/export`: numbers, dates, and texts that are never formulas. With `trail`, each replaced price is listed with the price that followed, the user who changed it, the time and the reason. The trail is on a second sheet, or after the prices in a CSV file. It is only for callers who may write prices.',
    query: exportQuery,
    unprocessableQuery: true,
    answers: {
      200: {
        media: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file, 'text/csv': file },
      },
    },
    refusals: [...refusals, 'query.too-large', 'export.too-many', 'auth.throttled', 'server.busy'],
    roles,
  },
} as const satisfies Contracts

export type PricePoint = z.output<typeof point>
export type PriceLine = z.output<typeof line>
export type PriceSeries = z.output<typeof series>
export type SeriesAnswer = z.output<typeof seriesAnswer>
export type PriceSeason = z.output<typeof season>
export type PriceChange = z.output<typeof change>
export type ChangedProduct = z.output<typeof changedProduct>
export type ChangedDistrict = z.output<typeof changedDistrict>
export type PriceChanges = z.output<typeof changes>
export type PriceChangesMeta = z.output<typeof changesMeta>
export type ChangesAnswer = z.output<typeof changesAnswer>
export type SeriesRequest = z.output<typeof seriesQuery>
export type PriceChangesRequest = z.output<typeof changesQuery>
export type PriceExportRequest = z.output<typeof exportQuery>
