/** Decisions of moderators on trading posts, as they are stored for the author, the history and an undo. */
import { decisionUndoSeconds } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { CheckedWrite } from '../../resources/write/behaviour.ts'
import type { EditContent } from './post-edits.ts'

/** Fields of a trading post that a decision sets. */
const decisionFields = [
  'status',
  'reason',
  'public_note',
  'staff_note',
  'expires_at',
  'moderated_by',
  'waiting_since',
] as const

/** SQL of the time from which the author of a trading post may be notified of a decision. */
export const notifyAtSql = sql`now() + make_interval(secs => ${decisionUndoSeconds}::int)`

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null)

/**
 * Stores the decision that a moderator's write makes. A
 * decision that is undone in time causes no notification.
 *
 * @param write - The write, settled.
 * @param document - The document of the post.
 * @param newStatus - The new status.
 * @param droppedEdit - The edit that ends with the decision; an undo restores it.
 */
export async function noteDecision(
  write: CheckedWrite,
  document: number,
  newStatus: string,
  droppedEdit?: EditContent,
): Promise<void> {
  const { trx, valuesBefore = {}, values, caller, isUndo } = write
  if (isUndo) {
    const undoneEdits = await trx.query(sql`
      update post_decisions set undone_at = now() where document_id = ${document} and subject = 'post' and undone_at is null
         and notified_at is null and notify_at > now() and to_state = ${valuesBefore.status} and from_state = ${newStatus} returning id`)
    if (undoneEdits.length > 0) return
  }
  const undoData = JSON.stringify({
    values: Object.fromEntries(decisionFields.map((name) => [name, valuesBefore[name] ?? null])),
    ...(droppedEdit && { edit: droppedEdit, edit_state: valuesBefore.edit_state, edit_at: valuesBefore.edit_at }),
  })
  await trx.query(sql`
    insert into post_decisions (document_id, subject, from_state, to_state, user_id, reason_text, public_note, staff_note, kept, notify_at)
    values (${document}, 'post', ${String(valuesBefore.status)}, ${newStatus}, ${caller.id}, ${textOf(values.reason)}::text,
            ${textOf(values.public_note)}::text, ${textOf(values.staff_note)}::text, ${undoData}::jsonb, ${notifyAtSql})`)
}

/**
 * Reads the edit that ended with the last decision on a trading post, while that decision is valid.
 *
 * @param trx - The transaction.
 * @param document - The document of the post.
 * @returns The edit; undefined when that decision has ended none.
 */
export async function readEndedEdit(trx: Transaction, document: number): Promise<EditContent | undefined> {
  const [lastDecision] = await trx.query(sql<{ edit: EditContent | null }>`
    select case when undone_at is null then kept -> 'edit' end as edit from post_decisions where document_id = ${document} and subject = 'post'
     order by id desc limit 1`)
  return lastDecision?.edit ?? undefined
}
