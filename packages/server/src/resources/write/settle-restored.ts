/**
 * Checks a restore as a write: the caller needs the right to
 * write the record today, and rules and behaviours run again.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  fault,
  type Field,
  isScalar,
  isToOne,
  type Issue,
  type Locale,
  parentPairsOf,
  type Resource,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { resourceNamed, viewOfResource, type View } from '../attributes.ts'
import { lockEntry, type StoredEntry } from './examine.ts'
import type { Change } from '../history/history.ts'
import { settleParents } from './rules.ts'
import { refuseCycles, targetsOf } from './undo-rules.ts'
import { isTrusted, writeAdditionalValues, type WriteContext } from './write.ts'

/** The content of one revision of a removal: the part that all languages share, or one language. */
export interface RemovedPart {
  removal: string
  resource: string
  document: number
  locale: Locale | null
  changes: Readonly<Record<string, Change>>
  kept: Readonly<Record<string, unknown>>
}

/**
 * Refuses what the caller may not write today: a record outside the rows that they may change, and values
 * that they wrote when they had more rights. Values that others wrote are restored unchanged.
 *
 * @param trx - The transaction that has restored the record.
 * @param context - The author of the restore.
 * @param resource - The resource of the requested entry.
 * @param id - Its wire id.
 * @param restoredParts - What has been restored.
 * @throws 403 without the right to write, with the refused fields; 404 outside the caller's rows.
 */
export async function assertMayRestore(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  id: number,
  restoredParts: readonly RemovedPart[],
): Promise<void> {
  if (isTrusted(context)) return
  const { author } = context
  const resourceParts = restoredParts.filter((restoredPart) => restoredPart.resource === resource.name)
  const isWhole = resourceParts.some(({ locale }) => locale === null)
  const { access } = resource
  // Generic routes never write files, so a user who may delete a file may restore it.
  const isByRemoval = access.write === undefined && access.create === undefined && access.update === undefined
  const updateView = viewOfResource(resource, author.caller, isByRemoval ? 'remove' : 'update')
  const createView = isWhole && !isByRemoval ? viewOfResource(resource, author.caller, 'create') : updateView
  if (!updateView || !createView) throw fault('access.denied')
  const rows = [updateView.rows, createView.rows].filter((filter) => filter !== undefined)
  const view: View = rows.length > 0 ? { rows: { $and: rows } } : {}
  if (!(await lockEntry(trx, resource, id, { author, view }))) throw fault('record.not-found')
  const writableNames =
    updateView.writableNames && createView.writableNames
      ? [...updateView.writableNames, ...createView.writableNames]
      : undefined
  if (writableNames) await refuseForeignFields(trx, context, resource, resourceParts, writableNames)
}

/** Whether the author of a body gave a value, which is not a default of every record. */
function isGiven(field: Field | undefined, value: unknown): boolean {
  if (!field || field.readOnly || field.private || field.kind === 'count') return false
  if (isToOne(field) && field.setToCaller) return false
  return !(isScalar(field) && 'default' in field && isDeepStrictEqual(field.default, value))
}

/** Throws 403 for restored fields that the caller may not write now, but was the last to write. */
async function refuseForeignFields(
  trx: Transaction,
  { author: { caller } }: WriteContext,
  resource: Resource,
  removedParts: readonly RemovedPart[],
  writableNames: readonly string[],
): Promise<void> {
  const names = removedParts.flatMap(({ changes }) =>
    Object.entries(changes)
      .filter(([name, { before }]) => !writableNames.includes(name) && isGiven(resource.fields[name], before))
      .map(([name]) => name),
  )
  if (names.length === 0) return
  const lastAuthors = await trx.query(sql<{ field: string; user: number | null }>`
    select distinct on (field) field, r.user_id as "user"
      from revisions r cross join lateral jsonb_object_keys(r.changes) as field
     where r.resource = ${documentTable(resource)} and r.document_id = ${removedParts[0]?.document ?? 0}
       and r.operation in ('create', 'update') and field = any(${names}::text[])
     order by field, r.id desc`)
  const issues = lastAuthors
    .filter(({ user }) => user === caller.id)
    .map(({ field }): Issue => ({ path: [field], code: 'access.denied', params: { field } }))
  if (issues.length > 0) throw fault('access.denied', { issues })
}

/**
 * Runs the rules and behaviours of all restored records as for any write, and writes the values they return.
 * A restored language counts as added, a restored whole record as written whole.
 *
 * @param trx - The transaction that has restored them.
 * @param context - The author of the restore.
 * @param restoredParts - What has been restored.
 * @throws What a write of these records throws.
 */
export async function settleRestoredParts(
  trx: Transaction,
  context: WriteContext,
  restoredParts: readonly RemovedPart[],
): Promise<void> {
  const wholeKeys = new Set(restoredParts.filter(({ locale }) => locale === null).map(keyOf))
  for (const restoredPart of restoredParts) {
    const resource = resourceNamed(restoredPart.resource)
    if (!hasRules(trx, resource) || (restoredPart.locale !== null && wholeKeys.has(keyOf(restoredPart)))) continue
    const [id, idKind] =
      restoredPart.locale === null
        ? [restoredPart.document, 'document' as const]
        : [Number(restoredPart.kept.entry), undefined]
    const storedEntry = await lockEntry(trx, resource, id, { author: context.author, view: {} }, idKind)
    if (!storedEntry) continue
    const settledValues = await settleValuesOf(trx, context, resource, storedEntry, restoredPart.locale === null)
    await writeAdditionalValues(trx, context.author, resource, storedEntry, settledValues)
  }
}

const keyOf = ({ resource, document }: RemovedPart) => `${resource}/${document}`

/** Tells whether a resource has rules beyond the declaration of its fields. */
const hasRules = ({ parts }: Transaction, resource: Resource): boolean =>
  parts.behaviourOf(resource) !== undefined ||
  parentPairsOf(resource).length > 0 ||
  Object.values<Field>(resource.fields).some((field) => isToOne(field) && field.target === resource.name)

async function settleValuesOf(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  storedEntry: StoredEntry,
  isWhole: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const { document, locale, values } = storedEntry
  const isTextField = (name: string) => resource.fields[name]?.localized === true
  const writtenValues = isWhole
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => isTextField(name)))
  const valuesBefore = isWhole
    ? values
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isTextField(name) ? null : value]))
  if (isWhole) await refuseCycles(trx, resource, document, values)
  const target = await targetsOf(trx, resource, storedEntry, writtenValues)
  const filledValues = isWhole ? settleParents(resource, {}, values, target) : {}
  const settledValues = await trx.parts.behaviourOf(resource)?.settleValues({
    operation: isWhole ? 'restore' : 'translate',
    caller: context.author.caller,
    isTrusted: isTrusted(context),
    draft: writtenValues,
    valuesBefore,
    document,
    values: writtenValues,
    lists: {},
    leaveListUnchanged: () => {},
    target,
    locale,
    now: new Date().toISOString(),
    trx,
  })
  return { ...filledValues, ...settledValues }
}
