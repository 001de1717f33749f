/** The numbers of rows of all tables, which a backup notes and its proof counts again. */
import * as z from 'zod'
import type { Connection } from '../driver.ts'

/** Numbers of rows by table. */
export type RowCounts = Readonly<Record<string, number>>

const names = z.array(z.object({ name: z.string() }))
const counts = z.array(z.object({ name: z.string(), count: z.coerce.number() }))

/**
 * Counts the rows of all tables. Within a transaction with one snapshot, all numbers belong to the same moment.
 *
 * @param connection - The connection; its time limits apply.
 * @returns The number of rows of each table.
 */
export async function countRows(connection: Pick<Connection, 'script'>): Promise<RowCounts> {
  const tables = names.parse(
    await connection.script(`select tablename as name from pg_tables where schemaname = 'public' order by 1`),
  )
  if (tables.length === 0) return {}
  const statements = tables.map(
    ({ name }) => `select '${name.replaceAll("'", "''")}' as name, count(*) as count from public."${name}"`,
  )
  const rows = counts.parse(await connection.script(statements.join(' union all ')))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
