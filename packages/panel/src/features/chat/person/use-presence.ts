/** Who of the desk is here: known from what the server tells while the page is open. */
import { useSyncExternalStore } from 'react'
import { hearChat } from '../../../api/live.ts'
import { atSessionEnd } from '../../../lib/session-end.ts'

export type Presence = 'online' | 'offline'

const known = new Map<number, Presence>()
const listeners = new Set<() => void>()

hearChat('presence', ({ user, state }) => {
  known.set(user, state)
  for (const listener of listeners) listener()
})
atSessionEnd(() => known.clear())

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Undefined while nothing was heard of him: then `consultant.last_seen` and the like speak. */
export function usePresence(user: number | undefined): Presence | undefined {
  return useSyncExternalStore(subscribe, () => (user === undefined ? undefined : known.get(user)))
}
