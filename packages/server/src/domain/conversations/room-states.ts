/** The state of a room: whichever way it is changed, it is one revision that both sides may know of (chat §4). */
import type { Transaction } from '../../db/database.ts'
import type { Facts } from '../../resources/write/behaviour.ts'
import { noteChange } from './room-changes.ts'

interface Step {
  room: number
  /** What is stored of the room, which is locked. */
  before: Facts
  to: unknown
  /** Why: for the desk. */
  reason: string | null
  user: number
}

/** Notes that a room goes to another state. Out: what it sets besides; closing ends the wait, and the episode with it. */
export async function noteState(trx: Transaction, { room, before, to, reason, user }: Step): Promise<Facts> {
  const rev = Number(before.revision) + 1
  const data = { from: before.state, to, ...(reason !== null && { reason }) }
  await noteChange(trx, { room, rev, type: 'state', audience: 'public', data, user })
  return { revision: rev, ...(to === 'closed' && { waiting_since: null, warn_at: null, due_at: null }) }
}
