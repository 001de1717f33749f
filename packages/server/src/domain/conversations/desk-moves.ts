/** Giving rooms and consultations to somebody else: what is stored with it, whoever asks for it (chat §4, §5). */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { goneAmong } from './desk.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import type { Author } from '../../resources/history/history.ts'
import { noteChange } from './room-changes.ts'
import { updateEntry } from '../../resources/write/write.ts'

export interface DeskMove {
  database: Database
  author: Author
}

/** A step of a consultation that is no edit, as it is kept beside it. */
export interface ConsultationStep {
  action: 'assign' | 'finish' | 'reopen'
  from?: unknown
  to?: unknown
  note: string | null
}

/**
 * Gives a locked room to somebody: its members move, its revision goes on, and the desk reads of it in the log.
 * In: who has it from now on, and the link that says so; `receiver` besides when nobody is to have it. Out: the revision.
 */
export async function moveRoom(
  trx: Transaction,
  { database, author }: DeskMove,
  room: StoredEntry,
  change: { assignee: number | null; receiver?: null },
  note: string | null,
): Promise<number> {
  const rev = Number(room.values.revision) + 1
  const context = { database, author, view: {}, trusted: true, trx } as const
  await updateEntry(context, resourceNamed('chatrooms'), room.entry, { ...change, revision: rev })
  const { assignee, receiver } = { ...room.values, ...change }
  const data = { from: room.values.assignee ?? room.values.receiver, to: assignee ?? receiver, note }
  const user = author.caller.id
  await noteChange(trx, { room: room.document, rev, type: 'assigned', audience: 'staff', data, user })
  return rev
}

/**
 * Takes a room from people who have gone since it was closed: it opens again where somebody looks, with its receiver
 * or in the queue. Out: whether it moved.
 */
export async function takeFromGone(trx: Transaction, move: DeskMove, room: StoredEntry): Promise<boolean> {
  const { assignee, receiver } = room.values
  const gone = await goneAmong(trx, [assignee, receiver])
  if (!gone.has(assignee ?? receiver)) return false
  await moveRoom(trx, move, room, { assignee: null, ...(gone.has(receiver) && { receiver: null }) }, null)
  return true
}

/** Stores what a step changes in a locked consultation, and that it was taken and why. */
export async function moveConsultation(
  trx: Transaction,
  { database, author }: DeskMove,
  { entry, document }: StoredEntry,
  changes: Readonly<Record<string, unknown>>,
  { action, from, to, note }: ConsultationStep,
): Promise<void> {
  const context = { database, author, view: {}, trusted: true, trx } as const
  await updateEntry(context, resourceNamed('consultations'), entry, changes)
  await trx.query(sql`
    insert into consultation_steps (consultation_id, action, from_user_id, to_user_id, note, user_id)
    values (${document}, ${action}, ${from ?? null}, ${to ?? null}, ${note}, ${author.caller.id})`)
}
