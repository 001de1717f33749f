/** Leaves a trace of every write in its own transaction: revisions of the record, and the audit line. */
import type { Caller, Locale, Resource } from '@dala/model'
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'
import { writeAudit } from './audit.ts'

export interface Change {
  before: unknown
  after: unknown
}

/** Who writes, and from where: the caller of a request, or the program itself while seeding. */
export interface Author {
  caller: Caller
  address?: string
  requestId?: string
  /** Seeds may set creation times, which a body may not (architecture.md). */
  seeding?: true
}

export interface Revision {
  /** Undefined: the part that all languages share. */
  locale?: Locale
  changes: Readonly<Record<string, Change>>
}

/**
 * Writes one revision for each part that changed and one audit line for the whole write.
 *
 * In: the operation, the wire id it was asked for, and the changes without private fields. Nothing is written when
 * nothing changed.
 */
export async function recordHistory(
  trx: Transaction,
  author: Author,
  resource: Resource,
  operation: 'create' | 'update' | 'remove',
  document: number,
  entry: number,
  revisions: readonly Revision[],
): Promise<void> {
  const ids: number[] = []
  const user = author.seeding ? null : author.caller.id
  for (const { locale, changes } of revisions) {
    if (Object.keys(changes).length === 0) continue
    const rows = await trx.query(sql<{ id: number }>`
      insert into revisions (resource, document_id, locale, operation, changes, user_id)
      values (${resource.name}, ${document}, ${locale ?? null}, ${operation}, ${JSON.stringify(changes)}::jsonb, ${user})
      returning id`)
    ids.push(...rows.map(({ id }) => id))
  }
  if (ids.length === 0) return
  await writeAudit(trx, {
    action: `record.${operation}`,
    user,
    resource: resource.name,
    entry,
    revisions: ids,
    address: author.address,
    requestId: author.requestId,
  })
}
