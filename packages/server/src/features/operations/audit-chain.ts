/** Computes the hash chain of the audit: the hash of each line includes the one before it (decision 21). */
import { createHash } from 'node:crypto'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'

/** Key of the advisory lock of the two writers of the chain: the sealer, and the deletion of old lines. */
export const chainLock = 4_711_002

/** Place in the audit chain. */
export interface ChainLink {
  seal: number
  hash: string
}

/** Place before the first line of the audit chain. */
const chainStart: ChainLink = { seal: 0, hash: '0'.repeat(64) }

const hexOf = (text: Template<unknown>) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
const moment = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`

const revisionSql = sql`jsonb_build_array(r.id, r.resource, r.document_id, r.locale, r.operation, r.changes, r.user_id,
  r.kept, r.removal, r.job, ${moment('r.created_at')})::text`

/**
 * SQL of the digest of a line `a`: all its columns, and the stored revisions that it names. The database
 * computes it, so that neither sealing nor checking loads long texts.
 */
export const digestSql = hexOf(sql`
  jsonb_build_array(a.id, a.action, a.user_id, a.resource, a.entry, a.revision_ids, a.details, a.address, a.request_id,
    a.version, ${moment('a.created_at')}, ${moment('a.updated_at')})::text
  || coalesce((select string_agg(${hexOf(revisionSql)}, '' order by r.id) from revisions r where r.id = any(a.revision_ids)), '')`)

/**
 * Computes the next place of the audit chain.
 *
 * @param link - The place before.
 * @param digest - The digest of the line that takes the next place.
 * @returns The next place.
 */
export function nextLink({ seal, hash }: ChainLink, digest: string): ChainLink {
  const nextSeal = seal + 1
  return { seal: nextSeal, hash: createHash('sha256').update(`${nextSeal}\n${hash}\n${digest}`).digest('hex') }
}

/** Returns the start of the audit chain: the last deleted line, or the beginning when none was deleted. */
export async function readChainStart(queries: Queries): Promise<ChainLink> {
  const [anchor] = await queries.query(sql<ChainLink>`select seal, hash from audit_anchor`)
  return anchor ?? chainStart
}
