/** Stores schedules of saved reports, and the record of their letters. */
import {
  type Caller,
  fault,
  type LocalHour,
  maxSchedules,
  nextSendingDay,
  rankOfRole,
  type ReportFormat,
  type ReportKey,
  type ReportSchedule,
  type ReportSending,
  type SendingRule,
  type WrittenLocale,
} from '@dala/model'
import { zoneSql } from '../../../db/calendar.ts'
import type { Queries, Transaction } from '../../../db/database.ts'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { userNameSql } from '../../../domain/accounts/user-name.ts'

/** The values of a schedule that its maker chooses. */
export interface ScheduleValues extends SendingRule {
  users: readonly number[]
  addresses: readonly string[]
  format: ReportFormat
  locale: WrittenLocale
  active: boolean
}

/** Maximum numbers of schedules and of letters that a list shows. */
const [maxListed, maxListedSendings] = [500, 100]

/** Whether a caller sees the schedules of all makers, and sends to addresses and to others. */
export const isStaff = ({ role }: Pick<Caller, 'role'>): boolean => rankOfRole(role) >= rankOfRole('admin')

const namedUserSql = sql`json_build_object('id', u.id, 'name', case when u.removed_at is null then ${userNameSql} end)`

/** SQL of the state of a letter `l`: one that was refused for a day has failed. */
const stateSql = sql`case when l.state = 'waiting' and l.created_at <= now() - interval '1 day' then 'failed' else l.state end`

const columnsSql = ({ id }: Pick<Caller, 'id'>): Template<unknown> => sql`
  s.id, r.id as saved, coalesce(r.title, s.title) as title, coalesce(r.key, s.key) as key, s.weekday, s.month_day, s.hour,
  json_build_object(
    'users', coalesce((
      select json_agg(json_build_object('id', given.id, 'name', case when u.removed_at is null then ${userNameSql} end) order by given.place)
        from unnest(s.users) with ordinality as given (id, place) left join users u on u.id = given.id), '[]'),
    'addresses', to_json(s.addresses)) as recipients,
  s.format, s.locale, s.active, s.paused, case when s.active then ${momentSql(sql`s.next_at`)} end as next_at,
  (select json_build_object('due_at', ${momentSql(sql`l.due_at`)}, 'letters', count(*)::int,
            'sent', (count(*) filter (where l.state = 'sent'))::int,
            'waiting', (count(*) filter (where ${stateSql} = 'waiting'))::int)
     from report_sendings l where l.schedule_id = s.id group by l.due_at order by l.due_at desc limit 1) as last,
  (select ${namedUserSql} from users u where u.id = s.user_id) as by,
  s.user_id = ${id}::int as own, s.version, ${momentSql(sql`s.created_at`)} as created_at`

// A saved report that is no longer shared with the maker counts as gone.
const fromSql = sql`from report_schedules s
  left join saved_reports r on r.id = s.saved_id and (r.user_id = s.user_id or r.shared_with is not null)`

const visibleSql = (caller: Caller): Template<unknown> =>
  isStaff(caller) ? sql`s.deleted_at is null` : sql`(s.deleted_at is null and s.user_id = ${caller.id}::int)`

/** Lists the schedules that a caller may see, by the time of their next sending. */
export const listSchedules = (queries: Pick<Queries, 'query'>, caller: Caller): Promise<ReportSchedule[]> =>
  queries.query(sql<ReportSchedule>`
    select ${columnsSql(caller)} ${fromSql} where ${visibleSql(caller)}
     order by s.active desc, s.next_at, s.id limit ${maxListed}`)

/**
 * Finds a schedule that a caller may see.
 *
 * @throws 404 for one that does not exist or is out of the caller's sight.
 */
export async function findSchedule(
  queries: Pick<Queries, 'query'>,
  caller: Caller,
  id: number,
): Promise<ReportSchedule> {
  const [scheduleRow] = await queries.query(
    sql<ReportSchedule>`select ${columnsSql(caller)} ${fromSql} where s.id = ${id}::int and ${visibleSql(caller)}`,
  )
  if (!scheduleRow) throw fault('record.not-found')
  return scheduleRow
}

/**
 * Finds and locks a schedule that a caller may see.
 *
 * @throws As `findSchedule` does.
 */
export async function lockSchedule(trx: Transaction, caller: Caller, id: number): Promise<ReportSchedule> {
  await trx.query(sql`select 1 from report_schedules where id = ${id}::int for update`)
  return findSchedule(trx, caller, id)
}

/** Returns the present day and hour in the report zone. */
export async function localNow(queries: Pick<Queries, 'query'>): Promise<LocalHour> {
  const [now] = await queries.query(sql<LocalHour>`
    select to_char(now() at time zone ${zoneSql}, 'YYYY-MM-DD') as day,
           extract(hour from now() at time zone ${zoneSql})::int as hour`)
  return now ?? { day: '1970-01-01', hour: 0 }
}

/** SQL of the moment of a full hour in the report zone. */
export const sendingMomentSql = (day: string, hour: number): Template<unknown> =>
  sql`((${day}::date + make_interval(hours => ${hour}::int)) at time zone ${zoneSql})`

const nextSql = (rule: SendingRule, now: LocalHour) => sendingMomentSql(nextSendingDay(rule, now), rule.hour)

/** SQL of whether a person has fewer than the maximum number of schedules. */
const hasRoomSql = ({ id }: Pick<Caller, 'id'>) => sql`
  (select count(*) from report_schedules o where o.user_id = ${id}::int and o.deleted_at is null) < ${maxSchedules}::int`

// Requests of one person are counted one after the other.
const lockCount = (trx: Transaction, { id }: Pick<Caller, 'id'>) =>
  trx.query(sql`select pg_advisory_xact_lock(hashtext('report_schedules'), ${id}::int)`)

/**
 * Stores a schedule.
 *
 * @throws 422 for a person who has the maximum number of schedules.
 */
export async function insertSchedule(
  trx: Transaction,
  caller: Caller,
  savedReport: { id: number; title: string; key: ReportKey },
  values: ScheduleValues,
): Promise<number> {
  await lockCount(trx, caller)
  const { weekday, month_day: monthDay, hour, users, addresses, format, locale } = values
  const [insertedSchedule] = await trx.query(sql<{ id: number }>`
    insert into report_schedules (user_id, saved_id, title, key, weekday, month_day, hour, users, addresses, format, locale, next_at)
    select ${caller.id}::int, ${savedReport.id}::int, ${savedReport.title}::text, ${savedReport.key}::text, ${weekday}::int, ${monthDay}::int,
           ${hour}::int, ${[...users]}::int[], ${[...addresses]}::text[], ${format}::text, ${locale}::text,
           ${nextSql(values, await localNow(trx))}
     where ${hasRoomSql(caller)}
    returning id`)
  if (!insertedSchedule) throw fault('report.schedules', { params: { max: maxSchedules } })
  return insertedSchedule.id
}

/** Stores the changed values of a schedule; the program's reason of a pause ends with the change. */
export async function updateSchedule(trx: Transaction, id: number, values: ScheduleValues): Promise<void> {
  const { weekday, month_day: monthDay, hour, users, addresses, format, locale, active } = values
  await trx.query(sql`
    update report_schedules set weekday = ${weekday}::int, month_day = ${monthDay}::int, hour = ${hour}::int,
           users = ${[...users]}::int[], addresses = ${[...addresses]}::text[], format = ${format}, locale = ${locale},
           active = ${active}::boolean, paused = null, next_at = ${nextSql(values, await localNow(trx))},
           version = version + 1
     where id = ${id}`)
}

/**
 * Deletes a schedule; letters that wait are not sent. Its row and the record of its letters stay for a day, for an
 * undo.
 */
export async function deleteSchedule(trx: Transaction, id: number): Promise<void> {
  await trx.query(sql`update report_schedules set deleted_at = now(), version = version + 1 where id = ${id}`)
}

/**
 * Restores a deleted schedule of a caller with the record of its letters; a sending that was due meanwhile is left
 * out.
 *
 * @throws 404 for one that is not theirs or was not deleted within the last day; 422 for a person who has the
 * maximum number of schedules.
 */
export async function restoreSchedule(trx: Transaction, caller: Caller, id: number): Promise<ReportSchedule> {
  await lockCount(trx, caller)
  const [deletedSchedule] = await trx.query(sql<SendingRule & { hasRoom: boolean }>`
    select weekday, month_day, hour, ${hasRoomSql(caller)} as "hasRoom" from report_schedules
     where id = ${id}::int and user_id = ${caller.id}::int and deleted_at > now() - interval '1 day' for update`)
  if (!deletedSchedule) throw fault('record.not-found')
  if (!deletedSchedule.hasRoom) throw fault('report.schedules', { params: { max: maxSchedules } })
  await trx.query(sql`
    update report_schedules set deleted_at = null, next_at = ${nextSql(deletedSchedule, await localNow(trx))}, version = version + 1
     where id = ${id}::int`)
  return findSchedule(trx, caller, id)
}

/** Lists the latest letters of a schedule, newest first. */
export const listSendings = (queries: Pick<Queries, 'query'>, id: number): Promise<ReportSending[]> =>
  queries.query(sql<ReportSending>`
    select l.id, ${momentSql(sql`l.due_at`)} as due_at,
           case when l.user_id is not null then
             json_build_object('id', l.user_id, 'name', case when u.removed_at is null then ${userNameSql} end) end as user,
           l.address, ${stateSql} as state, l.reason, l.detail, ${momentSql(sql`l.sent_at`)} as sent_at
      from report_sendings l left join users u on u.id = l.user_id
     where l.schedule_id = ${id}::int order by l.due_at desc, l.id limit ${maxListedSendings}`)
