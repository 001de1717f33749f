/** Reads the history of a record: its revisions, newest first, in the form of the wire. */
import { type Caller, fault, type Locale, type Resource, type Revision } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import type { View } from '../../resources/attributes.ts'
import { personSql } from '../../domain/conversations/desk.ts'
import { entryColumnSql } from '../../resources/history/last-change.ts'
import { badParameter, QueryContext } from '../../resources/read/context.ts'
import type { Pagination } from '../../resources/read/query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { historyFields, resolveChanges } from '../../resources/history/revision-changes.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases } from '../../resources/read/sql-entry.ts'
import { recordSql } from './history-access.ts'

/** SQL of the bulk job that a revision belongs to; no other code names the column. */
const jobSql = sql`r.job`

interface HistoryQuery {
  resource: Resource
  id: number
  caller: Caller
  view: View
  /** Name of the only field to read the history of. */
  field: string | undefined
  locale: Locale
  pagination: Pagination
}

/** Revision of a record with the total number of revisions; a history without revisions has one row. */
type HistoryRow = { total: number | null } & (Revision | { id: null })

/**
 * Reads a page of a record's history: the part that all languages share, and its own language.
 *
 * Two statements: the revisions with their users, then the names of the linked records, which only the first
 * one finds. Fields that the caller may not see are left out, and so are revisions of these fields alone.
 *
 * @throws 404 outside the caller's rows, 400 for a field that does not exist or that they may not read.
 */
export async function readHistory(database: Database, historyQuery: HistoryQuery) {
  const { resource, id, caller, view, locale, pagination } = historyQuery
  const fields = historyFields(resource, caller, view)
  const shownFields = historyQuery.field === undefined ? fields : [historyQuery.field]
  for (const name of shownFields) if (!fields.includes(name)) throw badParameter(name)

  const context = new QueryContext(caller)
  const { form, page, pageSize, start, limit, withCount } = pagination
  const [size, offset] = form === 'page' ? [pageSize, (page - 1) * pageSize] : [limit, start]
  const total = withCount ? sql`(select count(*)::int from found)` : sql`null::int`
  const rows = await runStatement(
    database,
    context,
    sql<HistoryRow>`with asked as materialized (${recordSql({ resource, id, view }, context, new Aliases(database), locale)}),
      found as (
        select r.id from asked join revisions r on r.resource = ${documentTable(resource)} and r.document_id = asked.document
           and ${entryColumnSql(sql`asked.locale`)} and jsonb_exists_any(r.changes, ${shownFields}::text[])
      ),
      page as (select id from found order by id desc limit ${size}::int offset ${offset}::int)
      select ${total} as total, r.id, r.created_at as at, ${personSql(sql`r.user_id`)} as by, r.operation, r.locale, ${jobSql} as job,
             (select jsonb_object_agg(key, value) from jsonb_each(r.changes) where key = any(${shownFields}::text[])) as changes
        from asked left join (page join revisions r on r.id = page.id) on true order by r.id desc`,
  )
  const [firstRow] = rows
  if (!firstRow) throw fault('record.not-found')
  const lines = rows.flatMap(({ total: _all, ...line }): Revision[] => (line.id === null ? [] : [line]))
  const lineChanges = lines.map(({ changes }) => changes)
  const resolvedChanges = await resolveChanges(database, context, resource, lineChanges, locale)
  for (const line of lines) line.changes = resolvedChanges(line.changes)
  return {
    data: lines,
    meta: { pagination: presentPagination(pagination, firstRow.total ?? undefined) },
  }
}
