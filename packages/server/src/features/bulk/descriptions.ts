/** What the routes of work on many records say of themselves. */
import { type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type RouteDescription } from '../../http/description.ts'

const id: JsonSchema = { type: 'integer', minimum: 1 }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const moment: JsonSchema = { type: 'string', format: 'date-time' }
const anything: JsonSchema = { type: 'object' }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const kindIs = (kind: string) => ({ const: kind })
const ids: JsonSchema = { ...listOf(id), minItems: 1, maxItems: 1_000 }
const mode: JsonSchema = { enum: ['each', 'all'] }

const ofAll = [
  exactly({ kind: kindIs('set'), values: anything }),
  exactly({ kind: { enum: ['connect', 'disconnect'] }, field: text, ids }),
  exactly({ kind: kindIs('remove') }),
]
const row = exactly({ id, version: orNull(id), values: anything }, ['version'])
const asked: JsonSchema = {
  oneOf: [
    ...ofAll,
    exactly({ kind: kindIs('edit'), rows: { ...listOf(row), minItems: 1, maxItems: 1_000 } }),
    exactly({ kind: kindIs('order'), ids }),
  ],
}
const stored: JsonSchema = { oneOf: [...ofAll, exactly({ kind: { enum: ['edit', 'order', 'undo'] } })] }

const job = exactly(
  {
    id,
    resource: text,
    action: stored,
    mode,
    dryRun: { type: 'boolean' },
    state: { enum: ['waiting', 'running', 'finished', 'refused', 'stopped', 'failed', 'undoing', 'undone'] },
    code: { type: 'string', description: 'Why it stopped or failed' },
    undoes: { ...id, description: 'The job that it takes back' },
    count,
    done: count,
    changed: count,
    unchanged: count,
    refused: count,
    canUndo: { type: 'boolean' },
    createdAt: moment,
    startedAt: orNull(moment),
    finishedAt: orNull(moment),
  },
  ['code', 'undoes'],
)
const one = json(exactly({ data: job, meta: exactly({}) }))
const list = (items: JsonSchema) =>
  json(exactly({ data: listOf(items), meta: exactly({ pagination: { type: 'object' } }) }))
const issue = exactly({ path: listOf({}), message: text, name: text, code: text, params: anything }, ['params'])
const change = exactly({ before: {}, after: {} })
const outcome = exactly(
  {
    id,
    name: orNull(text),
    outcome: { enum: ['changed', 'unchanged', 'refused'] },
    code: text,
    message: text,
    params: anything,
    issues: listOf(issue),
    changes: { type: 'object', additionalProperties: change },
  },
  ['code', 'message', 'params', 'issues', 'changes'],
)

const group = 'Many records'
const pages: readonly ErrorCode[] = ['query.pagination', 'query.pagination-mixed', 'query.parameter']
const step = (name: string, summary: string, details: string): RouteDescription => ({
  group,
  id: `bulk.${name}`,
  summary,
  details,
  answers: { 200: one },
  refusals: ['record.not-found'],
})

export const bulkDescriptions: Descriptions = {
  'POST /api/bulk': {
    group,
    id: 'bulk.start',
    summary: 'Change, link, delete or order many records',
    details:
      'The records by their ids, or by the query of a list and how many rows its reader saw: when it has another number now, 409 says so before anything changes. `edit` has values for each record, `order` puts records into the order of the list. Every row has its own rights, rules and revision. `each` lists refused rows and does the others; `all` does nothing when one is refused. `dryRun` does the same and takes it back. Up to 200 rows are done within the call (200), more in the background (202).',
    headers: ['idempotencyKey'],
    body: json({
      type: 'object',
      required: ['data'],
      properties: {
        data: exactly(
          {
            resource: text,
            action: asked,
            selection: {
              oneOf: [
                exactly({ ids }),
                exactly({
                  query: {
                    type: 'object',
                    properties: {
                      filters: anything,
                      _q: text,
                      locale: text,
                      fallback: { type: 'boolean' },
                      missing_locale: text,
                      outdated_locale: text,
                    },
                    additionalProperties: false,
                  },
                  count,
                }),
              ],
            },
            mode,
            dryRun: { type: 'boolean' },
          },
          ['selection', 'mode', 'dryRun'],
        ),
      },
    }),
    answers: { 200: one, 202: one },
    refusals: [
      'access.denied',
      'bulk.count-differs',
      'bulk.too-many',
      'bulk.busy',
      'record.fixed',
      'query.parameter',
      'query.operator',
      'query.value',
      'query.too-large',
      'request.unprocessable',
      'request.key-reused',
    ],
  },
  'GET /api/bulk': {
    group,
    id: 'bulk.list',
    summary: 'One’s own jobs, newest first',
    query: ['pagination'],
    answers: { 200: list(job) },
    refusals: pages,
  },
  'GET /api/bulk/:id': {
    group,
    id: 'bulk.get',
    summary: 'A job and how far it is',
    details: 'Who did not start it, and is not the owner, does not find it.',
    answers: { 200: one },
    refusals: ['record.not-found'],
  },
  'GET /api/bulk/:id/rows': {
    group,
    id: 'bulk.rows',
    summary: 'What became of each row',
    details: 'Links in `changes` are `{id, name}` in the reader’s language, or lists of them.',
    query: [
      'pagination',
      {
        name: 'outcome',
        description: 'Rows of this outcome only',
        schema: { enum: ['changed', 'unchanged', 'refused'] },
      },
    ],
    answers: { 200: list(outcome) },
    refusals: ['record.not-found', 'access.denied', ...pages],
  },
  'POST /api/bulk/:id/stop': step(
    'stop',
    'Stop a job',
    'What is done stays done and can be taken back. A job that has ended is answered as it is.',
  ),
  'POST /api/bulk/:id/undo': {
    ...step(
      'undo',
      'Take back what a job changed',
      'A job of its own, answered like the start of one. Records that somebody changed since stay as they are: `bulk.changed-since` in their rows. Once, and within 30 days.',
    ),
    headers: ['idempotencyKey'],
    answers: { 200: one, 202: one },
    refusals: ['record.not-found', 'access.denied', 'bulk.no-undo', 'bulk.busy', 'request.key-reused'],
  },
}
