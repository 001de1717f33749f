/** Changes the state of a room: a conversation waits for the customer, or ends (chat §4). */
import { fault, type StateStep } from '@dala/model'
import type { Database, Transaction } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import type { EnteredCall } from '../../resources/feature-routes.ts'
import { releaseFromRemovedMembers } from '../../domain/conversations/desk-moves.ts'
import { addStateChange } from '../../domain/conversations/room-states.ts'
import { checkSteps } from '../../resources/write/rules.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { readRevision } from './room-revision.ts'
import { sideInRoom } from './sides.ts'

const chatrooms = resourceNamed('chatrooms')

/**
 * Changes the state of a chat room, by the transitions that the model allows the caller; the same state again
 * changes nothing. A room that is reopened goes on with its episode; one whose owner was removed meanwhile
 * returns to the queue.
 *
 * @returns The revision of the room.
 * @throws 404 outside the caller's rows, 403 and 422.
 */
export async function changeRoomState(
  trx: Transaction,
  database: Database,
  { caller, author, view }: EnteredCall,
  id: number,
  { state: newState, reason }: StateStep,
): Promise<number> {
  let room = await lockEntry(trx, chatrooms, id, { author, view })
  if (!room) throw fault('record.not-found')
  const callerSide = sideInRoom(caller, room.values)
  if (callerSide === 'former') throw fault('access.denied')
  if (newState === room.values.state) return readRevision(trx, room, callerSide)
  checkSteps(chatrooms, caller, room.values, { state: newState })
  if (room.values.state === 'closed' && (await releaseFromRemovedMembers(trx, { database, author }, room)))
    room = (await lockEntry(trx, chatrooms, id, { author, view: {} })) ?? room
  const valuesBefore = room.values
  const otherValues = await addStateChange(trx, {
    room: room.document,
    before: valuesBefore,
    to: newState,
    reason,
    user: caller.id,
  })
  await updateEntry({ database, author, view: {}, isTrusted: true, trx }, chatrooms, id, {
    state: newState,
    ...otherValues,
  })
  return Number(otherValues.revision)
}
