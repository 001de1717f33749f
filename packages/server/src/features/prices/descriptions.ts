/** What the steps of a price date say of themselves. */
import { type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const whole: JsonSchema = { type: 'integer', minimum: 0 }
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }

const refusals: readonly ErrorCode[] = [
  'access.denied',
  'record.not-found',
  'record.stale',
  'request.unprocessable',
  'state.step',
  'query.parameter',
  'query.value',
]
const allowances: Readonly<Record<string, JsonSchema>> = {
  allow_missing: { type: 'boolean' },
  allow_carried: { type: 'boolean' },
}
const step = (id: string, summary: string): RouteDescription => ({
  group: 'Price dates',
  id: `pricedates.${id}`,
  summary,
  query: ['fields', 'populate'],
  body: json({
    type: 'object',
    properties: { data: { type: 'object', properties: { version: whole, ...allowances } } },
  }),
  answers: { 200: json(schemaRef('pricedates.Single')) },
  refusals,
  roles: staff,
})

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const link = exactly({ id: whole, name: text })
const marketType: JsonSchema = { type: 'string', enum: ['retail', 'wholesale'] }
const byDay = 'The day by `date` (`2026-03-01`) or by the id of its record as `pricedate`.'
const key = (name: string, description: string, schema: JsonSchema) => ({ name, description, schema })

const suggestion = exactly({ price: number, price_max: orNull(number) })
const flag = orNull({ type: 'object' })
/** Why a price waits or is refused. */
const remark = { code: text, message: text, params: { type: 'object' }, suggestion } as const
const reviewCell = exactly({
  product: link,
  district: link,
  region: orNull(whole),
  market_type: text,
  price: orNull(number),
  prev: orNull(number),
})
const cell = exactly({
  product: whole,
  district: whole,
  id: orNull(whole),
  price: orNull(number),
  price_max: orNull(number),
  unit: orNull(whole),
  state: orNull(text),
  origin: orNull(text),
  flag,
  note: orNull(text),
  version: orNull(whole),
  prev: orNull(exactly({ price: number, unit: whole, date: text })),
  change_pct: orNull(number),
  late: orNull({ type: 'boolean', description: 'Whether the price was entered after its day; null without a price' }),
})

export const priceDescriptions: Descriptions = {
  'GET /api/pricelists/grid': {
    group: 'Price lists',
    id: 'pricelists.grid',
    summary: 'The prices of a day as a table, product by district',
    details: `${byDay} A cell stands for a price of the day or of the published day before (\`prev\`); \`change_pct\` compares the two, never carried prices. Documents are named by their first language's id, whatever the \`locale\` of the names. \`meta.more\`: there are more products than the answer holds; a category narrows them.`,
    query: [
      key('date', 'The day', { type: 'string', format: 'date' }),
      key('pricedate', 'Or the id of its record', whole),
      key('region', 'Districts of this region; the first region that has prices when absent', whole),
      key('districts', 'Or these districts', listOf(whole)),
      key('category', 'Products of this category and of those inside it', whole),
      key('market_type', 'Retail when absent', marketType),
      'locale',
    ],
    answers: {
      200: json(
        exactly({
          data: exactly({
            pricedate: exactly({ id: whole, date: text, state: text, version: whole }),
            region: orNull(whole),
            districts: listOf(exactly({ id: whole, name: text, no_market: { type: 'boolean' } })),
            products: listOf(exactly({ id: whole, name: text, unit: orNull(link) })),
            cells: listOf(cell),
          }),
          meta: exactly({ regions: listOf(link), categories: listOf(link), more: { type: 'boolean' } }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
    roles: { authenticated: 'bounded', ...staff },
  },
  'PUT /api/pricelists/grid': {
    group: 'Price lists',
    id: 'pricelists.saveGrid',
    summary: 'Save cells of the table',
    details: `${byDay} At most 500 cells, each saved or refused for itself. \`price\` null takes a price away. \`version\` is the one that was seen, null where there was none; absent: whatever is there is written over. A cell that a colleague has changed is refused with what stands there as \`current\`.`,
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['cells'],
          properties: {
            date: text,
            pricedate: whole,
            market_type: marketType,
            cells: {
              ...listOf({
                type: 'object',
                required: ['product', 'district'],
                properties: {
                  product: whole,
                  district: whole,
                  price: orNull(number),
                  price_max: orNull(number),
                  unit: whole,
                  note: orNull(text),
                  confirm: { type: 'boolean' },
                  version: orNull(whole),
                },
              }),
              minItems: 1,
              maxItems: 500,
            },
          },
        },
      },
    }),
    answers: {
      200: json(
        exactly({
          data: exactly({
            saved: listOf(
              exactly(
                {
                  product: whole,
                  district: whole,
                  id: whole,
                  version: whole,
                  state: text,
                  origin: text,
                  flag,
                  ...remark,
                },
                ['code', 'message', 'params', 'suggestion'],
              ),
            ),
            rejected: listOf(
              exactly(
                {
                  product: whole,
                  district: whole,
                  ...remark,
                  flag,
                  current: exactly({ price: orNull(number), price_max: orNull(number), version: whole }),
                },
                ['current', 'suggestion', 'flag'],
              ),
            ),
          }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
    roles: staff,
  },
  'POST /api/pricelists/copy': {
    group: 'Price lists',
    id: 'pricelists.copy',
    summary: 'Carry prices of a former day over',
    details:
      'From the day `from`, the published day before when absent, to the day `to`. Only places without a price, unless `only_empty` is false. Carried prices are counted apart until each is typed or confirmed. Districts without a market on the day and prices that wait for a confirmation are left out.',
    headers: ['idempotencyKey'],
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['to'],
          properties: {
            from: text,
            to: text,
            districts: listOf(whole),
            products: listOf(whole),
            market_type: marketType,
            only_empty: { type: 'boolean' },
          },
        },
      },
    }),
    answers: {
      200: json(
        exactly({
          data: exactly({
            cells: listOf(
              exactly({
                product: whole,
                district: whole,
                market_type: text,
                id: whole,
                version: whole,
                unit: whole,
                price: number,
                price_max: orNull(number),
                state: text,
                origin: text,
              }),
            ),
          }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable', 'price.published', 'price.future'],
    roles: staff,
  },
  'GET /api/pricedates/today': {
    group: 'Price dates',
    id: 'pricedates.today',
    summary: 'The day by the clock of reports, its progress, and the days that lack prices',
    details:
      '`missing` are days of the last two weeks whose weekday had published prices in at least half of eight weeks. `progress` counts the cells of today, and those of the published day before that today lacks; districts without a market are not counted; of the districts with missing or carried cells the first three are named. It is null for callers who may not write prices. A day without a record has no expected cells when its weekday had no published prices in eight weeks.',
    query: ['locale'],
    answers: {
      200: json(
        exactly({
          data: exactly({
            date: text,
            zone: text,
            offset_minutes: { type: 'integer' },
            missing: listOf(text),
            progress: orNull(
              exactly({
                pricedate: orNull(whole),
                state: orNull(text),
                expected: whole,
                entered: whole,
                carried: whole,
                missing: whole,
                districts: listOf(exactly({ id: whole, name: text, count: whole })),
                districts_count: whole,
              }),
            ),
          }),
        }),
      ),
    },
    refusals: ['access.denied'],
    roles: { authenticated: 'bounded', ...staff },
  },
  'GET /api/pricedates/:id/review': {
    group: 'Price dates',
    id: 'pricedates.review',
    summary: 'What stands between a day and its publishing',
    query: ['locale'],
    answers: {
      200: json(
        exactly({
          data: exactly({
            counts: exactly({
              expected: whole,
              entered: whole,
              confirm: whole,
              look: whole,
              missing: whole,
              carried: whole,
            }),
            confirm: listOf(reviewCell),
            look: listOf(reviewCell),
            missing: listOf(reviewCell),
            carried: listOf(reviewCell),
            gaps: listOf(
              exactly({
                district: link,
                region: orNull(whole),
                count: whole,
              }),
            ),
          }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found'],
    roles: staff,
  },
  'POST /api/pricedates/:id/submit': step('submit', 'Hand the prices of a day in to be checked'),
  'POST /api/pricedates/:id/publish': {
    ...step('publish', 'Publish the prices of a day'),
    details:
      'Not while prices need confirmation, nor by who entered prices that a second person must publish. With `allow_missing` the answer lists what the published day before has and this one has not; `allow_missing` or `allow_carried` false refuses a day with such gaps or with carried prices, and lists them.',
    answers: {
      200: json(
        exactly({
          data: schemaRef('pricedates.Entry'),
          meta: exactly(
            { missing: listOf(exactly({ product: whole, district: whole, market_type: { type: 'string' } })) },
            ['missing'],
          ),
        }),
      ),
    },
    refusals: [...refusals, 'price.unconfirmed', 'price.second-person', 'price.incomplete'],
  },
  'POST /api/pricedates/:id/reopen': step('reopen', 'Take a published day back into work'),
}
