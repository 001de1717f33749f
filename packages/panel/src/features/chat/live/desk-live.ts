/** Leads what the socket says of the chat to the rooms and lists of this page, while the desk is on screen. */
import type { RoomChange } from '@dala/model'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isConnected, onConnection } from '../../../api/connection.ts'
import { hearChat, sayChat } from '../../../api/live.ts'
import { buildArrivals } from './arrivals.ts'
import { chatKeys, pollTime } from '../chat-data.ts'
import { historyQuery } from '../person/room-facts.ts'
import { dropRow, patchRow, renewLists } from '../rooms/rows.ts'
import { roomStoresOf } from './use-room-log.ts'

/** A first connection within this time comes with the page, in milliseconds. */
const atOnce = 1_000

/** Whether a change brings a message of somebody else, or one that is too long to say whose it is. */
const isFromOthers = ({ type, data }: RoomChange, reader: number): boolean =>
  type === 'created' && !('deleted' in data) && !('sender' in data && data.sender.id === reader)

/** Out: a function that ends it. */
function startDeskLive(cache: QueryClient, reader: number): () => void {
  const end = new AbortController()
  const { signal } = end
  const storeOf = (room: number) => roomStoresOf(cache).get(room)
  const checkAll = (locks: boolean) => {
    for (const store of roomStoresOf(cache).values()) store.check(locks)
  }
  const renewRoom = (room: number) => void cache.invalidateQueries({ queryKey: chatKeys.room(room) })
  const arrivals = buildArrivals((room, seq) => void sayChat('delivered', { room, seq }))
  let wasConnected = isConnected()
  const startedAt = Date.now()

  const stops = [
    // `update` carries the same messages for other clients: here each is applied once.
    hearChat('room:changed', ({ room, change, row }) => {
      storeOf(room)?.hear(change)
      // The revision that makes a message is its place, also where the event was too long for the rest of it.
      if (isFromOthers(change, reader)) arrivals.note(room, change.rev)
      if (row) patchRow(cache, row, reader)
      else dropRow(cache, room)
      // Whether one may write may be otherwise by now, and only the server knows.
      if (!row || change.type === 'assigned' || change.type === 'state') renewRoom(room)
      if (change.type === 'assigned') void cache.invalidateQueries({ queryKey: historyQuery(room).queryKey })
      renewLists(cache)
    }),
    hearChat('receipt', (news) => {
      // One's own place moved in another tab: how much is unread says the server.
      if (news.user === reader) renewLists(cache)
      else storeOf(news.room)?.receipt(news)
    }),
    hearChat('tick', ({ rooms }) => {
      for (const [room, rev] of Object.entries(rooms)) storeOf(Number(room))?.hearRev(rev)
      // One that is left out may be out of sight by now, and the news of that lost.
      for (const [room, store] of roomStoresOf(cache)) {
        if (room in rooms || !store.isOpen()) continue
        store.check(false)
        renewRoom(room)
      }
    }),
    onConnection((connected) => {
      if (!connected) return
      // What happened without a connection is unknown; the first one comes right after the page itself.
      checkAll(wasConnected)
      // A first one that comes late has missed what happened since the lists were asked for.
      if (wasConnected || Date.now() - startedAt > atOnce) renewLists(cache)
      if (wasConnected) {
        void cache.invalidateQueries({ queryKey: ['resource', 'chatrooms', 'open'] })
      }
      wasConnected = true
    }),
  ]
  window.addEventListener('online', () => checkAll(true), { signal })
  window.addEventListener('focus', () => checkAll(false), { signal })
  document.addEventListener('visibilitychange', () => document.hidden || checkAll(false), { signal })
  const poll = setInterval(() => {
    if (!isConnected() && !document.hidden) checkAll(false)
  }, pollTime)
  return () => {
    clearInterval(poll)
    end.abort()
    arrivals.stop()
    for (const stop of stops) stop()
  }
}

export function useDeskLive(reader: number | undefined): void {
  const cache = useQueryClient()
  useEffect(() => (reader === undefined ? undefined : startDeskLive(cache, reader)), [cache, reader])
}
