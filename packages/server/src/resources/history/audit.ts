/**
 * Adds audit lines: who did or tried what, from where and when. Secrets never appear in them (checklist §10).
 */
import type { AuditAction } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'

export interface AuditLine {
  action: AuditAction
  /** Account that the audit line is about, when it is known. A typed name is never stored. */
  user: number | null
  address: string | undefined
  requestId: string | undefined
  resource?: string
  entry?: number
  details?: Readonly<Record<string, string>>
}

const valuesOf = (
  { action, user, address, requestId, resource, entry, details }: AuditLine,
  entryId: Template<unknown> = sql`${entry ?? null}::int`,
  revisions: Template<unknown> = sql`'{}'::int[]`,
) => sql`
  ${action}::text, ${user}::int, ${resource ?? null}::text, ${entryId}, ${revisions},
  ${JSON.stringify(details ?? {})}::jsonb, ${address?.slice(0, 45) ?? null}::text, ${requestId ?? null}::text`

const insertAuditSql = sql`insert into audit (action, user_id, resource, entry, revision_ids, details, address, request_id)`

/**
 * Adds a line to the audit log.
 *
 * @param queries - The transaction of the action, so that both are stored or neither.
 * @param line - The line.
 */
export async function writeAudit(queries: Queries, line: AuditLine): Promise<void> {
  await queries.query(sql`${insertAuditSql} select ${valuesOf(line)}`)
}

/** An audit line about a record, as a part of the statement that writes it and makes its id and revisions. */
export function auditSql(line: AuditLine, entry: Template<unknown>, revisions: Template<unknown>): Template<unknown> {
  return sql`${insertAuditSql} select ${valuesOf(line, entry, revisions)}`
}

/**
 * Adds a line about a refusal unless the same one was added within the last minute. A refused user may repeat
 * the request, and must not fill the disk.
 */
export async function writeAuditOnceAMinute(database: Pick<Database, 'transaction'>, line: AuditLine): Promise<void> {
  const { action, user, address, details } = line
  // Audit lines of refusals are counted in their own transaction, because lines are sealed after a commit.
  await database.transaction((trx) =>
    trx.query(sql`
    ${insertAuditSql} select ${valuesOf(line)}
     where not exists (
       select 1 from audit
        where created_at > now() - interval '1 minute' and action = ${action}::text
          and user_id is not distinct from ${user}::int and address is not distinct from ${address?.slice(0, 45) ?? null}::text
          and details = ${JSON.stringify(details ?? {})}::jsonb)`),
  )
}
