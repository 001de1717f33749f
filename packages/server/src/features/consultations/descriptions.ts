/** What the routes of consultations beside the generic ones say of themselves. */
import { type ErrorCode, type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const group = 'Consultations'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const wireId: JsonSchema = { type: 'integer', minimum: 1 }
const named = exactly({ id: wireId, name: text })
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
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
  'GET /api/consultations/public': {
    group,
    id: 'consultations.public',
    summary: 'List the answers that the desk has published, newest first',
    details: 'Names, numbers and addresses of the person who asked are masked in question and answer.',
    query: [
      { name: 'category', description: 'Id of a category', schema: wireId },
      { name: 'region', description: 'Id of a region', schema: wireId },
      { name: 'language', description: 'Language of the question', schema: { enum: [...locales] } },
      'pagination',
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              id: wireId,
              question: text,
              answer: text,
              category: orNull(named),
              region: orNull(named),
              language: orNull({ enum: [...locales] }),
              answered_at: { type: 'string', format: 'date-time' },
            }),
          ),
          meta: exactly({ pagination: schemaRef('Pagination') }),
        }),
      ),
    },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'query.pagination', 'query.pagination-mixed'],
    roles: { authenticated: 'all', consultant: 'all', admin: 'all', 'super-admin': 'all', owner: 'all' },
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
