/** Messages of a room, updated while the room is on screen. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { onSessionEnd } from '../../../lib/session-end.ts'
import { subscribeToViewing } from '../../../api/viewing.ts'
import { buildRoomStore, type RoomStore } from './room-store.ts'
import type { RoomView } from './room-view.ts'

let roomStoresByCache = new WeakMap<QueryClient, Map<number, RoomStore>>()
const clearStores = () => {
  roomStoresByCache = new WeakMap()
}
// Loaded messages of rooms belong to one session and one role, so they are cleared at its end.
onSessionEnd(clearStores)
subscribeToViewing(clearStores)

/** Stores of the chat rooms that were opened on this page, by the id of the room. */
export function roomStoresOf(cache: QueryClient): ReadonlyMap<number, RoomStore> {
  return readStores(cache)
}

/**
 * Records the revision of a chat room that the user's own change has made, so that it does not lock writing.
 *
 * @param cache - The cache of the session.
 * @param room - The id of the room.
 * @param rev - The revision, as the server's answer to the change names it.
 */
export function expectOwnRevision(cache: QueryClient, room: number, rev: number): void {
  roomStoresOf(cache).get(room)?.expectRevision(rev)
}

function readStores(cache: QueryClient): Map<number, RoomStore> {
  const existingStores = roomStoresByCache.get(cache) ?? new Map<number, RoomStore>()
  roomStoresByCache.set(cache, existingStores)
  return existingStores
}

function storeOf(cache: QueryClient, room: number): RoomStore {
  const roomStores = readStores(cache)
  const store = roomStores.get(room) ?? buildRoomStore(room)
  roomStores.set(room, store)
  return store
}

export function useRoomLog(room: number): RoomView {
  const store = storeOf(useQueryClient(), room)
  useEffect(() => store.open(), [store])
  return useSyncExternalStore(store.subscribe, store.read)
}

/** Reason why sending is disabled: unseen messages of others are still loading. */
export function useCatchingUp(room: number): string | undefined {
  const t = useT()
  return useRoomLog(room).isSynced ? undefined : t('chat.catchingUp')
}
