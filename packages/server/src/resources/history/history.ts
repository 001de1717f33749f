/** Leaves a trace of every write in its own transaction: revisions of the record, and the audit line. */
import type { Caller, Locale, Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { documentTable } from '../../db/schema.ts'
import { auditSql } from './audit.ts'

export interface Change {
  before: unknown
  after: unknown
}

/** The program itself: it stands for no account, and history names nobody for what it does. */
export const programCaller: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: '' }

/** Who writes, and from where: the caller of a request, or the program itself. */
export interface Author {
  caller: Caller
  address?: string
  requestId?: string
  /** Seeds may set creation times, which a body may not (contract §4). */
  seeding?: true
  /** The job on many records that the write is a part of. */
  job?: number
}

export interface Revision {
  /** Undefined: the part that all languages share. */
  locale?: Locale
  changes: Readonly<Record<string, Change>>
  /** What a restore needs besides: ids, times and counts of what goes (decision 27). */
  kept?: Readonly<Record<string, unknown>>
}

/** What a write leaves behind. */
export interface Trace {
  author: Author
  resource: Resource
  operation: 'create' | 'update' | 'remove' | 'restore'
  revisions: readonly Revision[]
  /** Names the removal that took several records at once, so that one restore brings them back. */
  removal?: string
}

/**
 * The parts of a write's statement that leave its trace: one revision for each part that changed, and one audit line.
 *
 * In: the trace, SQL of the document's key and of the wire id, and how many parts the statement has already.
 * The revisions get their ids in the order given: the document first, then its languages by their code.
 * Nothing is written when nothing changed. Changes come without private fields.
 */
export function traceSql(
  { author, resource, operation, revisions, removal }: Trace,
  document: Template<unknown>,
  entry: Template<unknown>,
  offset: number,
): Template<unknown>[] {
  const changed = revisions.filter(({ changes, kept }) => Object.keys(changes).length > 0 || kept !== undefined)
  if (changed.length === 0) return []
  const user = author.seeding || author.caller.id === programCaller.id ? null : author.caller.id
  const listed = JSON.stringify(
    changed.map(({ locale, changes, kept }) => ({ locale: locale ?? null, changes, kept: kept ?? null })),
  )
  const name = documentTable(resource)
  const insert = sql`insert into revisions (resource, document_id, locale, operation, changes, user_id, kept, removal, job)
    select ${name}::text, ${document}, listed.locale, ${operation}::text, listed.changes, ${user}::int, listed.kept, ${removal ?? null}::uuid, ${author.job ?? null}::int
      from rows from (jsonb_to_recordset(${listed}::jsonb) as (locale text, changes jsonb, kept jsonb))
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
  return [insert, auditSql(line, entry, ids)]
}

/**
 * The parts of a statement that leave the traces of many documents: a revision and an audit line for each.
 *
 * @param written - The author, the operation, and the changes of each document, in their order.
 * @returns Two statements to follow after `part0`, the documents, and `part1`, their ids by place.
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
  operation: Trace['operation']
  revisions: readonly Pick<Revision, 'changes' | 'kept'>[]
  removal?: string
}): [Template<unknown>, Template<unknown>] {
  const user = author.seeding || author.caller.id === programCaller.id ? null : author.caller.id
  const listed = JSON.stringify(revisions.map(({ changes, kept }) => ({ changes, kept: kept ?? null })))
  const name = documentTable(resource)
  const inserted = sql`insert into revisions (resource, document_id, operation, changes, user_id, kept, removal, job)
    select ${name}::text, part1.id, ${operation}::text, listed.changes, ${user}::int, listed.kept, ${removal ?? null}::uuid, ${author.job ?? null}::int
      from rows from (jsonb_to_recordset(${listed}::jsonb) as (changes jsonb, kept jsonb)) with ordinality as listed(changes, kept, place)
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
  return [inserted, sql`${lines} from (select id, document_id from part2 order by id) as made`]
}
