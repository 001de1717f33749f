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
const step = (id: string, summary: string): RouteDescription => ({
  group: 'Price dates',
  id: `pricedates.${id}`,
  summary,
  query: ['fields', 'populate'],
  body: json({
    type: 'object',
    properties: { data: { type: 'object', properties: { version: whole, allow_missing: { type: 'boolean' } } } },
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

const cell = exactly({
  product: whole,
  district: whole,
  id: orNull(whole),
  price: orNull(number),
  price_max: orNull(number),
  unit: orNull(whole),
  state: orNull(text),
  origin: orNull(text),
  flag: {},
  note: orNull(text),
  version: orNull(whole),
  prev: orNull(exactly({ price: number, unit: whole, date: text })),
  change_pct: orNull(number),
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
            districts: listOf(link),
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
            saved: listOf(exactly({ product: whole, district: whole, id: whole, version: whole })),
            rejected: listOf(
              exactly(
                {
                  product: whole,
                  district: whole,
                  code: text,
                  message: text,
                  params: { type: 'object' },
                  current: exactly({ price: orNull(number), price_max: orNull(number), version: whole }),
                },
                ['current'],
              ),
            ),
          }),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
    roles: staff,
  },
  'POST /api/pricedates/:id/submit': step('submit', 'Hand the prices of a day in to be checked'),
  'POST /api/pricedates/:id/publish': {
    ...step('publish', 'Publish the prices of a day'),
    details:
      'Not while prices need confirmation, nor by who entered prices that a second person must publish. With `allow_missing` the answer lists what the published day before has and this one has not.',
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
    refusals: [...refusals, 'price.unconfirmed', 'price.second-person'],
  },
  'POST /api/pricedates/:id/reopen': step('reopen', 'Take a published day back into work'),
}
