/** Formats moments inside JSON, for which PostgreSQL has its own format. */
import { sql, type Template } from './sql.ts'

/**
 * SQL of a moment in wire format.
 *
 * @param column - SQL of the moment.
 * @returns SQL of a text such as `2026-03-01T10:00:00.120Z`; null where the column is null.
 */
export const momentSql = (column: Template<unknown>): Template<unknown> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
