/**
 * Contracts of history, uses, groups and reverts, which every resource has, and of the trash and
 * translations.
 */
import * as z from 'zod'
import { maxInteger } from '../../fields/value-kinds.ts'
import type { Contracts } from './contract.ts'
import {
  data,
  dataAnswer,
  entryOf,
  flatEntryOf,
  handlerKey,
  id,
  languageKey,
  locale,
  moment,
  pagination,
  personCard,
  textKey,
  whole,
} from './parts.ts'

const group = 'History'
const namesLanguageKey = languageKey('Language of names; the caller’s language when absent')
const keepingRule =
  'Staff can request it for every record that they may read, other callers only for records that they may also change. Any other record is not found.'
const pageCodes = ['query.pagination', 'query.pagination-mixed', 'query.value', 'query.parameter'] as const

/** Name of a field that is not private. */
const fieldName = z.string().meta({ enum: [':fields'] })

const revision = z.strictObject({
  id,
  at: moment,
  by: personCard.nullable(),
  operation: z.enum(['create', 'update', 'remove', 'restore']),
  locale: locale.nullable(),
  /** Id of the bulk edit that made the change. */
  job: id.nullable(),
  changes: z
    .record(fieldName, z.strictObject({ before: z.unknown(), after: z.unknown() }))
    .describe(
      'Values before and after, by field. Links are `{id, name}` or lists of them, with nulls for records that no longer exist',
    ),
})

const use = z.strictObject({
  /** Wire name of a resource whose records use the deleted record. */
  resource: z.string(),
  /** Name of the field with the use; null where the caller may not read it. */
  field: z.string().nullable(),
  count: z.int().min(1),
  rule: z.enum(['restrict', 'cascade', 'detach']),
  records: z.array(z.strictObject({ id, name: z.string().nullable() })).max(5),
})

const valueGroup = z.strictObject({
  value: z.union([id, z.string(), z.boolean(), z.null()]),
  label: z.string().nullable(),
  count: z.int().min(1),
})

const droppedLinks = z.array(z.strictObject({ field: z.string(), count: z.int().min(1) }))

/** The answers of a revert; records of flat resources are flat. */
export const revertAnswers = {
  wrapped: z.strictObject({ data: entryOf(':name'), meta: z.strictObject({ dropped: droppedLinks }) }),
  flat: flatEntryOf(':name'),
}

/** Routes that every resource may have, as its declaration determines. */
export const recordRoutes = {
  'GET /api/:wire/:id/history': {
    group,
    id: ':name.history',
    summary: 'Get the history of a record of :wire',
    details: `Newest first: changes of the part that all languages share, and of the language of the id. Fields that the caller may not read are left out. ${keepingRule}`,
    query: z.object({ field: textKey('Only changes of this field').optional(), locale: namesLanguageKey }),
    shared: ['pagination'],
    answers: { 200: z.strictObject({ data: z.array(revision), meta: z.strictObject({ pagination }) }) },
    refusals: [...pageCodes, 'access.denied', 'record.not-found'],
  },
  'GET /api/:wire/:id/uses': {
    group,
    id: ':name.uses',
    summary: 'Get the records that link to a record of :wire',
    details: `Links that prevent a delete come first (\`restrict\`), then parts that are deleted too (\`cascade\`), then links that are emptied (\`detach\`). Counts include everything that a delete affects. Up to five records that the caller may read are named; \`field\` is null where the caller may not read it. ${keepingRule}`,
    query: z.object({ locale: namesLanguageKey }),
    answers: { 200: dataAnswer(z.array(use)) },
    refusals: ['access.denied', 'record.not-found'],
  },
  'GET /api/:wire/groups': {
    group,
    id: ':name.groups',
    summary: 'Count the list of :wire by the values of a field',
    details:
      'The field is a choice, a yes/no or a link to one record. `value` is the choice, true or false, or the id of the record in the language of the list; null for records without a value. Groups are in the order of the choices, yes before no, or by label.',
    query: z.object({
      by: textKey('Name of the field').optional(),
      filters: handlerKey({ $ref: '#/components/schemas/:name.Filters', description: 'As in the list' }),
    }),
    shared: ['search', 'languages'],
    answers: {
      200: z.strictObject({ data: z.array(valueGroup), meta: z.strictObject({ total: whole }) }),
    },
    refusals: ['query.parameter', 'query.operator', 'query.value', 'query.too-large', 'access.denied'],
  },
  'POST /api/:wire/:id/revert': {
    group,
    id: ':name.revert',
    summary: 'Revert a record of :wire to an earlier state',
    details:
      'Restores the state before or after a revision: its language and the part that all languages share, or only the given `fields`. This is an update with all its rules. A state with transitions is reverted only if `fields` contains it. Links whose target no longer exists are dropped and listed in `meta.dropped`.',
    headers: ['idempotencyKey'],
    shared: ['fields', 'populate', 'relatedLocale'],
    body: data({
      revision: id,
      to: z.enum(['before', 'after']),
      fields: z.array(fieldName).min(1).optional(),
      version: z
        .int()
        .min(0)
        .max(maxInteger)
        .nullish()
        .describe('The version that was read; 409 when the record has changed since'),
    }),
    answers: { 200: z.union([revertAnswers.wrapped, revertAnswers.flat]) },
    refusals: ['history.no-record', 'request.unprocessable'],
  },
} as const satisfies Contracts

const deletedRecord = z.strictObject({
  /** Wire name of the deleted record's resource. */
  resource: z.string(),
  /** Wire id of the deleted record that `restore` takes. */
  id,
  /** Name of the deleted record; null where the caller may not read it. */
  name: z.string().nullable(),
  at: moment,
  by: personCard.nullable(),
  /** Time until which the deleted record can be restored. */
  until: moment,
  /** Languages that a restore brings back; none for a resource without languages. */
  locales: z.array(locale),
  /** Whether the whole document was deleted, not one of its languages. */
  whole: z.boolean(),
  /** Number of records that were deleted with this record and are restored with it. */
  parts: whole,
})

const progress = z.strictObject({
  /** Wire name of a resource with translations. */
  resource: z.string(),
  locale,
  /** Number of the resource's records that the caller can access, in any language. */
  total: whole,
  current: whole,
  outdated: whole,
  missing: whole,
})

export const historyRoutes = {
  'GET /api/trash': {
    group,
    id: 'trash.list',
    summary: 'List the records deleted in the last 30 days that can be restored',
    details:
      'Newest first, one line for each deleted record, or for a single deleted language (`whole` is false). `parts` counts the records that were deleted with it. Only records that the caller may restore with `POST /api/{resource}/{id}/restore` are listed.',
    query: z.object({
      resource: textKey('Only this resource, by its name in paths').optional(),
      locale: namesLanguageKey,
    }),
    shared: ['pagination'],
    answers: { 200: z.strictObject({ data: z.array(deletedRecord), meta: z.strictObject({ pagination }) }) },
    refusals: pageCodes,
  },
  'GET /api/translations': {
    group,
    id: 'translations.count',
    summary: 'Get the progress of translations by resource and language',
    details:
      'Covers all resources with languages that the caller may list. `total` is the number of records; `current`, `outdated` and `missing` add up to it.',
    answers: { 200: dataAnswer(z.array(progress)) },
  },
} as const satisfies Contracts

export type Revision = z.output<typeof revision>
export type Use = z.output<typeof use>
export type ValueGroup = z.output<typeof valueGroup>
/** A link that a revert dropped because its records no longer exist. */
export type DroppedLink = z.output<typeof droppedLinks>[number]
export type RevertBody = z.output<(typeof recordRoutes)['POST /api/:wire/:id/revert']['body']>['data']
export type DeletedRecord = z.output<typeof deletedRecord>
export type TranslationProgress = z.output<typeof progress>
