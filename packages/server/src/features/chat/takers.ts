/** The consultants who can take a room: whether each is here, how much he has open, his language and what he knows (product/chat.md §5). */
import { type Caller, fault, isLocale, rankOf } from '@dala/model'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isHereSql, type Person, personSql } from '../../resources/desk.ts'
import { readText, toSearchPatterns } from '../../resources/query-values.ts'
import { languageOrder } from '../../resources/sql-entry.ts'

export interface Taker {
  consultant: Person
  online: boolean
  /** Rooms of his that are not closed. */
  open: number
  language: string | null
  categories: string[]
}

/** More are found by their names. */
const most = 50

/**
 * Who can take a room. In: the caller; `q`, every word of which is in the name; the `locale` of the categories. Out: at
 * most 50, who is here first and then who has least. Throws 403 for those who do not answer growers, 400 for `q`.
 */
export async function listTakers(
  database: Database,
  caller: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<{ data: Taker[] }> {
  if (!caller.isConsultant && rankOf(caller.role) < rankOf('admin')) throw fault('access.denied')
  const q = query.q === undefined || query.q === '' ? undefined : readText(query.q, 'q')
  const name = sql`search_key(concat_ws(' ', taker.name, taker.surname, taker.username))`
  const found = q === undefined ? sql`true` : sql`${name} like any(${toSearchPatterns(q)}::text[])`
  const language = isLocale(query.locale) ? query.locale : caller.language
  const data = await database.query(sql<Taker>`
    select ${personSql(sql`taker.id`)} as consultant, ${isHereSql(sql`taker.last_seen_at`)} as online,
           (select count(*)::int from chatrooms r
             where coalesce(r.assignee_id, r.receiver_id) = taker.id and r.state <> 'closed') as open,
           taker.language,
           (select coalesce(json_agg(named.name order by l.holder_id), '[]'::json)
              from consultantcategories_consultants l
              cross join lateral (select x.name from consultantcategories_texts x where x.document_id = l.holder_id
                order by ${languageOrder(sql`x.locale`, undefined, language)} limit 1) named
             where l.target_id = taker.id) as categories
      from users taker
     where taker.is_consultant and taker.active and not taker.blocked and taker.removed_at is null and taker.id <> ${caller.id} and ${found}
     order by online desc, open, taker.id limit ${most}`)
  return { data }
}
