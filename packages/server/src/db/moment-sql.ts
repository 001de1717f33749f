/** Moments inside JSON, which PostgreSQL would write in a form of its own. */
import { sql, type Template } from './sql.ts'

/**
 * SQL of a moment as the wire has it.
 *
 * @param column - SQL of the moment.
 * @returns SQL of a text such as `2026-03-01T10:00:00.120Z`; null where the column is null.
 */
export const momentSql = (column: Template<unknown>): Template<unknown> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
