/** Changes of a room's state: each is one revision that both sides may see (chat §4). */
import type { Transaction } from '../../db/database.ts'
import type { FieldValues } from '../../resources/write/behaviour.ts'
import { addRoomChange } from './room-changes.ts'
import { noteRoomStep, ownerOfRoom } from './room-steps.ts'
import { forgetEndOfWait, noteEndOfWait, clearedWait } from './waits.ts'

interface Step {
  room: number
  /** Stored values of the locked chat room. */
  before: FieldValues
  to: unknown
  /** Start of the wait that goes on, when the change undoes a closing. */
  waitingSince?: unknown
  /** Reason of the change of a chat room's state, visible to the desk. */
  reason: string | null
  user: number
}

/**
 * Adds a change of a chat room's state.
 *
 * @returns The additional values to set; closing ends the wait, and the episode with it.
 */
export async function addStateChange(
  trx: Transaction,
  { room, before, to, reason, user, waitingSince }: Step,
): Promise<FieldValues> {
  const rev = Number(before.revision) + 1
  const data = { from: before.state, to, ...(reason !== null && { reason }) }
  await addRoomChange(trx, { room, rev, type: 'state', audience: 'public', data, user })
  if ((to === 'closed') !== (before.state === 'closed')) {
    await noteRoomStep(trx, { room, values: before, action: to === 'closed' ? 'close' : 'reopen', user })
    if (to === 'closed')
      await noteEndOfWait(trx, { case: { room }, turn: before.episode, before, owner: ownerOfRoom(before) })
    else await forgetEndOfWait(trx, { room }, waitingSince)
  }
  return { revision: rev, ...(to === 'closed' && clearedWait) }
}
