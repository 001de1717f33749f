/** Brings what the lists of rooms and the head of the open one show up to date in its place, from a row that the server sent. */
import type { RoomRow } from '@dala/model'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { chatKeys, type OpenRoom, type RoomsPage } from '../chat-data.ts'

type Lists = InfiniteData<RoomsPage>

const mapRows = (lists: Lists, change: (rows: RoomsPage['results']) => RoomsPage['results']): Lists => ({
  ...lists,
  pages: lists.pages.map((page) => ({ ...page, results: change(page.results) })),
})

/** What came later is kept: rows of different calls and events overtake each other. */
const newer = <T extends { rev: number }>(known: T, row: Partial<T> & { rev: number }): T =>
  row.rev < known.rev ? known : { ...known, ...row }

/** What of a row is the reader's: who only looks on is told a row of nobody's, and his own count by the list alone. */
function shownTo(reader: number, row: RoomRow) {
  const { createdAt: _createdAt, tags: _tags, unread_message, ...shown } = row
  const isMember = [row.sender, row.receiver, row.assignee].some((person) => person?.id === reader)
  return { ...shown, ...(isMember && { unread_message }) }
}

/** Takes a row over. Where the room is not listed yet, or stands elsewhere now, only the server's list can say. */
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

/** A room that the reader may not see any more. */
export function dropRow(cache: QueryClient, room: number): void {
  cache.setQueriesData<Lists>(
    { queryKey: chatKeys.rooms },
    (lists) => lists && mapRows(lists, (rows) => rows.filter(({ id }) => id !== room)),
  )
}

/** The unread count that the server has answered with. */
export function setUnread(cache: QueryClient, room: number, unread_message: number): void {
  cache.setQueriesData<Lists>(
    { queryKey: chatKeys.rooms },
    (lists) =>
      lists && mapRows(lists, (rows) => rows.map((each) => (each.id === room ? { ...each, unread_message } : each))),
  )
  cache.setQueriesData<OpenRoom>({ queryKey: chatKeys.room(room) }, (known) => known && { ...known, unread_message })
}

/** Lists are asked for again at most this often: counts and order follow what was patched. */
const pause = 2_000
/** Of a room that nobody has all consultants hear at once; not all of them ask at once. */
const spread = () => Math.random() * 1_000
const last = new WeakMap<QueryClient, number>()
const planned = new WeakSet<QueryClient>()

/** Asks for the lists again, soon, and once for all that happens until then. */
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
