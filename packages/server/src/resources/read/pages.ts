/** Pages of rows that belong to no declared resource: jobs, their rows, notices. */
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import type { Pagination } from './query.ts'

/** SQL for the end of a statement that reads one page. */
export function pageSql({ form, page, pageSize, start, limit }: Pagination): Template<unknown> {
  const [size, offset] = form === 'page' ? [pageSize, (page - 1) * pageSize] : [limit, start]
  return sql`limit ${size}::int offset ${offset}::int`
}

/**
 * Counts the rows on all pages of a statement.
 *
 * @param queries - The connection.
 * @param fromSql - The statement from its `from` on.
 */
export async function countOf(queries: Pick<Queries, 'query'>, fromSql: Template<unknown>): Promise<number> {
  const [row] = await queries.query(sql<{ total: number }>`select count(*)::int as total ${fromSql}`)
  return row?.total ?? 0
}
