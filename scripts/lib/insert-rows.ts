/** Inserts rows of proofs, past the program's own writes. */
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'

/** Inserts rows of one table; all columns are those of the first row that has them. */
export async function insertRows(database: Database, table: string, rows: readonly object[]): Promise<void> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = sql.join(names.map((name) => sql.ref(name)))
  for (let start = 0; start < rows.length; start += 2_000)
    await database.query(sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(start, start + 2_000))}::jsonb)`)
  // The next numbers of the database follow the stored ones.
  if (names.includes('id'))
    await database.query(sql`
      select setval(s.name, (select max(id) from ${sql.table(table)})) from pg_get_serial_sequence(${table}, 'id') s(name)
       where s.name is not null`)
}
