/** Reads the current rights of an account, for work that continues after its request. */
import type { Caller } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Queries } from '../db/database.ts'

/**
 * Finds the current caller of an account, whose role may have changed since its request.
 *
 * @param queries - The transaction of the work.
 * @param user - The id of the account.
 * @returns The caller; undefined for an account that is blocked or deleted.
 */
export async function readCallerNow(queries: Pick<Queries, 'query'>, user: number): Promise<Caller | undefined> {
  const [callerRow] = await queries.query(sql<Omit<Caller, 'sessionId'>>`
    select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, u.script
      from users u join roles r on r.id = u.role_id where u.id = ${user} and not u.blocked and u.removed_at is null`)
  return callerRow && { ...callerRow, sessionId: '' }
}
