/** Applies the chat's socket events to the rooms and lists of this page while the desk is mounted. */
import type { RoomChange } from '@dala/model'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isConnected, onConnection } from '../../../api/connection.ts'
import { onChat, emitChat } from '../../../api/live.ts'
import { buildArrivals } from './arrivals.ts'
import { chatKeys, pollInterval } from '../chat-data.ts'
import { historyQuery } from '../person/room-details.ts'
import { dropRow, patchRow, scheduleListReload } from '../rooms/rows.ts'
import { roomStoresOf } from './use-room-log.ts'

/** Milliseconds within which a first connection counts as part of the page load. */
const batchDelay = 1_000

/** Whether a change brings a message of another user, or one too long to include its sender. */
const isFromOthers = ({ type, data }: RoomChange, reader: number): boolean =>
  type === 'created' && !('deleted' in data) && !('sender' in data && data.sender.id === reader)

/** Starts to listen to chat events and returns a function that stops. */
function startDeskLive(cache: QueryClient, reader: number): () => void {
  const end = new AbortController()
  const { signal } = end
  const storeOf = (room: number) => roomStoresOf(cache).get(room)
  const checkAllRooms = (isLocking: boolean) => {
    for (const store of roomStoresOf(cache).values()) store.check(isLocking)
  }
  const invalidateRoomNow = (room: number) => void cache.invalidateQueries({ queryKey: chatKeys.room(room) })
  const arrivals = buildArrivals((room, seq) => void emitChat('delivered', { room, seq }))
  let wasConnected = isConnected()
  const startTime = Date.now()

  const unsubscribers = [
    // The chat event `update` carries the same messages for other clients; the panel applies each message
    // once.
    onChat('room:changed', ({ room, change, row }) => {
      storeOf(room)?.applyChange(change)
      // The revision that creates a message is the message's `seq`, even if the event was too long to include
      // the message.
      if (isFromOthers(change, reader)) arrivals.add(room, change.rev)
      if (row) patchRow(cache, row, reader)
      else dropRow(cache, room)
      // The permission to write in the room may have changed, and only the server knows it.
      if (!row || change.type === 'assigned' || change.type === 'state' || change.type === 'no_reply')
        invalidateRoomNow(room)
      if (change.type === 'assigned') void cache.invalidateQueries({ queryKey: historyQuery(room).queryKey })
      scheduleListReload(cache)
    }),
    onChat('receipt', (receipt) => {
      // The user's own read mark moved in another tab: the server knows the unread count.
      if (receipt.user === reader) scheduleListReload(cache)
      else storeOf(receipt.room)?.receipt(receipt)
    }),
    onChat('tick', ({ rooms }) => {
      for (const [room, rev] of Object.entries(rooms)) storeOf(Number(room))?.noteRevision(rev)
      // A room that is missing in the list may have become invisible, and its event may be lost.
      for (const [room, store] of roomStoresOf(cache)) {
        if (room in rooms || !store.isOpen()) continue
        store.check(false)
        invalidateRoomNow(room)
      }
    }),
    onConnection((hasConnection) => {
      if (!hasConnection) return
      // Changes made without a connection are unknown, except before the first connection.
      checkAllRooms(wasConnected)
      // A late first connection has missed changes of rooms since the lists were loaded.
      if (wasConnected || Date.now() - startTime > batchDelay) scheduleListReload(cache)
      if (wasConnected) {
        void cache.invalidateQueries({ queryKey: ['resource', 'chatrooms', 'open'] })
      }
      wasConnected = true
    }),
  ]
  window.addEventListener('online', () => checkAllRooms(true), { signal })
  window.addEventListener('focus', () => checkAllRooms(false), { signal })
  document.addEventListener('visibilitychange', () => document.hidden || checkAllRooms(false), { signal })
  const pollTimer = setInterval(() => {
    if (!isConnected() && !document.hidden) checkAllRooms(false)
  }, pollInterval)
  return () => {
    clearInterval(pollTimer)
    end.abort()
    arrivals.stop()
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

export function useDeskLive(reader: number | undefined): void {
  const cache = useQueryClient()
  useEffect(() => (reader === undefined ? undefined : startDeskLive(cache, reader)), [cache, reader])
}
