/** Applies a row from the server to the lists of rooms and to the head of the open room. */
import type { RoomRow } from '@dala/model'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { chatKeys, type OpenRoom, type RoomsPage } from '../chat-data.ts'

type RoomPages = InfiniteData<RoomsPage>

const mapRows = (lists: RoomPages, change: (rows: RoomsPage['results']) => RoomsPage['results']): RoomPages => ({
  ...lists,
  pages: lists.pages.map((page) => ({ ...page, results: change(page.results) })),
})

/** Returns the later revision of a room's row: rows of different requests and events overtake each other. */
const mergeIfNewer = <T extends { rev: number }>(cachedRow: T, row: Partial<T> & { rev: number }): T =>
  row.rev < cachedRow.rev ? cachedRow : { ...cachedRow, ...row }

/**
 * Returns the fields of a room's row that apply to the user: the personal unread count only for members of
 * the room.
 */
function pickRowFields(reader: number, row: RoomRow) {
  const { createdAt: _createdAt, tags: _tags, unread_message, ...visibleFields } = row
  const isMember = [row.sender, row.receiver, row.assignee].some((person) => person?.id === reader)
  return { ...visibleFields, ...(isMember && { unread_message }) }
}

/**
 * Applies a room's row to the lists. If the room is not listed or its position has changed, only the server
 * knows the order.
 */
export function patchRow(cache: QueryClient, row: RoomRow, reader: number): void {
  const visibleRow = pickRowFields(reader, row)
  cache.setQueriesData<RoomPages>(
    { queryKey: chatKeys.rooms },
    (lists) =>
      lists &&
      mapRows(lists, (rows) =>
        rows.map((listedRow) => (listedRow.id === row.id ? mergeIfNewer(listedRow, visibleRow) : listedRow)),
      ),
  )
  cache.setQueriesData<OpenRoom>({ queryKey: chatKeys.room(row.id) }, (cachedRoom) => {
    if (!cachedRoom || row.rev < cachedRoom.rev) return cachedRoom
    return { ...cachedRoom, ...visibleRow, tags: row.tags.map((tag) => ({ ...tag })) }
  })
}

/** Removes a room that the user may no longer see. */
export function dropRow(cache: QueryClient, room: number): void {
  cache.setQueriesData<RoomPages>(
    { queryKey: chatKeys.rooms },
    (lists) => lists && mapRows(lists, (rows) => rows.filter(({ id }) => id !== room)),
  )
}

/** Stores the unread count of a room that the server has returned. */
export function setUnread(cache: QueryClient, room: number, unread_message: number): void {
  cache.setQueriesData<RoomPages>(
    { queryKey: chatKeys.rooms },
    (lists) =>
      lists &&
      mapRows(lists, (rows) =>
        rows.map((listedRow) => (listedRow.id === room ? { ...listedRow, unread_message } : listedRow)),
      ),
  )
  cache.setQueriesData<OpenRoom>(
    { queryKey: chatKeys.room(room) },
    (cachedRoom) => cachedRoom && { ...cachedRoom, unread_message },
  )
}

/**
 * Minimum interval between reloads of the room lists, in milliseconds: counts and order follow a changed row.
 */
const minInterval = 2_000
/**
 * Random delay of a reload in milliseconds, because all consultants get the event of an unassigned room at
 * once.
 */
const randomDelay = () => Math.random() * 1_000
const lastReloads = new WeakMap<QueryClient, number>()
const clientsWithReload = new WeakSet<QueryClient>()

/** Schedules one reload of the room lists for all changes until then. */
export function scheduleListReload(cache: QueryClient): void {
  if (clientsWithReload.has(cache)) return
  clientsWithReload.add(cache)
  const delay = Math.max(randomDelay(), (lastReloads.get(cache) ?? 0) + minInterval - Date.now())
  setTimeout(() => {
    clientsWithReload.delete(cache)
    lastReloads.set(cache, Date.now())
    for (const queryKey of [chatKeys.rooms, chatKeys.unread]) void cache.invalidateQueries({ queryKey })
  }, delay)
}
