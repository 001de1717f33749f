/** Reverts a record, or some of its fields, to a revision: an update like any other. */
import { isDeepStrictEqual } from 'node:util'
import {
  type DroppedLink,
  fault,
  type Field,
  isScalar,
  isToOne,
  type Resource,
  type RevertBody,
  unprocessableFault,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import { lockEntry, type StoredEntry } from '../../resources/write/examine.ts'
import { entryColumnSql } from '../../resources/history/last-change.ts'
import { lockTargetsFirst } from '../../resources/write/lock-order.ts'
import { documentsOf, historyFields } from '../../resources/history/revision-changes.ts'
import { existingIds } from '../../resources/history/existing-ids.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'

/**
 * Refuses names of fields to revert that the caller may not read.
 *
 * @throws 422
 */
export function checkFields({ fields = [] }: RevertBody, readableFields: readonly string[]): void {
  if (fields.every((name) => readableFields.includes(name))) return
  const params = { field: 'fields', values: readableFields.join(', ') }
  throw unprocessableFault([{ path: ['fields'], code: 'validation.choice', params }])
}

interface Step {
  operation: string
  /**
   * Ids of the first and the last revision of one save: shared fields and a language have separate revisions.
   */
  first: number
  last: number
}

/**
 * Finds a revision and the other revisions of its save.
 *
 * @throws 404 unless it belongs to this record and the caller may see it.
 */
async function findStep(
  trx: Transaction,
  resource: Resource,
  { document, entry, locale }: StoredEntry,
  revision: number,
  readableFields: readonly string[],
): Promise<Step> {
  const name = documentTable(resource)
  const [step] = await trx.query(sql<Step>`
    select r.operation, coalesce(s.first, r.id) as first, coalesce(s.last, r.id) as last from revisions r
      left join lateral (select min(saved.id) as first, max(saved.id) as last from audit a, unnest(a.revision_ids) as saved(id)
        where a.resource = ${name} and a.entry = ${entry} and r.id = any(a.revision_ids)) s on true
     where r.id = ${revision}::int and r.resource = ${name} and r.document_id = ${document}
       and ${entryColumnSql(sql`${locale ?? null}::text`)} and jsonb_exists_any(r.changes, ${[...readableFields]}::text[])`)
  if (!step) throw fault('record.not-found')
  return step
}

/** Tells whether a record did not exist before or after a revision. */
const isMissing = (operation: string, side: RevertBody['to']) =>
  side === 'before' ? operation === 'create' || operation === 'restore' : operation === 'remove'

interface EarlierValue {
  field: string
  value: unknown
}

/**
 * Reads the values of a record's fields at a revision: those before the first later change of each. Fields
 * without a later change are missing.
 */
async function earlierValuesOf(
  trx: Transaction,
  resource: Resource,
  { document, locale }: StoredEntry,
  { first, last }: Step,
  { to, fieldNames }: { to: RevertBody['to']; fieldNames: readonly string[] },
): Promise<EarlierValue[]> {
  const revisionRangeSql = to === 'before' ? sql`r.id >= ${first}` : sql`r.id > ${last}`
  // A language that was added after the revision has no earlier values.
  return trx.query(sql<EarlierValue>`
    select field, value from (
      select distinct on (c.key) c.key as field, c.value -> 'before' as value, r.operation, r.locale
        from revisions r cross join lateral jsonb_each(r.changes) c
       where r.resource = ${documentTable(resource)} and r.document_id = ${document} and ${revisionRangeSql}
         and ${entryColumnSql(sql`${locale ?? null}::text`)} and c.key = any(${[...fieldNames]}::text[])
       order by c.key, r.id) as past
     where past.locale is null or past.operation <> 'create'`)
}

/**
 * Lists the fields that a revert of the whole record sets: a state changes by its transitions, so it must be
 * named.
 */
const contentOf = ({ fields }: Resource, readableFields: readonly string[]) =>
  readableFields.filter((name) => {
    const field = fields[name]
    return !(field?.kind === 'choice' && field.transitions)
  })

/**
 * Reverts a record, its language and the part all languages share, within a transaction.
 *
 * It uses the write path: validation, rules, rights, version, a revision of its own; a body that changes
 * nothing has no effect. Links whose target no longer exists are dropped: a list omits it, a link to one
 * record is emptied, a required one stays.
 *
 * @returns The dropped links.
 * @throws Errors of an update, 404 for a revision of another record, 422 for a time at which the record did
 *   not exist.
 */
export async function revertEntry(
  context: WriteContext & { trx: Transaction },
  writers: EntryWriters,
  resource: Resource,
  id: number,
  { readView, ask }: { readView: View; ask: RevertBody },
): Promise<DroppedLink[]> {
  const { trx, author } = context
  await lockTargetsFirst(trx, resource, { ids: [id] })
  const storedEntry = await lockEntry(trx, resource, id, context)
  // A record that the caller may write but not read does not exist for a revert by the caller.
  const isSeen = storedEntry && (await lockEntry(trx, resource, id, { author, view: readView }))
  if (!isSeen) throw fault('record.not-found')
  const readableFields = historyFields(resource, author.caller, readView)
  const step = await findStep(trx, resource, storedEntry, ask.revision, readableFields)
  if (isMissing(step.operation, ask.to)) throw fault('history.no-record')
  const pastValues = await earlierValuesOf(trx, resource, storedEntry, step, {
    to: ask.to,
    fieldNames: ask.fields ?? contentOf(resource, readableFields),
  })

  const draft: Record<string, unknown> = typeof ask.version === 'number' ? { version: ask.version } : {}
  const droppedLinks: DroppedLink[] = []
  for (const { field: name, value } of pastValues) {
    const field: Field | undefined = resource.fields[name]
    if (!field || field.readOnly) continue
    if (isScalar(field)) {
      if (!isDeepStrictEqual(value ?? null, storedEntry.values[name] ?? null)) draft[name] = value ?? null
      continue
    }
    const documents = documentsOf(value)
    const ids = await existingIds(trx, resourceNamed(field.target), documents)
    if (ids.length < documents.length) droppedLinks.push({ field: name, count: documents.length - ids.length })
    if (!isToOne(field)) draft[name] = { set: ids }
    else if (ids.length > 0 || !field.required) draft[name] = ids[0] ?? null
  }
  await writers.update(context, resource, id, draft)
  return droppedLinks
}
