/** Stores reports of readers on trading posts: one of each reader, settled one by one. */
import { fault, type PostReport } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { notifyPostChange } from '../../domain/market/post-changes.ts'

/** Reads the reports on a trading post, open ones first. */
export const readPostReports = (queries: Queries, document: number): Promise<PostReport[]> =>
  queries.query(sql<PostReport>`
    select r.id, r.reason, r.text, r.created_at as at, r.settled_at, r.upheld
      from post_reports r where r.document_id = ${document} order by r.settled_at is not null, r.id limit 200`)

/** Stores the number of open reports in the trading post; its content is unchanged, so its version stays. */
async function recountReports(trx: Transaction, document: number): Promise<void> {
  await trx.query(sql`
    update tradinposts set reports_open = (
      select count(*) from post_reports r where r.document_id = ${document} and r.settled_at is null) where id = ${document}`)
  trx.changed('tradinposts', 'values')
  notifyPostChange(trx, document)
}

/**
 * Adds the report of a reader on a trading post.
 *
 * @throws 409 for a second report of the same reader; 422 for a reason that is not listed.
 */
export async function report(
  trx: Transaction,
  { document, user, reason, text }: { document: number; user: number; reason: string; text: string | null },
): Promise<void> {
  const [reasonRow] = await trx.query(sql`
    select 1 from moderationreasons where code = ${reason} and active and applies_to = 'report'`)
  if (!reasonRow) {
    const params = { field: 'reason' }
    throw fault('moderation.reason', { params, issues: [{ path: ['reason'], code: 'moderation.reason', params }] })
  }
  const [reportRow] = await trx.query(sql`
    insert into post_reports (document_id, user_id, reason, text) values (${document}, ${user}, ${reason}, ${text}::text)
    on conflict (document_id, user_id) do nothing returning id`)
  if (!reportRow) throw fault('moderation.reported')
  await recountReports(trx, document)
}

/**
 * Settles one report on a trading post.
 *
 * @throws 404 for a report of another post; 409 for a settled report.
 */
export async function settleReport(
  trx: Transaction,
  { document, id, user, upheld }: { document: number; id: number; user: number; upheld: boolean },
): Promise<void> {
  const [storedReport] = await trx.query(sql<{ settled: boolean }>`
    select settled_at is not null as settled from post_reports where id = ${id} and document_id = ${document} for update`)
  if (!storedReport) throw fault('record.not-found')
  if (storedReport.settled) throw fault('moderation.settled')
  await trx.query(sql`
    update post_reports set settled_at = now(), settled_by = ${user}, upheld = ${upheld} where id = ${id}`)
  await recountReports(trx, document)
}
