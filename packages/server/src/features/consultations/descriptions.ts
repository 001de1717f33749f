/** What the routes of consultations beside the generic ones say of themselves. */
import { type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const group = 'Consultations'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const single = json(schemaRef('consultations.Single'))
const everybody = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

const refusals: readonly ErrorCode[] = [
  'access.denied',
  'record.not-found',
  'record.stale',
  'request.unprocessable',
  'state.step',
  'query.parameter',
  'query.value',
]
const step = (
  id: string,
  summary: string,
  details: string,
  properties: Record<string, JsonSchema>,
): RouteDescription => ({
  group,
  id: `consultations.${id}`,
  summary,
  details,
  query: ['fields', 'populate'],
  body: json({
    type: 'object',
    properties: { data: { type: 'object', properties: { ...properties, version: whole } } },
  }),
  answers: { 200: single },
  refusals,
  roles: everybody,
})

export const consultationDescriptions: Descriptions = {
  'GET /api/consultations': {
    group,
    id: 'consultations.list',
    summary: 'List consultations, with the counts of the panel’s filters',
    details: 'The counts are of all rows one may read, whatever the filters of the query say.',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('consultations.Filters') },
      'search',
      'sort',
      'fields',
      'populate',
      'relatedLocale',
      'pagination',
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(schemaRef('consultations.Entry')),
          meta: exactly({
            pagination: schemaRef('Pagination'),
            counts: exactly({ all: whole, finished: whole, unfinished: whole, replayed: whole, unreplayed: whole }),
          }),
        }),
      ),
    },
    refusals: [
      'access.denied',
      'query.parameter',
      'query.operator',
      'query.value',
      'query.direction',
      'query.pagination',
      'query.pagination-mixed',
    ],
    roles: everybody,
  },
  'POST /api/consultations/:id/finish': {
    ...step('finish', 'Finish a consultation', 'Without an answer it takes a reason.', { reason: text }),
    refusals: [...refusals, 'state.reason'],
  },
  'POST /api/consultations/:id/reopen': {
    ...step('reopen', 'Open a finished consultation again', 'Who asked may do so for 14 days.', { reason: text }),
    refusals: [...refusals, 'state.reason'],
  },
  'POST /api/consultations/:id/assign': {
    ...step(
      'assign',
      'Give a consultation to a consultant, or to nobody',
      'A consultant takes what nobody has. When `from` is not the owner any more, 409 names the present one.',
      { to: {}, from: {}, note: text },
    ),
    refusals: [...refusals, 'desk.taken', 'desk.no-consultant'],
  },
}
