/**
 * Fixes the records of a bulk job at its start: later neither a filter nor a colleague changes the selection.
 */
import { type Caller, fault, maxInlineConversions, type ScriptLocale } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { textTable } from '../../db/schema.ts'
import type { View } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { matchingIds } from '../../resources/read/compile-read.ts'
import { firstRows, parseList } from '../../resources/read/parse-query.ts'
import { runScopedQuery, runStatement } from '../../resources/read/scoped.ts'
import type { BulkDraft } from './draft.ts'

/**
 * Maximum number of rows of a bulk job. In one transaction others would wait for it, on the embedded database
 * all of them.
 */
const maxRows = { each: 100_000, all: 5_000 } as const

/**
 * Writes the rows of a bulk job, in the transaction of the job, so that a refusal leaves nothing of either.
 *
 * @returns The number of rows.
 * @throws 409 when a list does not have as many rows as the user saw, 422 for too many, and for too many
 *   conversions in one transaction.
 */
export async function insertJobRows(trx: Transaction, job: number, caller: Caller, draft: BulkDraft): Promise<number> {
  const { selection, mode } = draft
  const selectedCount =
    'rows' in selection
      ? await insertNamedRows(trx, job, selection.rows)
      : await insertFoundRows(trx, job, caller, draft, selection)
  const count =
    draft.action.kind === 'script' ? await chooseLanguage(trx, job, caller, draft, draft.action.locale) : selectedCount
  if (count > maxRows[mode])
    throw fault('bulk.too-many', { params: { max: maxRows[mode] }, details: { max: maxRows[mode] } })
  if (draft.action.kind === 'script' && mode === 'all' && count > maxInlineConversions) {
    const details = { max: maxInlineConversions }
    throw fault('bulk.script-not-all', { params: details, details })
  }
  return count
}

async function insertNamedRows(
  trx: Transaction,
  job: number,
  rows: readonly { entry: number; draft: unknown }[],
): Promise<number> {
  await trx.query(sql`
    insert into bulk_rows (job_id, place, entry_id, draft)
    select ${job}::int, place, (item ->> 'entry')::int, nullif(item -> 'draft', 'null'::jsonb)
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given(item, place)`)
  return rows.length
}

async function insertFoundRows(
  trx: Transaction,
  job: number,
  caller: Caller,
  { resource, view }: BulkDraft,
  { query, count }: Extract<BulkDraft['selection'], { query: unknown }>,
): Promise<number> {
  const { rows: _listed, ...listScope } = authoriseCaller(resource, 'list', caller)
  // The selection of a bulk edit has only records that the caller may change; others would be stored as
  // refusals.
  const changeableView: View = { ...listScope, ...(view.rows && { rows: view.rows }) }
  const { shape, values } = parseList(query, resource, caller, changeableView, firstRows(1))
  const [storedSelection] = await runStatement(
    trx,
    { caller, values },
    sql<{ count: number }>`
    with chosen as (
      insert into bulk_rows (job_id, place, entry_id)
      select ${job}::int, row_number() over (order by id), id from (${matchingIds(shape, trx)}) as found returning 1
    ) select count(*)::int as count from chosen`,
    { mustReplan: true },
  )
  const actualCount = storedSelection?.count ?? 0
  if (actualCount !== count) {
    const details = { expected: count, actual: actualCount }
    throw fault('bulk.count-differs', { params: details, details })
  }
  return actualCount
}

/**
 * Replaces the selected records by those of the same documents in one language. A record without the language,
 * and one that the caller may not change, stays as it was selected.
 *
 * @returns The number of rows: several languages of a document have become one.
 */
async function chooseLanguage(
  trx: Transaction,
  job: number,
  caller: Caller,
  { resource, view }: BulkDraft,
  locale: ScriptLocale,
): Promise<number> {
  const texts = sql.table(textTable(resource))
  await runScopedQuery(
    trx,
    { resource, caller, view },
    ({ from, where, document }) => sql`
    update bulk_rows set entry_id = in_language.id
      from ${texts} selected join ${texts} in_language on in_language.document_id = selected.document_id and in_language.locale = ${locale}::text
     where bulk_rows.job_id = ${job}::int and bulk_rows.entry_id = selected.id
       and selected.document_id in (select ${sql.ref(`${document}.id`)} from ${from} where ${where})`,
  )
  const [row] = await trx.query(sql<{ count: number }>`
    with numbered as (
      select place, row_number() over (partition by entry_id order by place) as number from bulk_rows where job_id = ${job}::int
    ), repeated as (
      delete from bulk_rows
       where job_id = ${job}::int and place = any(array(select place from numbered where number > 1))
    ) select count(*)::int as count from numbered where number = 1`)
  return row?.count ?? 0
}
