/** Presence of consultants, from the events received while the page is open. */
import { useSyncExternalStore } from 'react'
import { onChat } from '../../../api/live.ts'
import { onSessionEnd } from '../../../lib/session-end.ts'

export type PresenceState = 'online' | 'offline'

const presenceByUser = new Map<number, PresenceState>()
const listeners = new Set<() => void>()

onChat('presence', ({ user, state }) => {
  presenceByUser.set(user, state)
  for (const listener of listeners) listener()
})
onSessionEnd(() => presenceByUser.clear())

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Presence of a user. It is undefined until an event was received: then fall back to `consultant.last_seen`
 * and the like.
 */
export function usePresence(user: number | undefined): PresenceState | undefined {
  return useSyncExternalStore(subscribe, () => (user === undefined ? undefined : presenceByUser.get(user)))
}
