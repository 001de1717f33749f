/** Assigns a room: a consultant takes a free one, or somebody hands one over (chat §4, §5). */
import { fault, type Issue, rankOfRole, type RoomAssignment, unprocessableFault } from '@dala/model'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { assertPersonAnswers, removedPeopleIn, staleOwnerFault } from '../../domain/conversations/desk.ts'
import { handOverRoom } from '../../domain/conversations/desk-moves.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import type { EnteredCall } from '../../resources/feature-routes.ts'
import { readRevision } from './room-revision.ts'
import { sideInRoom } from './sides.ts'

/**
 * Assigns the chat room to a member of the desk, or gives it back to its receiver. Admins and the owner may
 * assign; a consultant may take a free room. A hand-over requires a note; taking a room does not. `from`,
 * when sent, must still be the owner.
 *
 * @returns The revision of the room as the caller counts.
 * @throws 404, 403, 422, and 409 with the present owner.
 */
export async function assignRoom(
  trx: Transaction,
  database: Database,
  { caller, author }: EnteredCall,
  id: number,
  { to, from, note }: RoomAssignment,
): Promise<number> {
  const room = await lockEntry(trx, resourceNamed('chatrooms'), id, { author, view: {} })
  if (!room) throw fault('record.not-found')
  const { sender, receiver, assignee } = room.values
  const callerSide = sideInRoom(caller, room.values)
  const presentAssignee = assignee ?? receiver
  const owner = typeof presentAssignee === 'number' ? presentAssignee : null
  const isStaff = rankOfRole(caller.role) >= rankOfRole('admin')
  const isTaking = to === caller.id && caller.isConsultant && callerSide !== 'asker'
  // A colleague may have taken the chat room a moment ago; the 409 then names them.
  if (callerSide === undefined && !isTaking) throw fault('record.not-found')
  if (!isStaff && callerSide !== 'owner' && !isTaking) throw fault('access.denied')
  const isForeign = !isStaff && owner !== null && owner !== caller.id
  if ((from !== undefined && from !== owner) || isForeign) throw await staleOwnerFault(trx, owner)
  if (to === owner || (to === null && assignee === null)) return readRevision(trx, room, callerSide)
  const issues: Issue[] = []
  if (note === null && to !== caller.id)
    issues.push({ path: ['note'], code: 'state.reason', params: { field: 'note' } })
  if (to === sender) issues.push({ path: ['to'], code: 'desk.no-consultant', params: { field: 'to' } })
  if (issues.length > 0) throw unprocessableFault(issues)
  // The taking of a chat room is checked as well: a user who is being blocked at this moment cannot take a
  // room.
  if (to !== null) await assertPersonAnswers(trx, to, 'to')
  // A chat room whose receiver is blocked or removed returns to the queue, so it has no owner.
  const isReceiverGone = to === null && (await removedPeopleIn(trx, [receiver])).size > 0
  const change = { assignee: to, ...(isReceiverGone && { receiver: null }) }
  const rev = await handOverRoom(trx, { database, author }, room, change, note)
  return callerSide === 'asker' ? readRevision(trx, room, callerSide) : rev
}
