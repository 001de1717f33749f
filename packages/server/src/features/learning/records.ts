/** Finds the records that routes of courses work on, as their callers may see them. */
import { type Caller, fault, type Resource } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { View } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

/** Returns the caller with the rights of a learner, with which previews and own progress are read. */
export const toLearnerCaller = (caller: Caller): Caller => ({ ...caller, role: 'authenticated', isConsultant: false })

/**
 * Finds the key of a course's record.
 *
 * @param database - The database.
 * @param resource - The resource.
 * @param reader - The caller and their rights.
 * @param id - The wire id.
 * @throws 404 for a record that the caller may not see.
 */
export async function findDocument(
  database: Database,
  resource: Resource,
  { caller, view }: { caller: Caller; view: View },
  id: number,
): Promise<number> {
  const query = { filters: { id: { $eq: String(id) } } }
  const [foundRecord] = await runScopedQuery(
    database,
    { resource, caller, view, query },
    ({ from, where, document }) =>
      sql<{ id: number }>`select ${sql.ref(`${document}.id`)} as id from ${from} where ${where} limit 1`,
  )
  if (!foundRecord) throw fault('record.not-found')
  return foundRecord.id
}
