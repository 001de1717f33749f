/** The descriptions of the routes of prices over time and between districts. */
import {
  changeGaps,
  changeTolerance,
  changeWindows,
  type JsonSchema,
  maxPriceLines,
  maxPricePoints,
  maxPriceYears,
  priceBands,
  priceExportFormats,
  priceMeasures,
  reportIntervals,
  seasonLevels,
  usualBands,
} from '@dala/model'
import { type Descriptions, exactly, json, listOf } from '../../../http/description.ts'

const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const truth: JsonSchema = { type: 'boolean' }
const day: JsonSchema = { type: 'string', format: 'date' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })
const link = exactly({ id: whole, name: text })
const key = (name: string, description: string, schema: JsonSchema) => ({ name, description, schema })
const marketType = oneOf(['retail', 'wholesale'])

const filters = [
  key('product', 'Prices of this product', whole),
  key('region', 'Prices that belong to this region', whole),
  key('districts', 'Prices of these districts', listOf(whole)),
  key('category', 'Products of this category and of those inside it', whole),
  key('market_type', 'Retail when absent', marketType),
  'locale',
]
const roles = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const refusals = ['access.denied', 'request.unprocessable'] as const

const point = exactly({ t: day, value: orNull(number), n: whole, carried: truth, partial: truth })
const band = orNull(oneOf(priceBands))
const tolerance = Object.entries(changeTolerance).map(([window, days]) => `${window}: ${days}`)
const file = { type: 'string', format: 'binary' }

export const priceOutlookDescriptions: Descriptions = {
  'GET /api/pricelists/series': {
    group: 'Price lists',
    id: 'pricelists.series',
    summary: 'The price of a product over time',
    details: `A line for each of at most ${maxPriceLines} \`districts\`, else one for the region or the country. Values are in the base unit; an interval without a price is null. Prices that wait to be confirmed are left out. \`carried\`: there were only prices carried over; beside others those do not count. \`partial\`: the interval is cut or not over, or a price of it is not published. At most ${maxPricePoints} intervals and ${maxPriceYears} years.`,
    query: [
      ...filters.filter((filter) => typeof filter === 'string' || filter.name !== 'category'),
      key('from', 'The first day; 90 days before the last one when absent', day),
      key('to', 'The last day; today when absent', day),
      key('interval', 'A day when absent; weeks begin on Monday', oneOf(reportIntervals)),
      key('measure', 'What stands for several prices; the median when absent', oneOf(priceMeasures)),
    ],
    answers: {
      200: json(
        exactly({
          data: exactly({
            product: link,
            unit: orNull(link),
            lines: listOf(exactly({ district: orNull(link), region: orNull(link), points: listOf(point) })),
          }),
          meta: exactly({
            from: day,
            to: day,
            interval: oneOf(reportIntervals),
            measure: oneOf(priceMeasures),
            market_type: marketType,
          }),
        }),
      ),
    },
    refusals,
    roles,
  },
  'GET /api/pricelists/changes': {
    group: 'Price lists',
    id: 'pricelists.changes',
    summary: 'How prices have changed, product by district',
    details: `A price of the day against the newest one of a published day that is at least \`window\` days old, and at most some days older (${tolerance.join(', ')}). Carried prices and those that wait to be confirmed never make a change. \`gap\` is the reason for a change of null. Bands begin at ${usualBands.moving} and ${usualBands.sharp} percent, or where the category of the product says. \`season\`, for the window of 365 days and with two past years or more, is the growth over a quarter and a year against that of the same month of past years, in standard deviations (FAO). The furthest 1,000 changes; \`meta\` counts all.`,
    query: [
      key('date', 'The day; the last published one when absent', day),
      key('window', 'Days between the two prices; 7 when absent', oneOf(changeWindows)),
      ...filters,
    ],
    answers: {
      200: json(
        exactly({
          data: exactly({
            date: orNull(day),
            products: listOf(
              exactly({
                id: whole,
                name: orNull(text),
                unit: orNull(link),
                n: whole,
                low: orNull(number),
                median: orNull(number),
                high: orNull(number),
                low_district: orNull(whole),
                high_district: orNull(whole),
                change_pct: orNull(number),
                band,
              }),
            ),
            districts: listOf(
              exactly({
                id: whole,
                name: orNull(text),
                region: orNull(whole),
                lat: orNull(number),
                lng: orNull(number),
              }),
            ),
            rows: listOf(
              exactly({
                product: whole,
                district: whole,
                value: orNull(number),
                carried: truth,
                change_pct: orNull(number),
                band,
                base: orNull(exactly({ value: number, date: day })),
                gap: orNull(oneOf(changeGaps)),
                season: orNull(exactly({ value: number, level: oneOf(seasonLevels), years: whole })),
              }),
            ),
          }),
          meta: exactly({
            window: whole,
            market_type: marketType,
            total: whole,
            priced: whole,
            bands: exactly({ steady: whole, moving: whole, sharp: whole }),
            more: truth,
          }),
        }),
      ),
    },
    refusals,
    roles,
  },
  'GET /api/pricelists/export': {
    group: 'Price lists',
    id: 'pricelists.export',
    summary: 'Prices of some days as a file',
    details:
      'The prices that there are, by the filters of the other calls, as `POST /api/export` writes them: numbers, dates and texts that are never formulas. With `trail`, each price that was replaced stands on a second sheet, or in a csv file behind the prices, with the price that followed, who changed it, when, and the reason: for callers who may write prices.',
    query: [
      key('date', 'The day', day),
      key('from', 'Or the first of several days', day),
      key('to', 'And the last one', day),
      key('format', 'xlsx when absent', oneOf(priceExportFormats)),
      key('trail', 'Earlier prices too; false when absent', truth),
      ...filters,
    ],
    answers: {
      200: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file, 'text/csv': file },
    },
    refusals: [...refusals, 'query.too-large', 'export.too-many', 'auth.throttled', 'server.busy'],
    roles,
  },
}
