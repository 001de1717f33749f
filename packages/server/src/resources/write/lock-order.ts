/**
 * Defines one lock order for records that are counted with another record: that record first, then the
 * others.
 */
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
 * @returns The name of the link; undefined where no other record is locked.
 */
export const linkLockedFirst = (parts: EngineParts, resource: Resource): string | undefined =>
  parts.behaviourOf(resource)?.locksFirst

/** Records that a write is about to change. */
interface PlannedWrite {
  /** Ids of stored records that the write locks. */
  ids?: readonly number[]
  /** Links in the bodies of the write, whose targets it locks. */
  links?: readonly Readonly<Record<string, LinkChange>>[]
  /** Ids of link targets to lock that are already known. */
  targets?: readonly number[]
}

/**
 * Returns the former targets of a record, which must be locked before a restore or an undo gives them back.
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
  const firstLinkBefore = changes[linkLockedFirst(parts, resource) ?? '']?.before
  return (Array.isArray(firstLinkBefore) ? firstLinkBefore : [firstLinkBefore]).filter((id) => typeof id === 'number')
}

const targetsOfChange = (change: LinkChange | undefined): readonly LinkTarget[] =>
  change === undefined ? [] : 'set' in change ? change.set : [...change.connect, ...change.disconnect]

/**
 * Locks the current and future targets of records, in the order of their ids, before the records themselves
 * are locked. Concurrent writes wait for each other here instead of in a unique index or a deadlock.
 *
 * @param trx - The open transaction.
 * @param resource - The resource of the records; without `locksFirst` in its behaviour nothing happens.
 * @param written - The records.
 */
export async function lockTargetsFirst(
  trx: Transaction,
  resource: Resource,
  { ids = [], links = [], targets = [] }: PlannedWrite,
): Promise<void> {
  const name = linkLockedFirst(trx.parts, resource)
  if (name === undefined) return
  const { place, target } = linkOf(resource, name)
  if (place.in !== 'column' || target.localized || resource.localized)
    throw new Error(`${resource.name}.${name} cannot be locked first: it must be a column without languages`)
  const namedIds = links.flatMap((changesByField) =>
    targetsOfChange(changesByField[name]).filter((id) => typeof id === 'number'),
  )
  const lockedIds = [...new Set([...targets, ...namedIds])]
  if (lockedIds.length + ids.length === 0) return
  await trx.query(sql`
    select id from ${sql.table(documentTable(target))}
     where id = any(${lockedIds}::int[])
        or id in (select ${sql.ref(place.column)} from ${sql.table(documentTable(resource))} where id = any(${[...ids]}::int[]))
     order by id for update`)
}
