/** Chat events wherever the user is in the panel: for the title, the sound and notifications. */
import type { ChatNews } from '../../../api/live.ts'
import { useEffect, useEffectEvent } from 'react'
import { hearChat } from '../../../api/live.ts'

/** `assigned`: a room was assigned or unassigned; `arrived`: a message arrived in a room. */
export type DeskEvent = ({ type: 'assigned' } & ChatNews<'assigned'>) | ({ type: 'arrived' } & ChatNews<'room:changed'>)

/**
 * Calls `listener` for each event, including the user's own messages: `change.data.sender` names the author.
 */
export function useDeskEvents(listener: (event: DeskEvent) => void): void {
  const tell = useEffectEvent(listener)
  useEffect(() => {
    const stops = [
      hearChat('assigned', (news) => tell({ type: 'assigned', ...news })),
      hearChat('room:changed', (news) => {
        if (news.change.type === 'created') tell({ type: 'arrived', ...news })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
