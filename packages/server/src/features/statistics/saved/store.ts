/** Stores reports with their period and filters under a name, for their makers and for the roles they share them with. */
import {
  type Caller,
  fault,
  maxSavedReports,
  type ReportKey,
  type ReportParameters,
  type ReportSharedRole,
  rolesAtMost,
  type SavedReport,
  type StoredReportQuery,
} from '@dala/model'
import type { Queries, Transaction } from '../../../db/database.ts'
import { momentSql } from '../../../db/moment-sql.ts'
import { sql, type Template } from '../../../db/sql.ts'
import { userNameSql } from '../../../domain/accounts/user-name.ts'

/** Maximum number of saved reports that a caller's list shows. */
const maxListedReports = 500

/** The values of a saved report that its maker chooses. */
export interface SavedValues {
  title: string
  key: ReportKey
  query: StoredReportQuery
  shared_with: ReportSharedRole | null
  order: number
}

/** SQL of the saved reports that a caller may open: their own, and those shared with their role or a lower one. */
const visibleSql = ({ id, role }: Caller): Template<unknown> =>
  sql`(s.user_id = ${id} or s.shared_with = any(${rolesAtMost(role)}::text[]))`

const columnsSql = ({ id }: Caller): Template<unknown> => sql`
  s.id, s.title, s.key, s.query, s.shared_with, s."order", s.version,
  (select json_build_object('id', u.id, 'name', ${userNameSql}) from users u
    where u.id = s.user_id and u.removed_at is null) as by,
  s.user_id is not distinct from ${id}::int as own,
  ${momentSql(sql`s.created_at`)} as created_at, ${momentSql(sql`s.updated_at`)} as updated_at`

/**
 * Returns the stored form of a report's query: without absent keys.
 *
 * @example
 * toStoredQuery({ period: 'days7', filters: {} }) // { period: 'days7' }
 */
export function toStoredQuery({
  filters = {},
  ...otherFields
}: Partial<Omit<ReportParameters, 'locale'>>): StoredReportQuery {
  const queryEntries = Object.entries({ ...otherFields, ...(Object.keys(filters).length > 0 && { filters }) })
  return Object.fromEntries(queryEntries.filter(([, value]) => value !== undefined))
}

/** Lists the saved reports of the given keys that a caller may open. */
export function listSavedReports(
  queries: Pick<Queries, 'query'>,
  caller: Caller,
  keys: readonly ReportKey[],
): Promise<SavedReport[]> {
  return queries.query(sql<SavedReport>`
    select ${columnsSql(caller)} from saved_reports s
     where ${visibleSql(caller)} and s.key = any(${keys}::text[])
     order by s."order", s.id limit ${maxListedReports}`)
}

/**
 * Finds a saved report that a caller may open.
 *
 * @throws 404 for one that does not exist or is not shared with the caller.
 */
export async function findSavedReport(
  queries: Pick<Queries, 'query'>,
  caller: Caller,
  id: number,
): Promise<SavedReport> {
  const [savedReport] = await queries.query(sql<SavedReport>`
    select ${columnsSql(caller)} from saved_reports s where s.id = ${id}::int and ${visibleSql(caller)}`)
  if (!savedReport) throw fault('record.not-found')
  return savedReport
}

/**
 * Finds a saved report that a caller may change.
 *
 * @throws 404 for one that the caller may not open, 403 for one of another person.
 */
export async function findOwnReport(queries: Pick<Queries, 'query'>, caller: Caller, id: number): Promise<SavedReport> {
  const foundReport = await findSavedReport(queries, caller, id)
  if (!foundReport.own) throw fault('access.denied')
  return foundReport
}

/**
 * Finds and locks a saved report that a caller may change.
 *
 * @throws As `findOwn` does.
 */
export async function lockOwnReport(trx: Transaction, caller: Caller, id: number): Promise<SavedReport> {
  await trx.query(sql`select 1 from saved_reports where id = ${id}::int for update`)
  return findOwnReport(trx, caller, id)
}

/**
 * Stores a report, by default behind the others of its maker.
 *
 * @throws 422 for a person who has saved the maximum number of reports.
 */
export async function insertSavedReport(
  trx: Transaction,
  caller: Caller,
  { title, key, query, shared_with: sharedWith, order }: Omit<SavedValues, 'order'> & { order: number | null },
): Promise<number> {
  // Requests of one person are counted one after the other.
  await trx.query(sql`select pg_advisory_xact_lock(hashtext('saved_reports'), ${caller.id}::int)`)
  const [insertedReport] = await trx.query(sql<{ id: number }>`
    insert into saved_reports (user_id, title, key, query, shared_with, "order")
    select ${caller.id}::int, ${title}::text, ${key}::text, ${JSON.stringify(query)}::jsonb, ${sharedWith}::text,
           coalesce(${order}::int, coalesce(max(s."order"), 0) + 1)
      from saved_reports s where s.user_id = ${caller.id} having count(*) < ${maxSavedReports}::int
    returning id`)
  if (!insertedReport) throw fault('report.too-many', { params: { max: maxSavedReports } })
  return insertedReport.id
}

/** Stores the changed values of a saved report. */
export async function updateSavedReport(
  trx: Transaction,
  id: number,
  { title, key, query, shared_with: sharedWith, order }: SavedValues,
): Promise<void> {
  await trx.query(sql`
    update saved_reports set title = ${title}, key = ${key}, query = ${JSON.stringify(query)}::jsonb,
           shared_with = ${sharedWith}::text, "order" = ${order}::int, version = version + 1, updated_at = now()
     where id = ${id}`)
}

/** Deletes a saved report. */
export async function deleteSavedReport(trx: Transaction, id: number): Promise<void> {
  await trx.query(sql`delete from saved_reports where id = ${id}`)
}
