/** Reverts an import as long as nobody has changed its records (market §5). */
import { randomUUID } from 'node:crypto'
import { fault, Fault, type ImportTouched, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import type { Author } from '../../resources/history/history.ts'
import { lockTargetsFirst } from '../../resources/write/lock-order.ts'
import { entryWriters } from '../../resources/write/writers.ts'
import { toWriteBody, type CommitParts } from './commit.ts'
import { type ImportRecord, saveImport, writtenRows, type WrittenRow } from './import-store.ts'
import { removeDays, revertPrices } from './prices/batch.ts'
import { loadStates, readPresentVersions } from './records.ts'

const portion = 500
/** Maximum number of records that the refusal of a revert names. */
const maxListedRecords = 200

/**
 * Restores every record that an import has changed to its state before.
 *
 * @param trx - The transaction in which all records are restored, or none.
 * @param parts - The database.
 * @param record - The locked import.
 * @param author - The user who reverts it.
 * @throws 409 with `details.records` when records were changed, removed, published or used since.
 */
export async function revertRows(
  trx: Transaction,
  { database, writers }: CommitParts,
  record: ImportRecord,
  author: Author,
): Promise<void> {
  const { caller } = author
  const resource = resourceNamed(record.kind)
  authoriseCaller(resource, 'remove', caller)
  const view = authoriseCaller(resource, 'update', caller)
  const context = { database, author, view, trx }
  const isPriceImport = resource.name === resources.pricelists.name
  const touchedRows: ImportTouched[] = []
  await forEachPortion(trx, record, async (rows) => {
    touchedRows.push(...(await findTouchedRecords(trx, record, rows)))
  })
  if (touchedRows.length > 0) throw refusedFault(touchedRows)
  const removal = randomUUID()
  await forEachPortion(trx, record, async (rows) => {
    if (isPriceImport) return revertPrices(context, rows, removal)
    // The revert of an import removes the newest records first.
    for (const row of rows.toReversed()) {
      try {
        await revertRecord(row)
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'record.in-use') throw error
        throw refusedFault([{ row: row.row, id: row.document, name: `#${row.document}`, why: 'in_use' }])
      }
    }
  })
  if (record.plan?.madeDays) await removeDays(context, record.plan.madeDays)
  await saveImport(trx, record.id, { state: 'reverted', reverted: true, plan: null })

  async function revertRecord({ document, undo }: WrittenRow): Promise<void> {
    const writer = writers[resource.name] ?? entryWriters
    const state = (await loadStates(trx, resource, [document])).get(document)
    if (!state) throw fault('record.not-found')
    const mainText = (state.sourceLocale && state.texts.get(state.sourceLocale)) ?? [...state.texts.values()][0]
    const firstEntry = resource.localized ? (mainText?.id ?? 0) : document
    if (undo.created) return writer.remove(context, resource, firstEntry, true)
    const differingValues = Object.fromEntries(
      Object.entries(undo.shared).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(state.shared[name]),
      ),
    )
    const sharedBody = await toWriteBody(trx, resource, differingValues)
    if (Object.keys(sharedBody).length > 0) await writer.update(context, resource, firstEntry, sharedBody)
    for (const [locale, texts] of state.texts) {
      if (undo.added.includes(locale)) await writer.remove(context, resource, texts.id, false)
      else if (undo.texts[locale]) await writer.update(context, resource, texts.id, undo.texts[locale])
    }
  }
}

const refusedFault = (touchedRecords: readonly ImportTouched[]) => {
  const count = touchedRecords.length
  return fault('import.touched', {
    params: { count },
    details: { count, records: touchedRecords.slice(0, maxListedRecords) },
  })
}

async function forEachPortion(
  trx: Transaction,
  { id }: ImportRecord,
  runWork: (rows: readonly WrittenRow[]) => Promise<void>,
): Promise<void> {
  for (let lastRow = 0; ;) {
    const rows = await writtenRows(trx, id, { after: lastRow, limit: portion })
    if (rows.length === 0) return
    lastRow = rows.at(-1)?.row ?? lastRow
    await runWork(rows)
  }
}

/**
 * Returns records that differ from the result of the import, and prices of days that were published since.
 */
async function findTouchedRecords(
  trx: Transaction,
  record: ImportRecord,
  rows: readonly WrittenRow[],
): Promise<ImportTouched[]> {
  const resource = resourceNamed(record.kind)
  const documents = rows.map(({ document }) => document)
  await lockTargetsFirst(trx, resource, { ids: documents })
  const seenVersions = await readPresentVersions(trx, resource, documents)
  const publishedDays = new Set(
    resource.name === resources.pricelists.name
      ? (
          await trx.query(sql<{ id: number }>`
            select p.id from pricelists p join pricedates d on d.id = p.pricedate_id
             where p.id = any(${documents}::int[]) and d.state = 'published'
               and d.published_at > (select committed_at from insert_excel where id = ${record.id})`)
        ).map(({ id }) => id)
      : [],
  )
  return rows.flatMap(({ row, document, leftAs }): ImportTouched[] => {
    const now = seenVersions.get(document)
    const skipReason =
      now === undefined ? 'removed' : now !== leftAs ? 'changed' : publishedDays.has(document) ? 'published' : undefined
    return skipReason ? [{ row, id: document, name: `#${document}`, why: skipReason }] : []
  })
}
