/** The contract of the price table of a day: its prices, their writes, and carried prices (market §5). */
import * as z from 'zod'
import type { FaultParams } from '../../errors/errors.ts'
import type { PriceFlag } from '../../prices/price-check.ts'
import { maxGridCells, maxGridDistricts, maxGridProducts, priceMarkets } from '../../prices/price-grid.ts'
import type { Contracts } from './contract.ts'
import {
  withSingleError,
  dataAnswer,
  day,
  dayKey,
  dayText,
  declaredSchema,
  id,
  idsKey,
  issue,
  languageKey,
  link,
  oneOf,
  optionalIdKey,
  whole,
} from './parts.ts'

const group = 'Price lists'
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const dayDescription = 'The day is given as `date` (`2026-03-01`), or as `pricedate`, the id of its record.'

const market = z.enum(priceMarkets)
const price = z.number().nullable()
const namedEntry = z.strictObject({ id: whole, name: z.string() })
/** Reason why a price waits for a review or a confirmation, stored with the price. */
const priceFlag = declaredSchema<PriceFlag>({ type: 'object' }).nullable()

const figures = { price, price_max: price }

const cell = z.strictObject({
  product: whole,
  district: whole,
  id: whole.nullable(),
  ...figures,
  unit: whole.nullable(),
  /** State of the price, `check` while it waits for a review or a confirmation. */
  state: z.string().nullable(),
  /** Origin of the price, `carried` until it is confirmed. */
  origin: z.string().nullable(),
  flag: priceFlag,
  note: z.string().nullable(),
  version: whole.nullable(),
  prev: z.strictObject({ price: z.number(), unit: whole, date: day }).nullable(),
  change_pct: price,
  late: z.boolean().nullable().describe('Whether the price was entered after its day; null without a price'),
})

const district = z.strictObject({
  id: whole,
  name: z.string(),
  /** Whether the district had no market on the day, so that no prices are missing. */
  no_market: z.boolean(),
})

const product = z.strictObject({ id: whole, name: z.string(), unit: namedEntry.nullable() })

const grid = z.strictObject({
  data: z.strictObject({
    pricedate: z.strictObject({ id: whole, date: day, state: z.string(), version: whole }),
    region: whole.nullable(),
    districts: z.array(district),
    products: z.array(product),
    cells: z.array(cell),
  }),
  meta: z.strictObject({ regions: z.array(namedEntry), categories: z.array(namedEntry), more: z.boolean() }),
})

/** Values of a price that are checked cell by cell: an invalid value rejects only its cell. */
const priceParameters = {
  price: declaredSchema<number | null>({ type: ['number', 'null'] }).optional(),
  price_max: declaredSchema<number | null>({ type: ['number', 'null'] }).optional(),
  unit: declaredSchema<number>({ type: 'integer', minimum: 0 }).optional(),
  note: declaredSchema<string | null>({ type: ['string', 'null'] }).optional(),
  /** Whether the user confirms a flagged price. */
  confirm: declaredSchema<boolean>({ type: 'boolean' }).optional(),
}

const writtenCell = z.object({
  product: id,
  district: id,
  ...priceParameters,
  /** Version of the price cell that the user saw, null for none; any version when absent. */
  version: id.nullish(),
})

/** The reason why a price cell is rejected or waits, and the probable intention. */
const cellFlag = {
  code: z.string(),
  message: z.string(),
  /** Parameters of a price cell's error message. */
  params: declaredSchema<FaultParams>({ type: 'object' }),
}
const suggestion = z.strictObject({ price: z.number(), price_max: price })

const savedCell = z.strictObject({
  product: whole,
  district: whole,
  id: whole,
  version: whole,
  state: z.string(),
  origin: z.string(),
  flag: priceFlag,
  code: cellFlag.code.optional(),
  message: cellFlag.message.optional(),
  params: cellFlag.params.optional(),
  suggestion: suggestion.optional(),
})

const rejectedCell = z.strictObject({
  product: whole,
  district: whole,
  ...cellFlag,
  suggestion: suggestion.optional(),
  /** The flag of a price that a published day accepts only with a confirmation. */
  flag: priceFlag.optional(),
  /** Present value of the price cell, when the sent version is outdated. */
  current: z.strictObject({ ...figures, version: whole }).optional(),
})

const savedCells = z.strictObject({ saved: z.array(savedCell), rejected: z.array(rejectedCell) })

const gridBody = z.object({
  date: dayText().optional(),
  pricedate: link().nullish(),
  market_type: market.default('retail'),
  cells: withSingleError(z.array(writtenCell).min(1).max(maxGridCells), 'validation.relation'),
})

const ids = (max: number) => withSingleError(z.array(id).max(max), 'validation.relation').nullish()

const carriedCell = z.strictObject({
  product: whole,
  district: whole,
  market_type: market,
  id: whole,
  version: whole,
  unit: whole,
  price: z.number(),
  price_max: price,
  state: z.string(),
  origin: z.string(),
})

const copyBody = z
  .object({
    from: dayText().nullish(),
    to: dayText(),
    districts: ids(maxGridDistricts),
    products: ids(maxGridProducts),
    market_type: market.optional(),
    only_empty: z.boolean().nullish(),
  })
  .check(({ value, issues }) => {
    if (typeof value.from === 'string' && value.from >= value.to)
      issues.push({ ...issue(value.from, 'report.order'), path: ['from'] })
  })

export const priceRoutes = {
  'GET /api/pricelists/grid': {
    group,
    id: 'pricelists.grid',
    summary: 'Get the prices of a day as a table of products and districts',
    details: `${dayDescription} A cell has a price of the day or of the previous published day (\`prev\`). \`change_pct\` compares the two, and is never computed from carried prices. Records are identified by the id of their first language, whatever the \`locale\` of the names. \`meta.more\` is true when there are more products than the answer contains; a category reduces their number.`,
    query: z.object({
      date: dayKey('The day'),
      pricedate: optionalIdKey('The id of the record of the day, in place of `date`'),
      region: optionalIdKey('Districts of this region; when absent, of the first region that has prices'),
      districts: idsKey(maxGridDistricts, 'These districts, in place of a region'),
      category: optionalIdKey('Products of this category and of its subcategories'),
      market_type: oneOf(priceMarkets, 'Kind of market; retail when absent'),
      locale: languageKey('Language of names; English when absent'),
    }),
    unprocessableQuery: true,
    answers: { 200: grid },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
    roles: { authenticated: 'bounded', ...staff },
  },
  'PUT /api/pricelists/grid': {
    group,
    id: 'pricelists.saveGrid',
    summary: 'Save cells of the price table',
    details: `${dayDescription} At most 500 cells; each is saved or rejected separately. \`price\` null removes a price. \`version\` is the version that the caller has seen, or null for a cell without a price; when it is absent, any present value is overwritten. A cell that another user has changed is rejected, with its present value as \`current\`.`,
    body: z.object({ data: gridBody }),
    answers: { 200: dataAnswer(savedCells) },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
    roles: staff,
  },
  'POST /api/pricelists/copy': {
    group,
    id: 'pricelists.copy',
    summary: 'Carry over prices of an earlier day',
    details:
      'Copies prices of the day `from` to the day `to`; when `from` is absent, of the previous published day. Only cells without a price are filled, unless `only_empty` is false. Carried prices are counted separately until each is entered or confirmed. Districts without a market on the day, and prices that wait for confirmation, are left out.',
    headers: ['idempotencyKey'],
    body: z.object({ data: copyBody }),
    answers: { 200: dataAnswer(z.strictObject({ cells: z.array(carriedCell) })) },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable', 'price.published', 'price.future'],
    roles: staff,
  },
} as const satisfies Contracts

export type GridAnswer = z.output<typeof grid>
export type GridCell = z.output<typeof cell>
export type GridDistrict = z.output<typeof district>
export type GridProduct = z.output<typeof product>
/** The query of the price table. */
export type GridQuery = z.output<(typeof priceRoutes)['GET /api/pricelists/grid']['query']>
/** The body that saves cells of the price table. */
export type GridBody = z.output<typeof gridBody>
export type WrittenCell = z.input<typeof writtenCell>
export type SavedCell = z.output<typeof savedCell>
export type RejectedCell = z.output<typeof rejectedCell>
export type SavedCells = z.output<typeof savedCells>
export type CarriedCell = z.output<typeof carriedCell>
export type CopyBody = z.output<typeof copyBody>
