/** Who is who in a room: the asking side, the owner who answers, and the rest of the desk (product/chat.md §4). */
import { type Caller, rankOf } from '@dala/model'

/** Who is in a room, by the ids of their accounts. */
interface People {
  sender?: unknown
  receiver?: unknown
  assignee?: unknown
}

export type Side = 'asker' | 'owner' | 'desk'

/** The side a caller is on; undefined for somebody who has nothing to do with the room. */
export function sideOf(caller: Caller, { sender, receiver, assignee }: People): Side | undefined {
  if (sender === caller.id) return 'asker'
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
