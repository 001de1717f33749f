/**
 * Sends how far the user has read the thread, and marks the room as read after the answer (requirements §4).
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { useConnected } from '../../../api/connection.ts'
import { callRoute } from '../../../api/route.ts'
import { useViewedRole } from '../../../api/use-obstacle.ts'
import { applyReadAnswer, markAsSent, noSentMarks, nextMark } from '../core/read-marks.ts'
import { scheduleListReload, setUnread } from '../rooms/rows.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/**
 * Sends the read mark of a chat room.
 *
 * @param room - Id of the room.
 * @param upTo - `seq` of its last message once it is visible.
 * @param isCounted - Whether messages read here count as read.
 */
export function useSeen(room: number, upTo: number | undefined, isCounted: boolean): void {
  const cache = useQueryClient()
  const sentMarks = useRef(noSentMarks)
  // Messages of a page behind another window have not been read.
  const isVisible = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
  // A user who views as another role marks no message as read.
  const isOpen = useViewedRole() === undefined && isCounted
  // A lost read mark is sent again when the connection is back.
  const isConnected = useConnected()
  const { mutate } = useMutation({
    meta: { inPlace: true, handled: true },
    mutationFn: (seq: number) => callRoute('GET /api/seen_messages', { query: { room, upTo: seq } }),
    onSuccess: ({ data: { unread_message } }, seq) => {
      sentMarks.current = applyReadAnswer(sentMarks.current, seq, true)
      setUnread(cache, room, unread_message)
      // The read mark also changes the unread counts above the room list, so the list is reloaded.
      scheduleListReload(cache)
    },
    onError: (_error, seq) => {
      sentMarks.current = applyReadAnswer(sentMarks.current, seq, false)
    },
  })
  const sendMark = useEffectEvent(() => {
    const seq = nextMark(sentMarks.current, { seq: upTo, isVisible, isOpen })
    if (seq === undefined) return
    sentMarks.current = markAsSent(sentMarks.current, seq)
    mutate(seq)
  })
  useEffect(() => sendMark(), [room, upTo, isVisible, isOpen, isConnected])
}
