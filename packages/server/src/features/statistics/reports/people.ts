/** Report of users by region and language: new, all and active ones, and their contact with consultants. */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type MeasureContext, type ReportSource, type Sql } from '../measures.ts'
import type { Span } from '../period.ts'
import { asked, deskTables } from './desk.ts'

const users = sql`users u join roles r on r.id = u.role_id and r.type = 'authenticated'`
const record = { resource: sql`'users'`, id: sql`u.id` }
const dims = { region: sql`u.region_id`, district: sql`u.district_id`, language: sql`u.language` }

/** SQL of the visits of users: the first of each day, and the last one of all. */
const visits = sql`(
  select user_id, first_at as at from user_days union all
  select id, last_seen_at from users where last_seen_at is not null)`

/**
 * SQL of the users who were active, each once in the period and once in the earlier one, with their last stored
 * visit in it. Where the two overlap, a visit is placed into the part of its own period.
 */
function visitors({ period: { now, before }, moment }: MeasureContext): Sql {
  const visitorsSql = ({ from, until }: Span, visitTimeSql: Sql) => sql`
    select v.user_id, ${visitTimeSql} as at from ${visits} v
     where v.at >= ${moment(from)} and v.at < ${moment(until)} group by v.user_id`
  if (!before) return sql`(${visitorsSql(now, sql`max(v.at)`)})`
  return sql`(
    ${visitorsSql(now, sql`greatest(max(v.at), ${moment(before.until)})`)} union all
    ${visitorsSql(before, sql`least(max(v.at), ${moment(now.from)} - interval '1 millisecond')`)})`
}

export const people: ReportSource = {
  tables: deskTables,
  measures: (context) => {
    const scopeSql = context.filterSql({
      region: sql`u.region_id`,
      district: sql`u.district_id`,
      locale: sql`u.language`,
    })
    const isUser = sql`not u.is_consultant`
    return [
      { key: 'joined', from: users, where: joinConditions(scopeSql, isUser), at: sql`u.created_at`, dims, record },
      {
        key: 'users',
        from: sql`${users} cross join lateral (values (u.created_at, 1), (u.removed_at, -1)) as s(at, step)`,
        where: joinConditions(scopeSql, isUser, sql`s.at is not null`),
        at: sql`s.at`,
        stock: true,
        value: sql`s.step`,
        dims,
        record,
      },
      {
        key: 'seen',
        from: sql`${users} join ${visitors(context)} v on v.user_id = u.id`,
        where: joinConditions(scopeSql, isUser),
        at: sql`v.at`,
        dims,
        record,
      },
      {
        key: 'consultants',
        from: users,
        where: joinConditions(scopeSql, sql`u.is_consultant and u.active and not u.blocked and u.removed_at is null`),
        record,
      },
      asked(context),
    ]
  },
  figures: {
    users: { measure: 'users', of: 'level' },
    consultants_ratio: { each: 'consultants', thousand: 'seen' },
    asked_ratio: { each: 'asked', thousand: 'users' },
  },
}
