/** The columns that are computed whenever they are read, by `resource.field`. */
import { maxInteger } from '@dala/model'
import { sql, type Template } from '../db/sql.ts'
import { isChangedSql } from '../domain/learning/publication.ts'
import { attachmentsSql, roomColumns } from '../domain/conversations/computed-rooms.ts'
import type { EntryTables } from '../resources/engine-parts.ts'
import { zoneSql } from '../db/calendar.ts'

/**
 * Makes the SQL of a computed column from the table aliases of a record; `slotSql(callerSlot, 'int')` is the
 * caller.
 */
type ComputedColumn = (entry: EntryTables) => Template<unknown>

/** SQL of the key of a record's document. */
const idOf = ({ document }: EntryTables) => sql.ref(`${document}.id`)
const columnRef = ({ document }: EntryTables, column: string) => sql.ref(`${document}.${column}`)

/** SQL of whether a question has a valid answer. */
const isAnswered = (entryTables: EntryTables) => sql`(${columnRef(entryTables, 'answered_at')} is not null
  and (${columnRef(entryTables, 'reopened_at')} is null or ${columnRef(entryTables, 'answered_at')} > ${columnRef(entryTables, 'reopened_at')}))`

const computedColumns: Readonly<Record<string, ComputedColumn>> = {
  ...Object.fromEntries(
    Object.entries(roomColumns).map(([name, column]): [string, ComputedColumn] => [
      `chatrooms.${name}`,
      (room) => column((columnName) => columnRef(room, columnName)),
    ]),
  ),

  // An answer from before the reopening does not count (content-model §2).
  'consultations.status': (entryTables) => sql`(case
    when ${columnRef(entryTables, 'finished_at')} is not null then 'finished'
    when ${isAnswered(entryTables)} then 'answered'
    when ${columnRef(entryTables, 'reopened_at')} is not null then 'reopened'
    when ${columnRef(entryTables, 'consultant_id')} is not null then 'assigned'
    else 'new' end)`,

  'consultations.overdue': (entryTables) => sql`coalesce(${columnRef(entryTables, 'due_at')} <= now(), false)`,

  'chatmessages.attachments': (message) => attachmentsSql((column) => columnRef(message, column)),

  // The duration leaves out lessons of hidden groups.
  'courses.duration_minutes': (course) => sql`(
    select least(coalesce(sum(l.duration_minutes), 0), ${sql.lit(maxInteger)})::int
      from lessons l left join lessongroups g on g.id = l.lessongroup_id
     where l.course_id = ${idOf(course)} and l.state = 'visible' and coalesce(g.state, 'visible') = 'visible')`,

  'courses.changed_since_publish': (course) => {
    const isPublished = sql`${columnRef(course, 'state')} = 'published' and ${columnRef(course, 'published_at')} is not null`
    return sql`(${isPublished} and ${isChangedSql(idOf(course))})`
  },

  // Expected are prices of this and the last published day, without districts that had no market (market §4).
  'pricedates.coverage': (day) => sql`(
    select jsonb_build_object(
        'expected', count(distinct (p.product_id, p.district_id, p.market_type)) filter (where
          (p.pricedate_id = ${idOf(day)} and p.price is not null) or not ${hasNoMarket(idOf(day), sql`p.district_id`)}),
        'filled', count(*) filter (where p.pricedate_id = ${idOf(day)} and p.price is not null and p.origin <> 'carried'),
        'carried', count(*) filter (where p.pricedate_id = ${idOf(day)} and p.price is not null and p.origin = 'carried'),
        'flagged', count(*) filter (where p.pricedate_id = ${idOf(day)} and p.state = 'check'))
      from pricelists p
     where p.pricedate_id in (${idOf(day)}, (${dayBefore(columnRef(day, 'date'))})))`,

  'pricelists.late': (price) =>
    isLate(
      columnRef(price, 'created_at'),
      sql`(select e.date from pricedates e where e.id = ${columnRef(price, 'pricedate_id')})`,
    ),

  'statistics.updated_at': (report) => columnRef(report, 'updated_at'),
}

/** SQL of whether a district had no market on a price date. */
export const hasNoMarket = (day: Template<unknown>, district: Template<unknown>): Template<unknown> =>
  sql`exists (select 1 from pricedates_no_market n where n.holder_id = ${day} and n.target_id = ${district})`

/** SQL of whether a moment is after a day, in the zone of the calendar. */
export const isLate = (moment: Template<unknown>, date: Template<unknown>): Template<unknown> =>
  sql`((${moment} at time zone ${zoneSql})::date > ${date})`

/** SQL of the last published price date before a day. */
export const dayBefore = (date: Template<unknown>): Template<unknown> =>
  sql`select e.id from pricedates e where e.state = 'published' and e.date < ${date} order by e.date desc limit 1`

/**
 * SQL of a computed field.
 *
 * @throws An error for a field of the model that has no SQL here.
 */
export function computedSql(entry: EntryTables, field: string): Template<unknown> {
  const column = computedColumns[`${entry.resource.name}.${field}`]
  if (!column) throw new Error(`Nothing works out ${entry.resource.name}.${field}`)
  return column(entry)
}
