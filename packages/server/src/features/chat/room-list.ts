/**
 * Reads the lists of rooms: all rooms that the caller may read, and their own with counts (contract §11, chat
 * §4).
 */
import { fault, isLocale, type OwnRooms, type Resource, type RoomOrder, type RoomRow } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { computedSql } from '../../behaviours/computed.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { isObject } from '../../resources/read/context.ts'
import { parseList, readPagination } from '../../resources/read/parse-query.ts'
import { readId, readText, readBoolean, toSearchPatterns } from '../../resources/read/query-values.ts'
import { presentPagination, readList } from '../../resources/read/read.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { presentRow, rowSql, type StoredRoom } from './room-row.ts'

type Sql = Template<unknown>

const chatrooms: Resource = resourceNamed('chatrooms')
const person = { fields: ['username', 'first_name', 'last_name'], populate: { avatar: { fields: ['url'] } } }
const scalarFilters = [
  'room',
  'unread_message',
  'last_message',
  'createdAt',
  'updatedAt',
  'rev',
  'state',
  'waiting_since',
  'warn_at',
  'due_at',
  'language',
]

/** Lists the chat rooms in the caller's rows, by the queries of contract §5 and §6; records are flat. */
export async function listRooms({ database, totals }: FeatureRoutes, { caller, view, query }: EnteredCall) {
  const { filters, sort, _q, pagination, locale } = query
  const listQuery = parseList(
    {
      filters,
      sort,
      _q,
      pagination,
      locale,
      fields: scalarFilters,
      populate: {
        sender: person,
        receiver: person,
        assignee: person,
        tags: { fields: ['name', 'color'] },
      },
    },
    chatrooms,
    caller,
    view,
  )
  const { entries, pagination: shownPagination } = await readList(database, totals, {
    ...listQuery,
    shape: { ...listQuery.shape, isFlat: true },
  })
  return { results: entries as RoomRow[], pagination: shownPagination }
}

/** Keys of the chat room list's query that the contract validates. */
interface RoomListQuery {
  scope?: 'own' | 'all' | undefined
  q?: string | undefined
  sort?: RoomOrder | undefined
}

/**
 * Returns the view of own chat rooms: the rows that a caller without staff rights would see, including free
 * ones for a consultant (contract §11). With `scope=all` the rows of the caller's role: the whole desk for
 * staff.
 */
function roomListView({ caller }: EnteredCall, scope: RoomListQuery['scope']) {
  const role = scope === 'all' ? caller.role : 'authenticated'
  return viewOfResource(chatrooms, { ...caller, role }, 'list') ?? {}
}

const badValue = (key: string) => fault('query.value', { params: { key } })

/** Returns the value of a chat room filter, also when it is written with `$eq`. */
function filterValue(value: unknown): unknown {
  return isObject(value) && Object.keys(value).length === 1 && '$eq' in value ? value.$eq : value
}

/** SQL of whether a chat room waits longer than its target. */
const isBreachedSql = sql`(waiting_since is not null and due_at < now())`

/**
 * SQL of the filters of chat §4 on the caller's own chat rooms, the rows of `mine`.
 *
 * @throws 400 for unknown filters and wrong values.
 */
function filterSql(filters: unknown, me: number): Sql[] {
  if (filters === undefined) return []
  if (!isObject(filters)) throw fault('query.parameter', { params: { key: 'filters' } })
  return Object.entries(filters).map(([key, rawFilter]): Sql => {
    const value = filterValue(rawFilter)
    switch (key) {
      case 'unread':
        return readBoolean(value, key) ? sql`m.unread_message > 0` : sql`m.unread_message = 0`
      case 'assignee':
        if (value === 'me') return sql`coalesce(m.assignee_id, m.receiver_id) = ${me}`
        if (value === 'none') return sql`m.assignee_id is null and m.receiver_id is null`
        return sql`m.assignee_id = ${readId(value, key)}`
      case 'owner':
        return sql`coalesce(m.assignee_id, m.receiver_id) = ${readId(value, key)}`
      case 'state':
        return sql`m.state = ${readText(value, key)}`
      case 'region':
        return sql`m.region_id in (select document_id from regions_texts where id = ${readId(value, key)})`
      case 'category':
        return sql`m.category_id in (select document_id from consultationcategories_texts where id = ${readId(value, key)})`
      case 'language':
        if (!isLocale(value)) throw badValue(key)
        return sql`m.language = ${value}`
      case 'waiting':
        return readBoolean(value, key) ? sql`m.waiting_since is not null` : sql`m.waiting_since is null`
      case 'breached':
        return readBoolean(value, key) ? isBreachedSql : sql`not coalesce(${isBreachedSql}, false)`
      case 'waiting_over':
        // The value of the filter `waiting_over` is a number of minutes.
        return sql`m.waiting_since < now() - make_interval(mins => ${readId(value, key)}::int)`
      default:
        throw fault('query.parameter', { params: { key } })
    }
  })
}

/** SQL for chat rooms where a member's name or the last message contains the text, in any spelling. */
function searchSql(searchText: string | undefined): Sql[] {
  if (!searchText) return []
  const patterns = toSearchPatterns(searchText)
  const matchesAnySql = (text: Sql) => sql`search_key(${text}) like any(${patterns}::text[])`
  const people = sql`exists (
    select 1 from users u where u.id in (m.sender_id, m.receiver_id, m.assignee_id)
       and ${matchesAnySql(sql`concat_ws(' ', u.name, u.surname, u.username)`)})`
  return [sql`(${people} or ${matchesAnySql(sql`coalesce(m.last_message ->> 'text', '')`)})`]
}

const orders: Readonly<Record<RoomOrder, Sql>> = {
  waiting: sql`m.waiting_since asc nulls last, m.latest desc, m.id desc`,
  latest: sql`m.latest desc, m.id desc`,
  unread: sql`(m.unread_message > 0) desc, m.latest desc, m.id desc`,
}

/** Room with the counts of all chat rooms; a list without rooms has one row. */
interface OwnRow {
  counts: OwnRooms['counts']
  total: number
  unread: number
  rev: number
  room: StoredRoom | null
}

const emptyCounts: OwnRooms['counts'] = { all: 0, mine: 0, unassigned: 0, unread: 0, waiting: 0, breached: 0 }

/** Lists own chat rooms with filters, search and order, and counts all own rooms, in one statement. */
export async function listOwnRooms({ database }: FeatureRoutes, enteredCall: EnteredCall, listQuery: RoomListQuery) {
  const { caller, query } = enteredCall
  const pagination = readPagination(query.pagination)
  const [size, offset] =
    pagination.form === 'page'
      ? [pagination.pageSize, (pagination.page - 1) * pagination.pageSize]
      : [pagination.limit, pagination.start]
  const conditions = [...filterSql(query.filters, caller.id), ...searchSql(listQuery.q)]
  const condition = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  const order = orders[listQuery.sort ?? 'latest']
  const language = isLocale(query.locale) ? query.locale : caller.language
  const rows = await runScopedQuery(
    database,
    { resource: chatrooms, caller, view: roomListView(enteredCall, listQuery.scope) },
    (scopedParts) => {
      const entry = { resource: chatrooms, document: scopedParts.document, text: scopedParts.document }
      const columnRef = (column: string) => sql.ref(`${scopedParts.document}.${column}`)
      return sql<OwnRow>`
      with mine as materialized (
        select ${sql.table(scopedParts.document)}.*, ${computedSql(entry, 'room')} as room,
               ${computedSql(entry, 'unread_message')} as unread_message, ${computedSql(entry, 'rev')} as rev,
               coalesce((${columnRef('last_message')} ->> 'createdAt')::timestamptz, ${columnRef('created_at')}) as latest
          from ${scopedParts.from} where ${scopedParts.where}),
      matching as materialized (select m.* from mine m where ${condition}),
      page as materialized (
        select m.*, row_number() over (order by ${order}) as place from matching m order by ${order} limit ${size} offset ${offset}),
      counts as (
        select count(*)::int as "all",
               count(*) filter (where coalesce(assignee_id, receiver_id) = ${caller.id})::int as mine,
               count(*) filter (where assignee_id is null and receiver_id is null)::int as unassigned,
               count(*) filter (where unread_message > 0)::int as unread,
               count(*) filter (where waiting_since is not null)::int as waiting,
               count(*) filter (where ${isBreachedSql})::int as breached
          from mine)
      select row_to_json(counts) as counts, (select count(*)::int from matching) as total, page.unread_message as unread,
             page.rev, ${rowSql('page')} as room
        from counts left join page on true order by page.place`
    },
  )
  const { total = 0, counts = emptyCounts } = rows[0] ?? {}
  return {
    results: rows.flatMap(({ room, unread, rev }) => (room ? presentRow(room, { language, unread, rev }) : [])),
    pagination: presentPagination(pagination, pagination.withCount ? total : undefined),
    counts,
  }
}
