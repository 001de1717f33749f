/** The consultants who can take a room: whether each is here, how much he has open, his language and what he knows (chat §5). */
import { type Caller, fault, isLocale, rankOf } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { relatedViewOf, resourceNamed } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { isHereSql, type Person, personSql } from '../../domain/conversations/desk.ts'
import { QueryContext } from '../../resources/read/parse-filters.ts'
import { readText, toSearchPatterns } from '../../resources/read/query-values.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runWith } from '../../resources/read/scoped.ts'
import { Aliases } from '../../resources/read/sql-entry.ts'

const consultantcategories = resourceNamed('consultantcategories')

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
  // Categories as the caller reads them: to consultants one that is not active has no name.
  const [context, aliases] = [new QueryContext(caller), new Aliases()]
  const sight = relatedViewOf(consultantcategories, caller) ?? { only: [] }
  const { entry, from } = shownSql(consultantcategories, language, aliases)
  const document = sql.ref(`${entry.document}.id`)
  const scope = context.scopeOf(consultantcategories, sight.rows)
  const within = scope ? sql` and ${conditionSql(scope, entry, language, aliases)}` : sql``
  const rows = await runWith(
    database,
    context.values,
    sql`
    select ${personSql(sql`taker.id`)} as consultant, ${isHereSql(sql`taker.last_seen_at`)} as online,
           (select count(*)::int from chatrooms r
             where coalesce(r.assignee_id, r.receiver_id) = taker.id and r.state <> 'closed') as open,
           taker.language,
           (select coalesce(json_agg(${nameSql(entry, language, sight)} order by ${document}), '[]'::json)
              from ${from} where ${document} in
                (select l.holder_id from consultantcategories_consultants l where l.target_id = taker.id)${within}) as categories
      from users taker
     where taker.is_consultant and taker.active and not taker.blocked and taker.removed_at is null and taker.id <> ${caller.id} and ${found}
     order by online desc, open, taker.id limit ${most}`,
  )
  const data = rows.map(([consultant, online, open, spoken, named]): Taker => {
    return {
      consultant: consultant as Person,
      online: online === true,
      open: Number(open),
      language: spoken as string | null,
      categories: named as string[],
    }
  })
  return { data }
}
