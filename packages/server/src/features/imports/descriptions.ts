/** What the routes of imports say of themselves (contract §12). */
import { type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, schemaRef } from '../../http/description.ts'

const group = 'Imports'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const reading: readonly ErrorCode[] = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
]

export const importDescriptions: Descriptions = {
  'GET /api/insert_excel': {
    group,
    id: 'insert_excel.list',
    summary: 'List imports',
    query: [
      { name: 'filters', description: 'Conditions', schema: schemaRef('insert_excel.Filters') },
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
            data: listOf(schemaRef('insert_excel.Entry')),
            meta: exactly({ pagination: schemaRef('Pagination') }),
            count: { ...whole, description: 'All matches; with `start` or `limit` only' },
          },
          ['count'],
        ),
      ),
    },
    refusals: reading,
    roles: staff,
  },
  'POST /api/insert_excel': {
    group,
    id: 'insert_excel.start',
    summary: 'Start an import from a sheet',
    details: 'An xlsx sheet by its content, 10 MB at most, without macros.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: {
      'multipart/form-data': {
        type: 'object',
        properties: {
          files: { type: 'string', format: 'binary' },
          kind: { ...text, description: 'The resource that the rows are records of' },
          date: { ...text, format: 'date', description: 'Of price lists: the day of the prices' },
        },
        required: ['files', 'kind'],
      },
    },
    answers: { 200: json(schemaRef('insert_excel.Single')) },
    refusals: [
      'access.denied',
      'query.parameter',
      'query.value',
      'request.unprocessable',
      'request.key-reused',
      'file.not-xlsx',
      'file.macros',
    ],
    roles: staff,
  },
}
