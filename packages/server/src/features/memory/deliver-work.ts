/** Writes translations that come back from an office of translators, or tries what writing them would do. */
import { type Caller, Fault, fault, type Locale, type Resource, toErrorBody } from '@dala/model'
import type { WorkOutcome, WorkRecord } from '@dala/model/api/memory'
import type { Transaction } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { ResourceWriters } from '../../domain/feature.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { resources, viewOfResource } from '../../resources/attributes.ts'
import type { Author } from '../../resources/history/history.ts'
import { addTranslation, withDeadlockRetry } from '../../resources/write/write.ts'
import { entryWriters } from '../../resources/write/writers.ts'
import { deliveredTexts, originalOf, readWork, type WorkRecordTexts } from './work-texts.ts'
import { readXliff, type TranslatedFile } from './xliff.ts'

export interface Delivery extends Pick<FeatureRoutes, 'database' | 'totals'> {
  writers: ResourceWriters
  author: Author
  /** Whether nothing is written: each record is rolled back. */
  isTrial: boolean
}

/** Ends the transaction of a trial. */
class TrialEnd extends Error {
  override name = 'TrialEnd'
}

/** Refuses a record whose own source has more changes than its file shows. */
class SourceMoved extends Error {
  override name = 'SourceMoved'
}

/** A file as the translation of a record. */
interface Work {
  resource: Resource
  record: WorkRecordTexts
  source: Locale
  target: Locale
}

type Outcome = Pick<WorkRecord, 'outcome' | 'reason' | 'issues' | 'field' | 'fields'>

const outcomeOf = (outcome: WorkOutcome, fields = 0): Outcome => ({
  outcome,
  reason: null,
  issues: [],
  field: null,
  fields,
})
const refusalOf = (reason: NonNullable<WorkRecord['reason']>, refused: Partial<Outcome> = {}): Outcome => ({
  ...outcomeOf('refused'),
  reason,
  ...refused,
})

/** Returns the refusal of the write path as the outcome of a record. */
function refusalOfFault(error: Fault): Outcome {
  if (error.code === 'access.denied' || error.code === 'record.not-found') return refusalOf('denied')
  if (error.code === 'record.stale' || error.code === 'locale.used') return refusalOf('target')
  const body = toErrorBody(error).error
  const ownIssue = { path: [], message: body.message, name: body.name, code: error.code, params: error.params }
  return refusalOf('values', { issues: body.details.errors ?? [ownIssue] })
}

/**
 * Locks a record, whose texts the work was made from.
 *
 * @param trx - The transaction that writes the translation.
 * @param work - The record and the languages of the work.
 * @param changes - The number of changes of the record's own source that the file shows.
 * @throws SourceMoved where the work was made from that source, which has changed since.
 */
async function lockSource(trx: Transaction, { resource, record, source }: Work, changes: number): Promise<void> {
  const [present] = await trx.query(sql<{ locale: string; changes: number }>`
    select d.source_locale as locale, d.source_changes as changes from ${sql.table(documentTable(resource))} d
     where d.id = (select document_id from ${sql.table(textTable(resource))} where id = ${record.id}::int) for update`)
  if (present?.locale === source && present.changes !== changes) throw new SourceMoved()
}

/** Writes the values of one record in a transaction of its own. */
async function writeRecord(
  { database, writers, author, isTrial }: Delivery,
  work: Work,
  values: Readonly<Record<string, string>>,
  { changes, isOpen }: { changes: number; isOpen: boolean },
): Promise<void> {
  const { resource, record, target } = work
  const view = viewOfResource(resource, author.caller, 'update')
  if (!view) throw fault('access.denied')
  try {
    await withDeadlockRetry(database, async (trx) => {
      await lockSource(trx, work, changes)
      // An incomplete translation stays as outdated as it is.
      const context = { database, author, view, trx, seenChanges: isOpen ? 0 : changes }
      const { target: translation } = record
      if (translation) {
        const { update } = writers[resource.name] ?? entryWriters
        await update(context, resource, translation.id, { ...values, version: translation.version })
      } else await addTranslation(context, resource, record.id, { ...values, locale: target })
      if (isTrial) throw new TrialEnd()
    })
  } catch (error) {
    if (!(error instanceof TrialEnd)) throw error
  }
}

async function deliverRecord(delivery: Delivery, work: Work, file: TranslatedFile): Promise<Outcome> {
  const { resource, record } = work
  const [, , sourceDigest, targetDigest, changes = ''] = file.original.split('/')
  const [, , presentSource, presentTarget] = originalOf(resource, record).split('/')
  if (sourceDigest !== presentSource || !/^\d{1,9}$/.test(changes)) return refusalOf('source')
  if (targetDigest !== presentTarget) return refusalOf('target')
  const delivered = deliveredTexts(resource, record, file)
  if ('reason' in delivered) return refusalOf(delivered.reason, { field: delivered.field })
  const { values, open } = delivered
  const count = Object.keys(values).length
  if (count === 0) return outcomeOf('empty')
  const { target: translation } = record
  // A new translation would be neither missing nor outdated, and its open texts would be asked for by nobody.
  if (!translation && open !== undefined) return refusalOf('incomplete', { field: open })
  const isSame = translation && Object.entries(values).every(([name, text]) => translation.texts[name] === text)
  // Saving an unchanged translation confirms it, which only a file that calls all of it translated may do.
  if (isSame && open !== undefined) return outcomeOf('unchanged', count)
  try {
    await writeRecord(delivery, work, values, { changes: Number(changes), isOpen: open !== undefined })
  } catch (error) {
    if (error instanceof SourceMoved) return refusalOf('source')
    if (!(error instanceof Fault) || error.status >= 500) throw error
    return refusalOfFault(error)
  }
  const written = outcomeOf('written', count)
  return open === undefined ? written : { ...written, reason: 'incomplete', field: open }
}

/**
 * Writes the translations of a file, each record in one transaction of its own.
 *
 * @param delivery - The caller, and whether nothing is written.
 * @param bytes - The XLIFF file.
 * @returns The outcome of each record, in the order of the file.
 * @throws 422 for a file that cannot be read, that is empty, or that has too many records.
 */
export async function deliverWork(delivery: Delivery, bytes: Buffer) {
  const { source, target, files } = await readXliff(bytes)
  if (files.length === 0) throw fault('memory.empty')
  const caller: Caller = delivery.author.caller
  const data: WorkRecord[] = []
  for (const file of files) {
    const [wire = '', rawId = ''] = file.original.split('/')
    const resource = Object.values(resources).find((known) => known.localized && known.wire === wire)
    const id = /^[1-9]\d{0,8}$/.test(rawId) ? Number(rawId) : undefined
    const [record] =
      resource && id !== undefined
        ? await readWork(delivery, caller, { resource, source, target, query: { filters: { id } }, limit: 1 })
        : []
    const shown = { resource: wire.slice(0, 63), id: record?.id ?? null, name: record?.name.slice(0, 255) ?? null }
    const outcome =
      resource && record
        ? await deliverRecord(delivery, { resource, record, source, target }, file)
        : refusalOf('unknown')
    data.push({ ...shown, ...outcome })
  }
  const counts = { written: 0, unchanged: 0, empty: 0, refused: 0 }
  for (const { outcome } of data) counts[outcome] += 1
  return { data, meta: { source, target, counts } }
}
