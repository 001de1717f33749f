/** Holds several files fast for a write of them all: no link to one of them is made before it has ended. */
import { type Caller, fault, type Resource } from '@dala/model'
import { sql } from 'kysely'
import { compile } from '../../db/compiler.ts'
import type { Transaction } from '../../db/database.ts'
import type { View } from '../../resources/attributes.ts'
import { runScoped } from '../../resources/scoped.ts'

/** A file that is held: what is needed to take it away. */
interface HeldFile {
  id: number
  name: string
  url: unknown
  formats: unknown
}

/**
 * Locks the rows of files, in the order of their ids. A link that somebody is making to one of them is waited for, and
 * seen afterwards.
 *
 * Throws 404 when one is not there, 403 when one is in sight but not the caller's to change (contract §10, §14).
 */
export async function lockFiles(
  trx: Transaction,
  { resource, caller, view, ids }: { resource: Resource; caller: Caller; view: View; ids: readonly number[] },
): Promise<HeldFile[]> {
  const rows = await runScoped(trx, { resource, caller, view }, ({ from, where, document }) => {
    const of = (column: string) => sql.ref(`${document}.${column}`)
    return sql`select ${of('id')}, ${of('name')}, ${of('url')}, ${of('formats')} from ${from}
      where ${of('id')} = any(${[...ids]}::int[]) and ${where} order by ${of('id')} for update of ${sql.ref(document)}`
  })
  if (rows.length < ids.length) {
    const [there] = await trx.rows(compile(sql`select count(*)::int from uploads where id = any(${[...ids]}::int[])`))
    throw fault(Number(there?.[0]) < ids.length ? 'file.not-found' : 'access.denied')
  }
  return rows.map(([id, name, url, formats]) => ({ id: Number(id), name: String(name), url, formats }))
}
