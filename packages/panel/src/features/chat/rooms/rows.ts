/** Applies a row from the server to the lists of rooms and to the head of the open room. */
import type { RoomRow } from '@dala/model'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { chatKeys, type OpenRoom, type RoomsPage } from '../chat-data.ts'

type Lists = InfiniteData<RoomsPage>

const mapRows = (lists: Lists, change: (rows: RoomsPage['results']) => RoomsPage['results']): Lists => ({
  ...lists,
  pages: lists.pages.map((page) => ({ ...page, results: change(page.results) })),
})

/** Keeps the later revision: rows of different requests and events overtake each other. */
const newer = <T extends { rev: number }>(known: T, row: Partial<T> & { rev: number }): T =>
  row.rev < known.rev ? known : { ...known, ...row }

/**
 * The fields of a row that apply to the user: an observer gets a row without a personal count, which comes
 * from the list only.
 */
function shownTo(reader: number, row: RoomRow) {
  const { createdAt: _createdAt, tags: _tags, unread_message, ...shown } = row
  const isMember = [row.sender, row.receiver, row.assignee].some((person) => person?.id === reader)
  return { ...shown, ...(isMember && { unread_message }) }
}

/** Applies a row. If the room is not listed or its position has changed, only the server's list can tell. */
export function patchRow(cache: QueryClient, row: RoomRow, reader: number): void {
  const shown = shownTo(reader, row)
  cache.setQueriesData<Lists>(
    { queryKey: chatKeys.rooms },
    (lists) => lists && mapRows(lists, (rows) => rows.map((each) => (each.id === row.id ? newer(each, shown) : each))),
  )
  cache.setQueriesData<OpenRoom>({ queryKey: chatKeys.room(row.id) }, (known) => {
    if (!known || row.rev < known.rev) return known
    return { ...known, ...shown, tags: row.tags.map((tag) => ({ ...tag })) }
  })
}

/** Removes a room that the user may no longer see. */
export function dropRow(cache: QueryClient, room: number): void {
  cache.setQueriesData<Lists>(
    { queryKey: chatKeys.rooms },
    (lists) => lists && mapRows(lists, (rows) => rows.filter(({ id }) => id !== room)),
  )
}

/** Stores the unread count that the server has returned. */
export function setUnread(cache: QueryClient, room: number, unread_message: number): void {
  cache.setQueriesData<Lists>(
    { queryKey: chatKeys.rooms },
    (lists) =>
      lists && mapRows(lists, (rows) => rows.map((each) => (each.id === room ? { ...each, unread_message } : each))),
  )
  cache.setQueriesData<OpenRoom>({ queryKey: chatKeys.room(room) }, (known) => known && { ...known, unread_message })
}

/** Minimum interval between reloads of the lists, in milliseconds: counts and order follow a patched row. */
const pause = 2_000
/** All consultants get the event of an unassigned room; a random delay spreads their requests. */
const spread = () => Math.random() * 1_000
const last = new WeakMap<QueryClient, number>()
const planned = new WeakSet<QueryClient>()

/** Schedules one reload of the lists for all changes until then. */
export function renewLists(cache: QueryClient): void {
  if (planned.has(cache)) return
  planned.add(cache)
  const wait = Math.max(spread(), (last.get(cache) ?? 0) + pause - Date.now())
  setTimeout(() => {
    planned.delete(cache)
    last.set(cache, Date.now())
    for (const queryKey of [chatKeys.rooms, chatKeys.unread]) void cache.invalidateQueries({ queryKey })
  }, wait)
}
