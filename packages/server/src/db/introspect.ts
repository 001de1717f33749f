/** Reads the schema of a database, to compare it with that of the model. */
import type { Database } from './database.ts'
import { introspection, type IntrospectedRow, missingSql, toFoundSchema } from './schema-sql.ts'
import type { Table } from './schema-parts.ts'

const text = (value: unknown) => String(value)

/**
 * Returns the SQL that updates a database to the given tables; empty when it has them (docs/architecture.md,
 * From one declaration).
 */
export async function missingStatements(database: Database, tables: readonly Table[]): Promise<string[]> {
  const rows = await database.rows({ sql: introspection, parameters: [] })
  const foundRows = rows.map(([kind, table, name, type, notNull]): IntrospectedRow => ({
    kind: text(kind),
    table: text(table),
    name: text(name),
    type: text(type),
    notNull: notNull === true,
  }))
  return missingSql(tables, toFoundSchema(foundRows))
}
