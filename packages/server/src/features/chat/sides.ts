/** Who is who in a room: the asking side, the owner who answers, and the rest of the desk (chat §4). */
import { type Caller, rankOf } from '@dala/model'
import { isOfDesk } from '../../domain/delivery/sockets.ts'

/** Who is in a room, by the ids of their accounts. */
interface People {
  sender?: unknown
  receiver?: unknown
  assignee?: unknown
}

/** `former`: somebody who had it while he was of the desk. He reads what the customer reads, and writes nothing. */
export type Side = 'asker' | 'owner' | 'desk' | 'former'

/** The side a caller is on; undefined for somebody who has nothing to do with the room. */
export function sideOf(caller: Caller, { sender, receiver, assignee }: People): Side | undefined {
  if (sender === caller.id) return 'asker'
  if (!isOfDesk(caller)) return assignee === caller.id || receiver === caller.id ? 'former' : undefined
  const owner = assignee ?? receiver
  if (owner === caller.id) return 'owner'
  const isDesk =
    rankOf(caller.role) >= rankOf('admin') || receiver === caller.id || (caller.isConsultant && owner === null)
  return isDesk ? 'desk' : undefined
}

/** Whether a side may write: to the customer its owner alone and the customer himself, notes all of the desk. */
export function mayWrite(side: Side | undefined, kind: 'message' | 'note'): boolean {
  return kind === 'note' ? side === 'owner' || side === 'desk' : side === 'asker' || side === 'owner'
}
