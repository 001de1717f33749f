/** Where a file is used: the records that link to it (contract §10, `if_unused`). */
import { locales } from '@dala/model'
import { sql } from 'kysely'
import type { Queries } from '../../db/database.ts'
import { documentTable, inboundLinks, textTable } from '../../db/schema.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'

export interface FileUse {
  /** Name of the resource on the wire. */
  resource: string
  id: number
  field: string
}

const most = 100

/** The first hundred records that link to a file. A record of several languages is named by its first entry. */
export async function usesOf(queries: Queries, file: number): Promise<FileUse[]> {
  const parts = inboundLinks(resourceNamed('uploads'), resources).map(({ resource, field, storage }) => {
    const table = sql.table(documentTable(resource))
    const holders =
      storage.in === 'column'
        ? sql`select id from ${table} where ${sql.ref(storage.column)} = ${file}::int`
        : sql`select ${sql.ref(storage.own)} as id from ${sql.table(storage.table)} where ${sql.ref(storage.other)} = ${file}::int`
    const id = resource.localized
      ? sql`(select t.id from ${sql.table(textTable(resource))} t where t.document_id = held.id
              order by array_position(${[...locales]}::text[], t.locale::text) limit 1)`
      : sql`held.id`
    return sql`select ${sql.lit(resource.wire)} as resource, ${id} as id, ${sql.lit(field)} as field from (${holders}) held`
  })
  if (parts.length === 0) return []
  return queries.query(sql<FileUse>`${sql.join(parts, sql` union all `)} limit ${sql.lit(most)}`)
}
