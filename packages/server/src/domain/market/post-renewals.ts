/** The facts of renewals of expired trading posts, from which reports count (statistics §4). */
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { CheckedWrite } from '../../resources/write/behaviour.ts'

/**
 * Stores the renewal that a write makes: an expired trading post is public again, or waits for a moderator. An
 * undo of a renewal deletes it.
 *
 * @param write - The write, settled.
 * @param document - The document of the post.
 * @param newStatus - The new status.
 */
export async function noteRenewal(
  { trx, valuesBefore = {}, caller, isUndo, operation }: CheckedWrite,
  document: number,
  newStatus: string,
): Promise<void> {
  if (isUndo && newStatus === 'expired') return forgetRenewal(trx, document)
  if (operation === 'restore' || valuesBefore.status !== 'expired' || !['processed', 'on_hold'].includes(newStatus))
    return
  await trx.query(sql`
    insert into post_renewals (document_id, to_state, user_id) values (${document}, ${newStatus}, nullif(${caller.id}::int, 0))`)
}

/** Deletes the last renewal of a trading post, which was undone. */
export async function forgetRenewal(trx: Transaction, document: number): Promise<void> {
  await trx.query(sql`
    delete from post_renewals where id = (select max(id) from post_renewals where document_id = ${document})`)
}
