/** Changes of a room's state: each is one revision that both sides may see (chat §4). */
import type { Transaction } from '../../db/database.ts'
import type { Facts } from '../../resources/write/behaviour.ts'
import { addRoomChange } from './room-changes.ts'

interface Step {
  room: number
  /** Stored values of the locked chat room. */
  before: Facts
  to: unknown
  /** Reason of the change of a chat room's state, visible to the desk. */
  reason: string | null
  user: number
}

/**
 * Notes a change of a chat room's state.
 *
 * @returns The additional values to set; closing ends the wait, and the episode with it.
 */
export async function addStateChange(trx: Transaction, { room, before, to, reason, user }: Step): Promise<Facts> {
  const rev = Number(before.revision) + 1
  const data = { from: before.state, to, ...(reason !== null && { reason }) }
  await addRoomChange(trx, { room, rev, type: 'state', audience: 'public', data, user })
  return { revision: rev, ...(to === 'closed' && { waiting_since: null, warn_at: null, due_at: null }) }
}
