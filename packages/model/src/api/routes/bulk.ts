/** Contracts of bulk edits: started, followed, stopped and undone. */
import * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import { scriptLocales, scripts } from '../../text/script/scripts.ts'
import { bulkModes, bulkOutcomes, bulkStates, maxBulkRecords, maxBulkTexts } from '../bulk.ts'
import type { Contracts } from './contract.ts'
import { id, issue, moment, oneOf, pagination, whole, wireIssue, answerWithMeta } from './parts.ts'

const group = 'Many records'
const anyObject = z.record(z.string(), z.unknown())
const hasUniqueIds = (ids: readonly number[]) => new Set(ids).size === ids.length

const ids = z
  .array(id)
  .min(1)
  .max(maxBulkRecords)
  .check(({ value, issues }) => {
    if (!hasUniqueIds(value)) issues.push(issue(value, 'validation.relation'))
  })
  .readonly()
const values = anyObject.check((payload) => {
  if (Object.keys(payload.value).length === 0) payload.issues.push(issue(payload.value, 'validation.required'))
})
const setAction = z.object({ kind: z.literal('set'), values })
const linkAction = z.object({ kind: z.enum(['connect', 'disconnect']), field: z.string(), ids })
const remove = z.object({ kind: z.literal('remove') })
const script = {
  kind: z.literal('script'),
  locale: z.enum(scriptLocales),
  script: z.enum(scripts),
  fields: z.array(z.string().max(63)).min(1).max(maxBulkTexts).readonly(),
}
const rows = z
  .array(z.object({ id, version: id.nullish(), values: anyObject }))
  .min(1)
  .max(maxBulkRecords)
  .check(({ value, issues }) => {
    if (!hasUniqueIds(value.map((row) => row.id))) issues.push(issue(value, 'validation.relation'))
  })
  .readonly()

const bulkAction = z.discriminatedUnion('kind', [
  setAction,
  linkAction,
  remove,
  z.object(script),
  z.object({ kind: z.literal('edit'), rows }),
  z.object({ kind: z.literal('order'), ids }),
])

/** The part of a list's query that selects records; the query engine parses it. */
const listQuery = anyObject.meta({
  properties: {
    filters: { type: 'object' },
    _q: { type: 'string' },
    locale: { type: 'string' },
    fallback: { type: 'boolean' },
    missing_locale: { type: 'string' },
    outdated_locale: { type: 'string' },
  },
  additionalProperties: false,
})

/** Records by their ids, or a whole list with the number of records that the user saw. */
const selection = z.union([z.object({ query: listQuery, count: whole }), z.object({ ids })])

const bulkOrder = z.object({
  resource: z.string(),
  action: bulkAction,
  selection: selection.optional(),
  mode: z.enum(bulkModes).nullish(),
  dryRun: z.boolean().nullish(),
})

/** The stored action of a bulk edit; rows with their own values are stored as rows. */
const storedAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set'), values: anyObject }),
  z.strictObject({ kind: z.enum(['connect', 'disconnect']), field: z.string(), ids: z.array(id).readonly() }),
  z.strictObject({ kind: z.enum(['remove', 'edit', 'order', 'undo']) }),
  z.strictObject(script),
])

const job = z.strictObject({
  id,
  resource: z.string(),
  action: storedAction,
  mode: z.enum(bulkModes),
  dryRun: z.boolean(),
  state: z.enum(bulkStates),
  code: z.string().describe('Why the job stopped or failed').optional(),
  undoes: id.describe('Id of the job that this job undoes').optional(),
  count: whole,
  done: whole,
  changed: whole,
  unchanged: whole,
  refused: whole,
  changedFields: whole.describe('Number of values that the job has changed, of all its rows'),
  canUndo: z.boolean(),
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
})

const row = z.strictObject({
  id,
  name: z.string().nullable(),
  outcome: z.enum(bulkOutcomes),
  code: z.string().optional(),
  message: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  issues: z.array(wireIssue).optional(),
  changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })).optional(),
})

const jobAnswer = answerWithMeta(job)
const listOf = <T extends z.ZodType>(items: T) =>
  z.strictObject({ data: z.array(items), meta: z.strictObject({ pagination }) })
const pages = ['query.pagination', 'query.pagination-mixed', 'query.parameter'] as const satisfies readonly ErrorCode[]

export const bulkRoutes = {
  'POST /api/bulk': {
    group,
    id: 'bulk.start',
    summary: 'Change, link, delete or order many records',
    details:
      'Records are selected by their ids, or by the query of a list and the number of rows that the caller saw. If the list has another number of rows now, the answer is 409 before anything changes. `edit` has values for each record; `order` puts records into the order of its `ids`; `script` converts the translated texts in `fields` to another script, in one language of each selected record. Rights and rules are checked for each row, and each row gets its own revision. The mode `each` lists refused rows and changes the others; `all` changes nothing if one row is refused. `dryRun` does the same and rolls it back. Up to 200 rows are processed within the call (200), more in the background (202); conversions to another script up to 20, and more of them only in the mode `each`.',
    headers: ['idempotencyKey'],
    body: z.object({ data: bulkOrder }),
    answers: { 200: jobAnswer, 202: jobAnswer },
    refusals: [
      'access.denied',
      'bulk.count-differs',
      'bulk.too-many',
      'bulk.script-not-all',
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
    summary: 'List the caller’s jobs, newest first',
    shared: ['pagination'],
    answers: { 200: listOf(job) },
    refusals: pages,
  },
  'GET /api/bulk/:id': {
    group,
    id: 'bulk.get',
    summary: 'Get a job with its progress',
    details:
      'Only the user who started the job, and callers with the role `owner`, can see it; for others it is not found.',
    answers: { 200: jobAnswer },
    refusals: ['record.not-found'],
  },
  'GET /api/bulk/:id/rows': {
    group,
    id: 'bulk.rows',
    summary: 'List the outcome of each row',
    details: 'Links in `changes` are `{id, name}` in the caller’s language, or lists of them.',
    shared: ['pagination'],
    query: z.object({ outcome: oneOf(bulkOutcomes, 'Only rows with this outcome', 'query.parameter') }),
    answers: { 200: listOf(row) },
    refusals: ['record.not-found', 'access.denied', ...pages],
  },
  'POST /api/bulk/:id/stop': {
    group,
    id: 'bulk.stop',
    summary: 'Stop a job',
    details:
      'Changes that were already made stay and can be undone. A job that has already ended is returned as it is.',
    answers: { 200: jobAnswer },
    refusals: ['record.not-found'],
  },
  'POST /api/bulk/:id/undo': {
    group,
    id: 'bulk.undo',
    summary: 'Undo the changes of a job',
    details:
      'The undo is a job of its own, with the same answers as the start of a job. Records that were changed since stay as they are; their rows have the code `bulk.changed-since`. Possible once, within 30 days.',
    headers: ['idempotencyKey'],
    answers: { 200: jobAnswer, 202: jobAnswer },
    refusals: ['record.not-found', 'access.denied', 'bulk.no-undo', 'bulk.busy', 'request.key-reused'],
  },
} as const satisfies Contracts

export type BulkOrder = z.output<typeof bulkOrder>
export type BulkAction = z.output<typeof bulkAction>
export type BulkSelection = z.output<typeof selection>
/** The action of a bulk edit on each row; the rows of `edit` and `order` have their own values. */
export type StoredBulkAction = z.output<typeof storedAction>
export type BulkJob = z.output<typeof job>
export type BulkRow = z.output<typeof row>
