/** Writes of several files in one transaction: removing unused ones, and moving them. */
import { fault, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { removeEntry } from '../../resources/write/remove.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { updateEntry, type WriteContext, withDeadlockRetry } from '../../resources/write/write.ts'
import { type FoundUses, usesOf } from './uses.ts'

/** Uploaded file whose row is locked. */
interface LockedFile {
  id: number
  name: string
}

/**
 * Locks the rows of files, in the order of their ids. The locks wait for concurrent links to the files, which
 * are visible afterwards.
 *
 * @throws 404 for an unknown file; 403 when the caller may read one but not change it (contract §10, §14).
 */
async function lockFiles(
  trx: Transaction,
  { author: { caller }, view }: WriteContext,
  resource: Resource,
  ids: readonly number[],
): Promise<LockedFile[]> {
  const rows = await runScopedQuery(trx, { resource, caller, view }, ({ from, where, document }) => {
    const columnOf = (column: string) => sql.ref(`${document}.${column}`)
    return sql<LockedFile>`select ${columnOf('id')}, ${columnOf('name')} from ${from}
      where ${columnOf('id')} = any(${[...ids]}::int[]) and ${where} order by ${columnOf('id')} for update of ${sql.ref(document)}`
  })
  if (rows.length < ids.length) {
    const readScope = { resource, caller, view: authoriseCaller(resource, 'get', caller) }
    const [fileRow] = await runScopedQuery(
      trx,
      readScope,
      ({ from, where, document }) =>
        sql<{
          readable: number
        }>`select count(*)::int as readable from ${from} where ${sql.ref(`${document}.id`)} = any(${[...ids]}::int[]) and ${where}`,
    )
    throw fault((fileRow?.readable ?? 0) < ids.length ? 'file.not-found' : 'access.denied')
  }
  return rows
}

/** Result of the removal of several files. */
export interface Removal {
  removed: number[]
  /** Files that were not removed, with their uses. */
  refused: ({ id: number; name: string } & FoundUses)[]
}

/**
 * Removes the records of unused files in one transaction. A file that is used only by its cuts counts as
 * unused when these are removed too.
 *
 * @param context - The write's context.
 * @param resource - The resource of files.
 * @param ids - The ids of the files.
 * @returns The removed files, and those that stay with their uses.
 * @throws 404 and 403 as `lockFiles`; nothing is removed then.
 */
export function removeUnusedFiles(context: WriteContext, resource: Resource, ids: readonly number[]): Promise<Removal> {
  const { author } = context
  return withDeadlockRetry(context.database, async (trx) => {
    let leftFiles = await lockFiles(trx, context, resource, ids)
    const missingFiles: LockedFile[] = []
    for (;;) {
      const remainingIds = leftFiles.map(({ id }) => id)
      const uses = await usesOf(trx, { caller: author.caller, view: {} }, remainingIds)
      const freeFiles = leftFiles.filter(({ id }) => uses.get(id)?.total === 0)
      for (const { id } of freeFiles) await removeEntry({ ...context, trx }, resource, id, false)
      missingFiles.push(...freeFiles)
      leftFiles = leftFiles.filter((file) => !freeFiles.includes(file))
      if (freeFiles.length > 0 && leftFiles.length > 0) continue
      const removedIds = new Set(missingFiles.map(({ id }) => id))
      return {
        removed: ids.filter((id) => removedIds.has(id)),
        refused: leftFiles.map(({ id, name }) => ({ id, name, ...(uses.get(id) ?? { uses: [], total: 0 }) })),
      }
    }
  })
}

/**
 * Moves files into a folder, or out of it, in one transaction.
 *
 * @throws 404 and 403 as `lockFiles`; none is moved then.
 */
export function moveFiles(
  context: WriteContext,
  resource: Resource,
  ids: readonly number[],
  folder: string | null,
): Promise<void> {
  return withDeadlockRetry(context.database, async (trx) => {
    await lockFiles(trx, context, resource, ids)
    for (const id of ids) await updateEntry({ ...context, trx }, resource, id, { folder })
  })
}
