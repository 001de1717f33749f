/** The search through all that was said, in the rooms and kinds of message that the caller may read (chat §4). */
import { type ChatMessage, maxCountedHits, type MessageHit, searchKey, searchWords, snippetOf } from '@dala/model'
import { sql, type Template } from '../../../db/sql.ts'
import { resourceNamed, viewOf } from '../../../resources/attributes.ts'
import { personSql } from '../../../domain/conversations/desk.ts'
import type { Entered, FeatureRoutes } from '../../../resources/feature-routes.ts'
import { pageSql } from '../../../resources/read/pages.ts'
import { readPagination } from '../../../resources/read/parse-query.ts'
import { toSearchPatterns } from '../../../resources/read/query-values.ts'
import { presentPagination } from '../../../resources/read/read.ts'
import { zoneSql } from '../../../db/calendar.ts'
import { runScoped } from '../../../resources/read/scoped.ts'
import { itemSql } from '../message-item.ts'
import { assertReadable } from '../message-list.ts'

type Sql = Template<unknown>

const chatrooms = resourceNamed('chatrooms')

/** Words of a query that are looked for. */
const maxWords = 8
/** Groups of three letters are what the index knows (decision 14). */
const shortest = 3
/** The keys of the query that are read by the contract: words, a room, and days. */
interface Asked {
  q?: string | undefined
  room?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The midnight that a day begins with, or the next one, where the desk is. */
const midnight = (day: string, days: 0 | 1): Sql =>
  sql`((${day}::date + ${days}::int)::timestamp at time zone ${zoneSql})`

/** A text with every word, each in any of its spellings. */
const holdsSql = (column: Sql, words: readonly string[]) =>
  words.map((word) => {
    const spelled = toSearchPatterns(word).map((pattern) => sql`${column} like ${pattern}::text`)
    return sql`(${sql.join(spelled, sql` or `)})`
  })

/** What the query says of the time and the room. */
function placeSql({ room, from, to }: Asked, own: (column: string) => Sql): Sql[] {
  return [
    ...(room === undefined ? [] : [sql`${own('room_id')} = ${room}`]),
    ...(from === undefined ? [] : [sql`${own('created_at')} >= ${midnight(from, 0)}`]),
    ...(to === undefined ? [] : [sql`${own('created_at')} < ${midnight(to, 1)}`]),
  ]
}

/** A hit with the number of all; without hits one row. */
interface HitRow {
  total: number
  room: MessageHit['room']
  message: ChatMessage | null
}

/**
 * Messages with all words of `q`, newest first: one statement. Without a word of three letters only one room is looked
 * through. Throws 404 for a room that the caller may not read.
 */
export async function searchMessages(routes: FeatureRoutes, entered: Entered, asked: Asked) {
  const { caller, view, query } = entered
  const pagination = readPagination(query.pagination)
  const { q: wanted = '', room } = asked
  const words = searchWords(wanted).slice(0, maxWords)
  const isLookedFor = words.some((word) => room !== undefined || searchKey(word).length >= shortest)
  const resource = resourceNamed('chatmessages')
  const rooms = viewOf(chatrooms, caller, 'list') ?? {}
  const rows = !isLookedFor
    ? []
    : await runScoped(routes.database, { resource, caller, view, replan: true }, (scoped) => {
        const { from, where, document, keysOf } = scoped
        const own = (column: string) => sql.ref(`${document}.${column}`)
        // Said apart from the rows of messages: whoever has few rooms has only these looked through.
        const held = rooms.rows ? [sql`${own('room_id')} = any(array(${keysOf(chatrooms, rooms)}))`] : []
        const all = [where, ...held, ...placeSql(asked, own), ...holdsSql(own('search'), words)]
        const found = sql`from ${from} where ${sql.join(all, sql` and `)}`
        return sql<HitRow>`
          with total as (select count(*)::int as count from (select 1 ${found} limit ${maxCountedHits}::int) hits),
          page as materialized (
            select ${sql.table(document)}.* ${found} order by ${own('created_at')} desc, ${own('id')} desc ${pageSql(pagination)})
          select total.count as total, json_build_object('id', r.id, 'sender', ${personSql(sql`r.sender_id`)},
                 'receiver', ${personSql(sql`r.receiver_id`)}, 'assignee', ${personSql(sql`r.assignee_id`)}) as room,
                 ${itemSql('page')} as message
            from total left join page on true left join chatrooms r on r.id = page.room_id
           order by page.created_at desc, page.id desc`
      })
  const results = rows.flatMap(({ message, room: place }): MessageHit[] =>
    message ? [{ message, room: place, snippet: snippetOf(String(message.text), wanted) }] : [],
  )
  if (results.length === 0) await assertReadable(routes, entered, room)
  const total = rows[0]?.total ?? 0
  return { results, pagination: presentPagination(pagination, pagination.withCount ? total : undefined) }
}
