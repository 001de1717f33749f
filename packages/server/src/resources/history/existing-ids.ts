/** Converts documents, as history stores links, back to wire ids. */
import { type Field, isScalar, isToOne, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resourceNamed } from '../attributes.ts'
import { documentsOf } from './revision-changes.ts'

/** Returns the wire ids of the documents that still exist, in their order, any language of each. */
export async function existingIds(trx: Transaction, target: Resource, documents: readonly number[]): Promise<number[]> {
  if (documents.length === 0) return []
  const id = target.localized
    ? sql`(select min(t.id) from ${sql.table(textTable(target))} t where t.document_id = d.id)`
    : sql`d.id`
  const rows = await trx.query(sql<{ id: number }>`
    select ${id} as id from unnest(${[...documents]}::int[]) with ordinality as listed(id, place)
      join ${sql.table(documentTable(target))} d on d.id = listed.id order by listed.place`)
  return rows.map((row) => row.id)
}

/**
 * Makes a request body of stored values. Links to deleted records are left out, except required ones.
 *
 * @param trx - The transaction of the write.
 * @param resource - The resource of the record.
 * @param values - Values by field, links as documents.
 * @returns The body for the writing path.
 */
export async function bodyOf(
  trx: Transaction,
  { fields }: Resource,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field: Field | undefined = fields[name]
    if (!field) continue
    if (isScalar(field)) {
      body[name] = value
      continue
    }
    const ids = await existingIds(trx, resourceNamed(field.target), documentsOf(value))
    if (!isToOne(field)) body[name] = { set: ids }
    else if (ids.length > 0 || !field.required) body[name] = ids[0] ?? null
  }
  return body
}
