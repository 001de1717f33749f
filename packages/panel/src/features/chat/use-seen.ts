/** Tells the server how far the thread was read, and shows the room as read once it has answered (spec §4). */
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { call } from '../../api/client.ts'
import { useViewedRole } from '../../api/use-obstacle.ts'
import { chatKeys, type OpenRoom, type RoomsPage } from './chat-data.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** In: the room, and the `seq` of its last message once it is on screen. */
export function useSeen(room: number, upTo: number | undefined): void {
  const cache = useQueryClient()
  // What lies behind another window is not read.
  const visible = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
  // Who looks as another role has read nothing.
  const viewed = useViewedRole()
  const { mutate } = useMutation({
    meta: { inPlace: true },
    mutationFn: (seq: number) =>
      call<{ data: { unread_message: number } }>('GET', '/seen_messages', { query: { room, upTo: seq } }),
    onSuccess: ({ data: { unread_message } }) => {
      cache.setQueriesData<InfiniteData<RoomsPage>>({ queryKey: chatKeys.rooms }, (lists) =>
        withUnread(lists, room, unread_message),
      )
      cache.setQueriesData<OpenRoom>(
        { queryKey: chatKeys.room(room) },
        (known) => known && { ...known, unread_message },
      )
      // The counts above the list.
      void cache.invalidateQueries({ queryKey: chatKeys.rooms })
    },
  })
  const tell = useEffectEvent((seq: number) => mutate(seq))
  useEffect(() => {
    if (visible && !viewed && upTo !== undefined) tell(upTo)
  }, [room, upTo, visible, viewed])
}

function withUnread(lists: InfiniteData<RoomsPage> | undefined, room: number, unread_message: number) {
  if (!lists) return undefined
  const pages = lists.pages.map((page) => ({
    ...page,
    results: page.results.map((row) => (row.id === room ? { ...row, unread_message } : row)),
  }))
  return { ...lists, pages }
}
