/** Report of users by region and language: new, all and active ones, and their contact with consultants. */
import { sql } from '../../../db/sql.ts'
import { joinConditions, type ReportSource } from '../measures.ts'
import { asked, deskTables } from './desk.ts'

const users = sql`users u join roles r on r.id = u.role_id and r.type = 'authenticated'`
const record = { resource: sql`'users'`, id: sql`u.id` }
const dims = { region: sql`u.region_id`, district: sql`u.district_id`, language: sql`u.language` }

export const people: ReportSource = {
  tables: deskTables,
  measures: (context) => {
    const scopeSql = context.filterSql({ region: sql`u.region_id` })
    const { from, until } = context.period.now
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
      // The database stores only the last visit of a user, so an earlier period would look emptier than it
      // was.
      {
        key: 'seen',
        from: users,
        where: joinConditions(
          scopeSql,
          isUser,
          sql`u.removed_at is null`,
          sql`u.last_seen_at >= ${context.moment(from)} and u.last_seen_at < ${context.moment(until)}`,
        ),
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
