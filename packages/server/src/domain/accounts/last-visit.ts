/** Notes that users are active: the time of the last visit, and the day. */
import { zoneSql } from '../../db/calendar.ts'
import { sql, type Template } from '../../db/sql.ts'

/**
 * SQL of a statement that notes the visit of users now: `seen` is a common table with their ids, whose rows are
 * locked. A day is stored once for each user.
 */
export const noteVisitsSql = (visitsSql: Template<unknown>): Template<unknown> => sql`
  with ${visitsSql}, days as (
    insert into user_days (user_id, day) select id, (now() at time zone ${zoneSql})::date from seen
    on conflict (user_id, day) do nothing)
  update users set last_seen_at = now() where id in (select id from seen)`
