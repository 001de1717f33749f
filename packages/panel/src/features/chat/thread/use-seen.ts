/** Tells the server how far the thread was read, and shows the room as read once it has answered (requirements §4). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { useConnected } from '../../../api/connection.ts'
import { callRoute } from '../../../api/route.ts'
import { useViewedRole } from '../../../api/use-obstacle.ts'
import { afterAnswer, afterTelling, nothingTold, toTell } from '../core/read-marks.ts'
import { renewLists, setUnread } from '../rooms/rows.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** In: the room, the `seq` of its last message once it is on screen, and whether reading it counts at all. */
export function useSeen(room: number, upTo: number | undefined, counts: boolean): void {
  const cache = useQueryClient()
  const telling = useRef(nothingTold)
  // What lies behind another window is not read.
  const isVisible = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
  // Who looks as another role has read nothing.
  const isOpen = useViewedRole() === undefined && counts
  // One that was lost is told again then.
  const connected = useConnected()
  const { mutate } = useMutation({
    meta: { inPlace: true, handled: true },
    mutationFn: (seq: number) => callRoute('GET /api/seen_messages', { query: { room, upTo: seq } }),
    onSuccess: ({ data: { unread_message } }, seq) => {
      telling.current = afterAnswer(telling.current, seq, true)
      setUnread(cache, room, unread_message)
      // The counts above the list.
      renewLists(cache)
    },
    onError: (_error, seq) => {
      telling.current = afterAnswer(telling.current, seq, false)
    },
  })
  const tell = useEffectEvent(() => {
    const seq = toTell(telling.current, { seq: upTo, isVisible, isOpen })
    if (seq === undefined) return
    telling.current = afterTelling(telling.current, seq)
    mutate(seq)
  })
  useEffect(() => tell(), [room, upTo, isVisible, isOpen, connected])
}
