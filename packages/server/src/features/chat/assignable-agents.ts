/** Lists the consultants who can take a room: presence, open rooms, language and categories (chat §5). */
import type { Caller, Locale, AssignableAgent } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { relatedViewOf, resourceNamed } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { isOnlineSql, personSql } from '../../domain/conversations/desk.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { toSearchPatterns } from '../../resources/read/query-values.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases } from '../../resources/read/sql-entry.ts'

const consultantcategories = resourceNamed('consultantcategories')

/** Maximum number of consultants in a response about a chat room; a search by name finds the others. */
const maxAgentsShown = 50

/**
 * Lists the consultants who can take a chat room.
 *
 * @param query - `q`, every word of which is in the name; the `locale` of the categories.
 * @returns At most 50: those who are online first, then those with the fewest open rooms.
 */
export async function listAssignableAgents(
  database: Database,
  caller: Caller,
  { q, locale }: { q?: string | undefined; locale?: Locale | undefined },
): Promise<{ data: AssignableAgent[] }> {
  const name = sql`search_key(concat_ws(' ', taker.name, taker.surname, taker.username))`
  const foundSql = !q ? sql`true` : sql`${name} like any(${toSearchPatterns(q)}::text[])`
  const language = locale ?? caller.language
  // Categories of consultants are shown as the caller reads them: consultants see no inactive ones.
  const [context, aliases] = [new QueryContext(caller), new Aliases(database)]
  const categoryView = relatedViewOf(consultantcategories, caller) ?? { includedNames: [] }
  const { entry, from } = shownSql(consultantcategories, language, aliases)
  const document = sql.ref(`${entry.document}.id`)
  const scope = scopeOf(context, consultantcategories, categoryView.rows)
  const scopeSql = scope ? sql` and ${conditionSql(scope, entry, language, aliases)}` : sql``
  const data = await runStatement(
    database,
    context,
    sql<AssignableAgent>`
    select ${personSql(sql`taker.id`)} as consultant, ${isOnlineSql(sql`taker.last_seen_at`)} as online,
           (select count(*)::int from chatrooms r
             where coalesce(r.assignee_id, r.receiver_id) = taker.id and r.state <> 'closed') as open,
           taker.language,
           (select coalesce(json_agg(${nameSql(entry, language, categoryView)} order by ${document}), '[]'::json)
              from ${from} where ${document} in
                (select l.holder_id from consultantcategories_consultants l where l.target_id = taker.id)${scopeSql}) as categories
      from users taker
     where taker.is_consultant and taker.active and not taker.blocked and taker.removed_at is null and taker.id <> ${caller.id} and ${foundSql}
     order by online desc, open, taker.id limit ${maxAgentsShown}`,
  )
  return { data }
}
