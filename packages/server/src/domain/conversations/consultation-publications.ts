/** The facts of questions that became public, from which reports count (statistics §4). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { CheckedWrite } from '../../resources/write/behaviour.ts'

/** Transactions that store the publications of their new records when they end. */
const publishingTransactions = new WeakSet<Transaction>()

/**
 * Stores the first publication of one record, or of all public records without one: a new record has its key
 * only when it is stored.
 */
async function storePublications(trx: Transaction, user: number, document?: number): Promise<void> {
  const [time, condition] =
    document === undefined
      ? [sql`coalesce(c.answered_at, c.created_at)`, sql`true`]
      : [sql`now()`, sql`c.id = ${document}`]
  await trx.query(sql`
    insert into consultation_publications (consultation_id, user_id, created_at, region_id, category_id, language)
    select c.id, coalesce(nullif(${user}::int, 0), c.consultant_id), ${time}, c.region_id, c.category_id, c.language
      from consultations c where c.is_public and ${condition}
       and not exists (select 1 from consultation_publications p where p.consultation_id = c.id)`)
}

/**
 * Stores when a consultation became public for the first time, with whoever made it public. A later withdrawal
 * leaves the fact alone; an undo deletes it.
 *
 * @param write - The write, settled.
 */
export async function notePublication({
  trx,
  document,
  values,
  valuesBefore = {},
  caller,
  isUndo,
  operation,
}: CheckedWrite): Promise<void> {
  if (operation === 'restore' || !('is_public' in values)) return
  const [wasPublic, isPublic] = [valuesBefore.is_public === true, values.is_public === true]
  if (isUndo && wasPublic && !isPublic)
    await trx.query(sql`delete from consultation_publications where consultation_id = ${document ?? 0}`)
  if (!isPublic || wasPublic) return
  if (document !== undefined) return trx.beforeCommit(() => storePublications(trx, caller.id, document))
  if (publishingTransactions.has(trx)) return
  publishingTransactions.add(trx)
  trx.beforeCommit(() => storePublications(trx, caller.id))
}
