/** Presents decisions of routing to their readers: staff read everybody's reasons, consultants their own. */
import { type Caller, rankOfRole, type RoutingDecision, type RoutingTrial } from '@dala/model'
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { personSql } from '../../domain/conversations/desk.ts'
import type { ExplainedRoute } from '../../domain/conversations/routing.ts'

type Sql = Template<unknown>

/** Maximum number of decisions of a case that are shown. */
const maxShownDecisions = 20

/** SQL of the reasons of a decision in the order of their readers: the chosen person first. */
const reasonsSql = (reasons: Sql, { id, role }: Caller): Sql => sql`(
  select coalesce(json_agg(json_build_object('person', ${personSql(sql`one.person`)}, 'codes', one.codes, 'open', one.open,
           'limit', one."limit") order by one.codes ->> 0 <> 'chosen', one.place), '[]'::json)
    from rows from (jsonb_to_recordset(${reasons}) as (person int, codes jsonb, open int, "limit" int))
         with ordinality as one(person, codes, open, "limit", place)
   where ${rankOfRole(role) >= rankOfRole('admin')} or one.person = ${id})`

/** Presents a decision that is not stored. */
export async function presentTrial(queries: Queries, caller: Caller, route: ExplainedRoute): Promise<RoutingTrial> {
  const [row] = await queries.query(sql<Pick<RoutingTrial, 'person' | 'reasons'>>`
    select ${personSql(sql`${route.person}::int`)} as person,
           ${reasonsSql(sql`${JSON.stringify(route.reasons)}::jsonb`, caller)} as reasons`)
  return { person: row?.person ?? null, rule: route.rule, reasons: row?.reasons ?? [], rules: route.rules }
}

/**
 * Reads the decisions about a case, newest first.
 *
 * @param queries - The connection.
 * @param caller - The reader.
 * @param key - The column that names the case.
 * @param id - The id of the case.
 */
export function readDecisions(
  queries: Queries,
  caller: Caller,
  key: 'room_id' | 'consultation_id',
  id: number,
): Promise<RoutingDecision[]> {
  return queries.query(sql<RoutingDecision>`
    select ${momentSql(sql`d.decided_at`)} as at, ${personSql(sql`d.person_id`)} as person, d.rule,
           ${reasonsSql(sql`d.reasons`, caller)} as reasons, d.rules
      from routing_decisions d where ${sql.ref(`d.${key}`)} = ${id} order by d.id desc limit ${maxShownDecisions}`)
}
