/** Converts keys of documents to wire ids. */
import type { Resource } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/**
 * Finds a wire id of each document; of a localized one that of its oldest text.
 *
 * @returns The ids in the order of the documents, without documents that do not exist.
 */
export async function wireIdsOf(
  runner: Pick<Queries, 'query'>,
  resource: Resource,
  documents: readonly number[],
): Promise<number[]> {
  if (documents.length === 0) return []
  const ids = resource.localized
    ? sql`select document_id as document, min(id) as id from ${sql.table(textTable(resource))} where document_id = any(${[...documents]}::int[]) group by 1`
    : sql`select id as document, id from ${sql.table(documentTable(resource))} where id = any(${[...documents]}::int[])`
  const rows = await runner.query(sql<{ document: number; id: number }>`${ids}`)
  const idByDocument = new Map(rows.map(({ document, id }) => [document, id]))
  return documents.flatMap((document) => idByDocument.get(document) ?? [])
}
