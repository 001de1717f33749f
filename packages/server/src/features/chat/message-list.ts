/** Lists messages in ascending order: in pages, or around a place in one room (contract §11, chat §4). */
import { type ChatMessage, fault, maxInteger } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { computedSql } from '../../behaviours/computed.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { isObject } from '../../resources/read/context.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { itemSql } from './message-item.ts'

const [chatmessages, chatrooms] = [resourceNamed('chatmessages'), resourceNamed('chatrooms')]
const defaultLimit = 50
const maxLimit = 100

/** Returns the chat room that the filters name, if any. */
function roomOf(filters: unknown): number | undefined {
  let value = isObject(filters) ? filters.room : undefined
  if (isObject(value) && Object.keys(value).length === 1) value = value.id ?? value.$eq
  if (isObject(value) && Object.keys(value).length === 1) value = value.$eq
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0
  return id > 0 && id <= maxInteger ? id : undefined
}

/**
 * Refuses a named chat room outside the caller's rows: an empty list would reveal that it exists (contract
 * §11).
 *
 * @throws 404
 */
export async function assertReadableRoom(
  { database }: FeatureRoutes,
  { caller }: EnteredCall,
  room: number | undefined,
): Promise<void> {
  if (room === undefined) return
  const resource = resourceNamed('chatrooms')
  const view = viewOfResource(resource, caller, 'get') ?? {}
  const [foundRoom] = await runScopedQuery(database, { resource, caller, view }, ({ from, where, document }) => {
    return sql`select 1 from ${from} where ${sql.ref(`${document}.id`)} = ${room} and ${where}`
  })
  if (!foundRoom) throw fault('record.not-found')
}

/** Lists a page of chat messages by the filters of contract §6. */
export async function listMessages(routes: FeatureRoutes, enteredCall: EnteredCall) {
  const { caller, view, query } = enteredCall
  const pagination = readPagination(query.pagination)
  const [size, offset] =
    pagination.form === 'page'
      ? [pagination.pageSize, (pagination.page - 1) * pagination.pageSize]
      : [pagination.limit, pagination.start]
  const rows = await runScopedQuery(routes.database, { resource: chatmessages, caller, view, query }, (scopedParts) => {
    const { from, where, document } = scopedParts
    const [room, seq, id] = ['room_id', 'seq', 'id'].map((column) => sql.ref(`${document}.${column}`))
    return sql<{ total: number; item: ChatMessage | null }>`
      with total as (select count(*)::int as count from ${from} where ${where}),
      page as materialized (
        select ${sql.table(document)}.* from ${from} where ${where} order by ${room}, ${seq}, ${id} limit ${size} offset ${offset})
      select total.count as total, ${itemSql('page')} as item from total left join page on true order by page.room_id, page.seq, page.id`
  })
  const results = rows.flatMap(({ item }) => item ?? [])
  if (results.length === 0) await assertReadableRoom(routes, enteredCall, roomOf(query.filters))
  const total = rows[0]?.total ?? 0
  return { results, pagination: presentPagination(pagination, pagination.withCount ? total : undefined) }
}

const rangeKeys = ['before', 'after', 'around'] as const
type Place = (typeof rangeKeys)[number]

/** Keys of the query that name a place in a chat room. */
type MessageRange = Readonly<Partial<Record<Place | 'limit', number | undefined>>>

/**
 * Returns the place in a chat room that the query names, if any.
 *
 * @throws 400 for several places.
 */
function placeInRoom(range: MessageRange): { is: Place; seq: number } | undefined {
  const [firstBound, secondBound] = rangeKeys.flatMap((is) => (range[is] === undefined ? [] : { is, seq: range[is] }))
  if (secondBound) throw fault('query.parameter', { params: { key: secondBound.is } })
  return firstBound
}

/**
 * Computes the edge of a page of messages around a place, and how many messages the page has on either side.
 */
function messageWindow({ is, seq }: NonNullable<ReturnType<typeof placeInRoom>>, limit: number) {
  if (is === 'before') return { edge: seq, older: limit, newer: 0 }
  if (is === 'after') return { edge: seq + 1, older: 0, newer: limit }
  const olderCount = Math.floor(limit / 2)
  return { edge: seq, older: olderCount, newer: limit - olderCount }
}

/** Row of a message with whether there are more outside the page; a page without messages has one row. */
interface NeighbourRow {
  has_older: boolean
  has_newer: boolean
  /** Last revision of the chat room; null without a room. */
  rev: number | null
  item: ChatMessage | null
}

/**
 * Lists messages before, after or around a place in one chat room.
 *
 * @returns `undefined` when the query names no place.
 */
export async function listMessagesAround(routes: FeatureRoutes, enteredCall: EnteredCall, range: MessageRange) {
  const { caller, view, query } = enteredCall
  const rangeInRoom = placeInRoom(range)
  if (!rangeInRoom) return undefined
  const room = roomOf(query.filters)
  if (room === undefined) throw fault('query.parameter', { params: { key: 'filters[room]' } })
  const { limit = defaultLimit } = range
  const { edge, older, newer } = messageWindow(rangeInRoom, Math.min(Math.max(limit, 1), maxLimit))
  const rows = await runScopedQuery(routes.database, { resource: chatmessages, caller, view, query }, (scopedParts) => {
    const { from, where, document } = scopedParts
    const seq = sql.ref(`${document}.seq`)
    const entry = { resource: chatrooms, document: 'r', text: 'r' }
    const rev = sql`(select ${computedSql(entry, 'rev')} from chatrooms r where r.id = ${room})`
    const readableMessagesSql = sql`select ${sql.table(document)}.* from ${from} where ${where}`
    return sql<NeighbourRow>`
      with older as materialized (${readableMessagesSql} and ${seq} < ${edge} order by ${seq} desc limit ${older}),
      newer as materialized (${readableMessagesSql} and ${seq} >= ${edge} order by ${seq} limit ${newer}),
      item as (select * from older union all select * from newer),
      cursor as (
        select exists (select 1 from ${from} where ${where} and ${seq} < coalesce((select min(o.seq) from older o), ${edge}::int)) as has_older,
               exists (select 1 from ${from} where ${where} and ${seq} > coalesce((select max(n.seq) from newer n), ${edge}::int - 1)) as has_newer)
      select cursor.has_older, cursor.has_newer, ${rev} as rev, ${itemSql('item')} as item
        from cursor left join item on true order by item.seq`
  })
  const results = rows.flatMap(({ item }) => item ?? [])
  if (results.length === 0) await assertReadableRoom(routes, enteredCall, room)
  const { has_older, has_newer, rev } = rows[0] ?? { has_older: false, has_newer: false, rev: null }
  return { results, cursor: { has_older, has_newer }, rev: rev ?? 0 }
}
