/** Chat events wherever the user is in the panel: for the title, the sound and notifications. */
import type { ChatPayload } from '../../../api/live.ts'
import { useEffect, useEffectEvent } from 'react'
import { onChat } from '../../../api/live.ts'

/**
 * Kinds of chat events; `assigned`: a room was assigned or unassigned; `arrived`: a message arrived in a
 * room.
 */
export type DeskEvent =
  | ({ type: 'assigned' } & ChatPayload<'assigned'>)
  | ({ type: 'arrived' } & ChatPayload<'room:changed'>)

/**
 * Calls `listener` for each chat event, including the user's own messages: `change.data.sender` names the
 * author.
 */
export function useDeskEvents(listener: (event: DeskEvent) => void): void {
  const notifyListener = useEffectEvent(listener)
  useEffect(() => {
    const unsubscribers = [
      onChat('assigned', (payload) => notifyListener({ type: 'assigned', ...payload })),
      onChat('room:changed', (payload) => {
        if (payload.change.type === 'created') notifyListener({ type: 'arrived', ...payload })
      }),
    ]
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
  }, [])
}
