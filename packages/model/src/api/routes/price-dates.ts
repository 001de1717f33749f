/** The contract of price days: today, the obstacles to publishing, and the steps (market §5, §6). */
import * as z from 'zod'
import { maxInteger } from '../../fields/value-kinds.ts'
import { priceMarkets } from '../../prices/price-grid.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, day, entryOf, languageKey, optionalData, recordAnswer, stepRefusals, whole } from './parts.ts'

const group = 'Price dates'
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const query = z.object({ locale: languageKey('The language of names') })

const namedEntry = z.strictObject({ id: whole, name: z.string() })
const price = z.number().nullable()

/** The price cells of today: the present ones, and the missing ones of the last published day. */
const progress = z.strictObject({
  /** Record of the price date; null before the first price is entered. */
  pricedate: whole.nullable(),
  state: z.string().nullable(),
  expected: whole,
  entered: whole,
  carried: whole,
  missing: whole,
  /** At most three districts with the most price cells that are missing or only carried over. */
  districts: z.array(z.strictObject({ id: whole, name: z.string(), count: whole })),
  /** Number of districts with price cells that are missing or only carried over. */
  districts_count: whole,
})

const today = z.strictObject({
  /** The present day in the zone of TIME_ZONE. */
  date: day,
  zone: z.string(),
  /** Minutes by which the zone of TIME_ZONE is now ahead of UTC. */
  offset_minutes: z.int(),
  /** Unpublished days on which prices are usual, newest first. */
  missing: z.array(day),
  /** Progress of the price day; null for callers who may not write prices. */
  progress: progress.nullable(),
})

/** A price cell of the day by the names of its product and district, with the region. */
const reviewCell = z.strictObject({
  product: namedEntry,
  district: namedEntry,
  region: whole.nullable(),
  market_type: z.enum(priceMarkets),
  price,
  prev: price,
})

const review = z.strictObject({
  counts: z.strictObject({
    expected: whole,
    entered: whole,
    confirm: whole,
    look: whole,
    missing: whole,
    carried: whole,
  }),
  confirm: z.array(reviewCell),
  look: z.array(reviewCell),
  missing: z.array(reviewCell),
  carried: z.array(reviewCell),
  /** Districts with the most missing price cells, and the number of these cells. */
  gaps: z.array(z.strictObject({ district: namedEntry, region: whole.nullable(), count: whole })),
})

const gap = z.strictObject({ product: whole, district: whole, market_type: z.enum(priceMarkets) })

const stepBody = optionalData({
  version: whole.max(maxInteger).nullish(),
  allow_missing: z.boolean().nullish(),
  allow_carried: z.boolean().nullish(),
})

const step = <const Id extends string>(name: Id, summary: string) =>
  ({
    group,
    id: `pricedates.${name}`,
    summary,
    shared: ['fields', 'populate'],
    body: stepBody,
    answers: { 200: recordAnswer('pricedates') },
    refusals: stepRefusals,
    roles: staff,
  }) as const

export const priceDateRoutes = {
  'GET /api/pricedates/today': {
    group,
    id: 'pricedates.today',
    summary: 'Get the current day of prices, its progress, and days without prices',
    details:
      '`missing` lists days of the last two weeks without published prices, if their weekday had published prices in at least half of the eight weeks before. `progress` counts the cells of today, and the cells of the previous published day that today lacks. Districts without a market are not counted. The three districts with the most missing or carried cells are named. `progress` is null for callers who may not write prices. A day without a record has no expected cells when its weekday had no published prices in eight weeks.',
    query,
    answers: { 200: dataAnswer(today) },
    refusals: ['access.denied'],
    roles: { authenticated: 'bounded', ...staff },
  },
  'GET /api/pricedates/:id/review': {
    group,
    id: 'pricedates.review',
    summary: 'List the obstacles to publishing a day',
    query,
    answers: { 200: dataAnswer(review) },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'POST /api/pricedates/:id/submit': step('submit', 'Submit the prices of a day for review'),
  'POST /api/pricedates/:id/publish': {
    ...step('publish', 'Publish the prices of a day'),
    details:
      'Refused while prices need confirmation, and for a caller who entered prices that a second person must publish. With `allow_missing` true, the answer lists the cells of the previous published day that this day lacks. With `allow_missing` false, a day with such gaps is refused; with `allow_carried` false, a day with carried prices is refused. The refusal lists these cells.',
    answers: {
      200: z.strictObject({
        data: entryOf('pricedates'),
        meta: z.strictObject({ missing: z.array(gap).optional() }),
      }),
    },
    refusals: [...stepRefusals, 'price.unconfirmed', 'price.second-person', 'price.incomplete'],
  },
  'POST /api/pricedates/:id/reopen': step('reopen', 'Reopen a published day'),
} as const satisfies Contracts

export type DayProgress = z.output<typeof progress>
export type PriceToday = z.output<typeof today>
export type PriceReview = z.output<typeof review>
export type PriceReviewCell = z.output<typeof reviewCell>
/** The body of a call that moves a price date to its next state. */
export type StepBody = z.output<typeof stepBody>['data']
