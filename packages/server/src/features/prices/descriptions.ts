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

export const priceDescriptions: Descriptions = {
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
