/** One order of locks for records that are counted with another one: that one first, then the records. */
import type { LinkChange, LinkTarget, Resource } from '@dala/model'
import type { EngineParts, Transaction } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { linkOf } from '../attributes.ts'

/**
 * The link of a resource whose targets every write of its records locks first.
 *
 * @param parts - The parts of the engine, which have the behaviours.
 * @param resource - The resource of the records.
 * @returns The name of the link; undefined where records are locked alone.
 */
export const linkLockedFirst = (parts: EngineParts, resource: Resource): string | undefined =>
  parts.behaviourOf(resource)?.locksFirst

/** The records that are about to be written. */
interface AboutToBeWritten {
  /** Ids of stored records. */
  ids?: readonly number[]
  /** The links of the bodies. */
  links?: readonly Readonly<Record<string, LinkChange>>[]
  /** Ids of targets that are known already. */
  targets?: readonly number[]
}

/**
 * The targets that a record held before changes, so that they can be locked before it gets them back.
 *
 * @param parts - The parts of the engine, which have the behaviours.
 * @param resource - The resource of the record.
 * @param changes - The changes, as a revision stores them.
 * @returns The ids of the targets.
 */
export function formerTargets(
  parts: EngineParts,
  resource: Resource,
  changes: Readonly<Record<string, { before: unknown }>>,
): number[] {
  const before = changes[linkLockedFirst(parts, resource) ?? '']?.before
  return (Array.isArray(before) ? before : [before]).filter((id) => typeof id === 'number')
}

const wantedOf = (change: LinkChange | undefined): readonly LinkTarget[] =>
  change === undefined ? [] : 'set' in change ? change.set : [...change.connect, ...change.disconnect]

/**
 * Locks the targets that records hold now or are about to hold, in the order of their ids, before the records
 * themselves are locked. Writes that want the same records wait for each other here instead of meeting in a unique
 * index or in a deadlock.
 *
 * @param trx - The open transaction.
 * @param resource - The resource of the records; nothing happens where its behaviour names no such link.
 * @param written - The records.
 */
export async function lockTargetsFirst(
  trx: Transaction,
  resource: Resource,
  { ids = [], links = [], targets = [] }: AboutToBeWritten,
): Promise<void> {
  const name = linkLockedFirst(trx.parts, resource)
  if (name === undefined) return
  const { place, target } = linkOf(resource, name)
  if (place.in !== 'column' || target.localized || resource.localized)
    throw new Error(`${resource.name}.${name} cannot be locked first: it must be a column without languages`)
  const named = links.flatMap((one) => wantedOf(one[name]).filter((id) => typeof id === 'number'))
  const wanted = [...new Set([...targets, ...named])]
  if (wanted.length + ids.length === 0) return
  await trx.query(sql`
    select id from ${sql.table(documentTable(target))}
     where id = any(${wanted}::int[])
        or id in (select ${sql.ref(place.column)} from ${sql.table(documentTable(resource))} where id = any(${[...ids]}::int[]))
     order by id for update`)
}
