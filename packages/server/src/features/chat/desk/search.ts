/** Searches all messages that the caller may read (chat §4). */
import { type ChatMessage, maxCountedHits, type MessageHit, searchKey, searchWords, snippetOf } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import { resourceNamed, viewOfResource } from '../../../resources/attributes.ts'
import { personSql } from '../../../domain/conversations/desk.ts'
import type { EnteredCall, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { pageSql } from '../../../resources/read/pages.ts'
import { readPagination } from '../../../resources/read/parse-query.ts'
import { toSearchPatterns } from '../../../resources/read/query-values.ts'
import { presentPagination } from '../../../resources/read/read.ts'
import { zoneSql } from '../../../db/calendar.ts'
import { runScopedQuery } from '../../../resources/read/scoped.ts'
import { itemSql } from '../message-item.ts'
import { assertReadableRoom } from '../message-list.ts'

type Sql = Template<unknown>

const chatrooms = resourceNamed('chatrooms')

/** Maximum number of words in the query of a message search. */
const maxWords = 8
/** Minimum length of a searched word, because the index contains trigrams (decision 14). */
const minWordLength = 3
/** Keys of the message search's query that the contract validates: words, a chat room, and days. */
interface MessageSearch {
  q?: string | undefined
  room?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** SQL of the midnight at the start of a day, or of the next day, in the desk's time zone. */
const midnight = (day: string, days: 0 | 1): Sql =>
  sql`((${day}::date + ${days}::int)::timestamp at time zone ${zoneSql})`

/** SQL of whether a message's text contains every searched word, in any spelling. */
const containsWordSql = (column: Sql, searchTerms: readonly string[]) =>
  searchTerms.map((searchTerm) => {
    const spelledSql = toSearchPatterns(searchTerm).map((pattern) => sql`${column} like ${pattern}::text`)
    return sql`(${sql.join(spelledSql, sql` or `)})`
  })

/** SQL of the condition on the chat room and the days of a search. */
function placeSql({ room, from, to }: MessageSearch, columnRef: (column: string) => Sql): Sql[] {
  return [
    ...(room === undefined ? [] : [sql`${columnRef('room_id')} = ${room}`]),
    ...(from === undefined ? [] : [sql`${columnRef('created_at')} >= ${midnight(from, 0)}`]),
    ...(to === undefined ? [] : [sql`${columnRef('created_at')} < ${midnight(to, 1)}`]),
  ]
}

/** Hit of a message search with the total number of hits; a search without hits has one row. */
interface HitRow {
  total: number
  room: MessageHit['room']
  message: ChatMessage | null
}

/**
 * Finds messages with all words of `q`, newest first: one statement. Without a word of three letters it
 * searches only within one chat room.
 *
 * @throws 404 for a room that the caller may not read.
 */
export async function searchMessages(routes: FeatureRoutes, enteredCall: EnteredCall, search: MessageSearch) {
  const { caller, view, query } = enteredCall
  const pagination = readPagination(query.pagination)
  const { q: searchText = '', room } = search
  const searchTerms = searchWords(searchText).slice(0, maxWords)
  const isSearchable = searchTerms.some(
    (searchTerm) => room !== undefined || searchKey(searchTerm).length >= minWordLength,
  )
  const resource = resourceNamed('chatmessages')
  const rooms = viewOfResource(chatrooms, caller, 'list') ?? {}
  const rows = !isSearchable
    ? []
    : await runScopedQuery(routes.database, { resource, caller, view, mustReplan: true }, (scopedParts) => {
        const { from, where, document, keysOf } = scopedParts
        const columnRef = (column: string) => sql.ref(`${document}.${column}`)
        // The condition on chat rooms is separate: for a caller with few rooms the planner reads only these.
        const readableRoomsSql = rooms.rows
          ? [sql`${columnRef('room_id')} = any(array(${keysOf(chatrooms, rooms)}))`]
          : []
        const conditions = [
          where,
          ...readableRoomsSql,
          ...placeSql(search, columnRef),
          ...containsWordSql(columnRef('search'), searchTerms),
        ]
        const matchesSql = sql`from ${from} where ${sql.join(conditions, sql` and `)}`
        return sql<HitRow>`
          with total as (select count(*)::int as count from (select 1 ${matchesSql} limit ${maxCountedHits}::int) hits),
          page as materialized (
            select ${sql.table(document)}.* ${matchesSql} order by ${columnRef('created_at')} desc, ${columnRef('id')} desc ${pageSql(pagination)})
          select total.count as total, json_build_object('id', r.id, 'sender', ${personSql(sql`r.sender_id`)},
                 'receiver', ${personSql(sql`r.receiver_id`)}, 'assignee', ${personSql(sql`r.assignee_id`)}) as room,
                 ${itemSql('page')} as message
            from total left join page on true left join chatrooms r on r.id = page.room_id
           order by page.created_at desc, page.id desc`
      })
  const results = rows.flatMap(({ message, room: roomOfHit }): MessageHit[] =>
    message ? [{ message, room: roomOfHit, snippet: snippetOf(String(message.text), searchText) }] : [],
  )
  if (results.length === 0) await assertReadableRoom(routes, enteredCall, room)
  const total = rows[0]?.total ?? 0
  return { results, pagination: presentPagination(pagination, pagination.withCount ? total : undefined) }
}
