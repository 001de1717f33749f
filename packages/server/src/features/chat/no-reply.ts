/** Ends the wait of a customer whose last message needs no reply (chat §6). */
import { fault, type NoReply, rankOfRole } from '@dala/model'
import type { Database, Transaction } from '../../db/database.ts'
import { addRoomChange } from '../../domain/conversations/room-changes.ts'
import { ownerOfRoom } from '../../domain/conversations/room-steps.ts'
import { noteEndOfWait, clearedWait } from '../../domain/conversations/waits.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall } from '../../resources/feature-routes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { readRevision } from './room-revision.ts'
import { sideInRoom } from './sides.ts'

const chatrooms = resourceNamed('chatrooms')

/**
 * Ends the wait in a chat room without a reply, by its owner or staff. The customer is not notified, and no
 * reply is stored. In a room where nobody waits it changes nothing.
 *
 * @returns The revision of the room.
 * @throws 404 outside the caller's rows, 403 for others.
 */
export async function endWait(
  trx: Transaction,
  database: Database,
  { caller, author, view }: EnteredCall,
  id: number,
  { reason }: NoReply,
): Promise<number> {
  const room = await lockEntry(trx, chatrooms, id, { author, view })
  if (!room) throw fault('record.not-found')
  const callerSide = sideInRoom(caller, room.values)
  const isStaff = callerSide === 'desk' && rankOfRole(caller.role) >= rankOfRole('admin')
  if (callerSide !== 'owner' && !isStaff) throw fault('access.denied')
  if (room.values.waiting_since === null) return readRevision(trx, room, callerSide)
  const { values, document } = room
  await noteEndOfWait(trx, {
    case: { room: document },
    turn: values.episode,
    before: values,
    owner: ownerOfRoom(values),
  })
  const rev = Number(room.values.revision) + 1
  const data = { reason }
  await addRoomChange(trx, { room: room.document, rev, type: 'no_reply', audience: 'staff', data, user: caller.id })
  const changes = { revision: rev, ...clearedWait }
  await updateEntry({ database, author, view: {}, isTrusted: true, trx }, chatrooms, id, changes)
  return rev
}
