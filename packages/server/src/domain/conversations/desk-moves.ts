/**
 * Hands rooms and consultations over to another user, with everything that is stored for it (chat §4, §5).
 */
import type { ConsultationAction } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { removedPeopleIn } from './desk.ts'
import { notifyRoomAssigned } from './desk-notices.ts'
import type { StoredEntry } from '../../resources/write/examine.ts'
import type { Author } from '../../resources/history/history.ts'
import { addRoomChange } from './room-changes.ts'
import { updateEntry } from '../../resources/write/write.ts'

export interface RoomHandOver {
  database: Database
  author: Author
}

/** A step of a consultation that is not an edit, with its reason. */
export interface ConsultationStep {
  action: ConsultationAction
  note: string | null
}

/**
 * Hands a locked chat room over: changes its members, increases its revision, and adds the hand-over to the
 * log of the chat desk.
 *
 * @param change - The new owner; `receiver` as well when nobody is to have the room.
 * @returns The revision.
 */
export async function handOverRoom(
  trx: Transaction,
  { database, author }: RoomHandOver,
  room: StoredEntry,
  change: { assignee: number | null; receiver?: null },
  note: string | null,
): Promise<number> {
  const rev = Number(room.values.revision) + 1
  const context = { database, author, view: {}, isTrusted: true, trx } as const
  await updateEntry(context, resourceNamed('chatrooms'), room.entry, { ...change, revision: rev })
  const { assignee, receiver } = { ...room.values, ...change }
  const data = { from: room.values.assignee ?? room.values.receiver, to: assignee ?? receiver, note }
  const user = author.caller.id
  await addRoomChange(trx, { room: room.document, rev, type: 'assigned', audience: 'staff', data, user })
  await notifyRoomAssigned(trx, { room: room.document, rev, to: data.to, by: user })
  return rev
}

/**
 * Takes a chat room from members who were removed since it was closed: it reopens with its receiver or in the
 * queue.
 *
 * @returns Whether it was moved.
 */
export async function releaseFromRemovedMembers(
  trx: Transaction,
  move: RoomHandOver,
  room: StoredEntry,
): Promise<boolean> {
  const { assignee, receiver } = room.values
  const removedIds = await removedPeopleIn(trx, [assignee, receiver])
  if (!removedIds.has(assignee ?? receiver)) return false
  await handOverRoom(trx, move, room, { assignee: null, ...(removedIds.has(receiver) && { receiver: null }) }, null)
  return true
}

/** Stores the changes that a step makes in a locked consultation, and the reason of the step. */
export async function storeConsultationStep(
  trx: Transaction,
  { database, author }: RoomHandOver,
  { entry, document }: StoredEntry,
  changes: Readonly<Record<string, unknown>>,
  { action, note }: ConsultationStep,
): Promise<void> {
  const context = { database, author, view: {}, isTrusted: true, trx } as const
  await updateEntry(context, resourceNamed('consultations'), entry, changes)
  // The rules of consultations have stored the step itself, as for any write that changes the same.
  if (note !== null)
    await trx.query(sql`
      update consultation_steps set note = ${note}
       where id = (select max(s.id) from consultation_steps s where s.consultation_id = ${document} and s.action = ${action})`)
}
