/** Records a trace of every write in the same transaction: revisions of the record and an audit line. */
import type { Caller, Locale, Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { documentTable } from '../../db/schema.ts'
import { auditSql } from './audit.ts'

export interface Change {
  before: unknown
  after: unknown
}

/** The program itself as an author: it has no account, and history shows no author of its writes. */
export const programCaller: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: '' }

/** Author of a write and its origin: the caller of a request, or the program itself. */
export interface Author {
  caller: Caller
  address?: string
  requestId?: string
  /** Whether a write may set creation times, which only seeds do (contract §4). */
  seeding?: true
  /** Bulk job that the write is a part of. */
  job?: number
}

export interface Revision {
  /** Language of a recorded change; undefined for the part that all languages share. */
  locale?: Locale
  changes: Readonly<Record<string, Change>>
  /** Additional values for a restore: ids, times and counts of what is deleted (decision 27). */
  kept?: Readonly<Record<string, unknown>>
}

/** The revisions and audit line of one write. */
export interface WriteTrace {
  author: Author
  resource: Resource
  operation: 'create' | 'update' | 'remove' | 'restore'
  revisions: readonly Revision[]
  /** Identifies a removal of several records, so that one restore brings all of them back. */
  removal?: string
}

/**
 * Makes the parts of a write's statement that record its trace: a revision for each changed part, and one
 * audit line. Nothing is written when nothing changed. The revisions get their ids in the order given: the
 * document first, then its languages by code.
 *
 * @param trace - The trace. Its changes contain no private fields.
 * @param document - SQL of the document's key.
 * @param entry - SQL of the wire id.
 * @param offset - The number of parts that the statement already has.
 */
export function traceSql(
  { author, resource, operation, revisions, removal }: WriteTrace,
  document: Template<unknown>,
  entry: Template<unknown>,
  offset: number,
): Template<unknown>[] {
  const changedRevisions = revisions.filter(
    ({ changes, kept }) => Object.keys(changes).length > 0 || kept !== undefined,
  )
  if (changedRevisions.length === 0) return []
  const user = author.seeding || author.caller.id === programCaller.id ? null : author.caller.id
  const listedJson = JSON.stringify(
    changedRevisions.map(({ locale, changes, kept }) => ({ locale: locale ?? null, changes, kept: kept ?? null })),
  )
  const name = documentTable(resource)
  const insertStatement = sql`insert into revisions (resource, document_id, locale, operation, changes, user_id, kept, removal, job)
    select ${name}::text, ${document}, listed.locale, ${operation}::text, listed.changes, ${user}::int, listed.kept, ${removal ?? null}::uuid, ${author.job ?? null}::int
      from rows from (jsonb_to_recordset(${listedJson}::jsonb) as (locale text, changes jsonb, kept jsonb))
        with ordinality as listed(locale, changes, kept, place)
     order by listed.place returning id`
  const line = {
    action: `record.${operation}`,
    user,
    resource: name,
    address: author.address,
    requestId: author.requestId,
  } as const
  const ids = sql`(select array_agg(id order by id) from ${sql.ref(`part${offset}`)})`
  return [insertStatement, auditSql(line, entry, ids)]
}

/**
 * Makes the parts of a statement that record the traces of
 * many documents: a revision and an audit line for each.
 *
 * @param written - The author, the operation, and the changes of each document, in their order.
 * @returns Two statements that follow `part0` (the documents) and `part1` (their ids by position).
 */
export function traceSqlOfMany({
  author,
  resource,
  operation,
  revisions,
  removal,
}: {
  author: Author
  resource: Resource
  operation: WriteTrace['operation']
  revisions: readonly Pick<Revision, 'changes' | 'kept'>[]
  removal?: string
}): [Template<unknown>, Template<unknown>] {
  const user = author.seeding || author.caller.id === programCaller.id ? null : author.caller.id
  const listedJson = JSON.stringify(revisions.map(({ changes, kept }) => ({ changes, kept: kept ?? null })))
  const name = documentTable(resource)
  const insertedSql = sql`insert into revisions (resource, document_id, operation, changes, user_id, kept, removal, job)
    select ${name}::text, part1.id, ${operation}::text, listed.changes, ${user}::int, listed.kept, ${removal ?? null}::uuid, ${author.job ?? null}::int
      from rows from (jsonb_to_recordset(${listedJson}::jsonb) as (changes jsonb, kept jsonb)) with ordinality as listed(changes, kept, place)
      join part1 on part1.place = listed.place
     order by listed.place returning id, document_id`
  const line = {
    action: `record.${operation}`,
    user,
    resource: name,
    address: author.address,
    requestId: author.requestId,
  } as const
  const lines = auditSql(line, sql`made.document_id`, sql`array[made.id]`)
  return [insertedSql, sql`${lines} from (select id, document_id from part2 order by id) as made`]
}
