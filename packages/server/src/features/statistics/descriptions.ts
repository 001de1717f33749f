/** What the routes of reports say of themselves (contract §12). */
import { type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const group = 'Reports'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const readers = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const refusals: readonly ErrorCode[] = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
]
const nobody = (id: string): RouteDescription => ({
  group,
  id: `statistics.${id}`,
  summary: 'Nothing: reports are part of the product',
  answers: {},
  refusals: ['route.not-found'],
})

export const statisticsDescriptions: Descriptions = {
  'GET /api/statistics': {
    group,
    id: 'statistics.list',
    summary: 'List the reports one may open',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('statistics.Filters') },
      'search',
      'sort',
      'fields',
      'populate',
      'pagination',
      { name: 'start', description: 'Rows to leave out before the page', schema: whole },
      { name: 'limit', description: 'Rows of the page, 15 when absent, 100 at most', schema: whole },
    ],
    answers: {
      200: json(
        exactly(
          {
            data: listOf(schemaRef('statistics.Entry')),
            meta: exactly({ pagination: schemaRef('Pagination') }),
            count: { ...whole, description: 'All matches; with `start` or `limit` only' },
          },
          ['count'],
        ),
      ),
    },
    refusals,
    roles: readers,
  },
  'GET /api/statistics/:id': {
    group,
    id: 'statistics.get',
    summary: 'Read a report by its key or its id',
    query: ['fields', 'populate'],
    answers: { 200: json(schemaRef('statistics.Single')) },
    refusals: [...refusals, 'record.not-found'],
    roles: readers,
  },
  'POST /api/statistics': nobody('create'),
  'PUT /api/statistics/:id': nobody('update'),
  'DELETE /api/statistics/:id': nobody('remove'),
}
