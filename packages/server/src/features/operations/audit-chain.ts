/** What binds the lines of the audit to one another: each one's hash holds the one before it (decision 21). */
import { createHash } from 'node:crypto'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'

/** Only what moves the chain takes this lock: who seals lines, and who lets old ones go. */
export const chainLock = 4_711_002

/** A place in the chain. */
export interface Link {
  seal: number
  hash: string
}

/** Before the first line there ever was. */
const beginning: Link = { seal: 0, hash: '0'.repeat(64) }

const hexOf = (text: Template<unknown>) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
const moment = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`

const revisionSql = sql`jsonb_build_array(r.id, r.resource, r.document_id, r.locale, r.operation, r.changes, r.user_id,
  r.kept, r.removal, r.job, ${moment('r.created_at')})::text`

/**
 * SQL of the digest of a line `a`: of all it says, and of the revisions it names as they stand. Texts of arbitrary
 * length stay in the database, so that neither sealing nor checking holds them.
 */
export const digestSql = hexOf(sql`
  jsonb_build_array(a.id, a.action, a.user_id, a.resource, a.entry, a.revision_ids, a.details, a.address, a.request_id,
    a.version, ${moment('a.created_at')}, ${moment('a.updated_at')})::text
  || coalesce((select string_agg(${hexOf(revisionSql)}, '' order by r.id) from revisions r where r.id = any(a.revision_ids)), '')`)

/** The place that follows. In: the digest of the line that takes it. */
export function follow({ seal, hash }: Link, digest: string): Link {
  const next = seal + 1
  return { seal: next, hash: createHash('sha256').update(`${next}\n${hash}\n${digest}`).digest('hex') }
}

/** Where the chain begins: behind the last line that had its time, or at its very beginning. */
export async function anchorOf(queries: Queries): Promise<Link> {
  const [anchor] = await queries.query(sql<Link>`select seal, hash from audit_anchor`)
  return anchor ?? beginning
}
