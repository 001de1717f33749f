/** Checks the recipients of schedules, whenever one is changed or sent. */
import { type Caller, fault, type SavedReport } from '@dala/model'
import type { Queries } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import { staffRoles } from '../shares/store.ts'
import { isStaff } from './store.ts'

export interface Recipients {
  users: readonly number[]
  addresses: readonly string[]
}

/**
 * Checks that a caller may send to recipients: consultants only to themselves.
 *
 * @throws 403 for others.
 */
export function assertMaySend(caller: Caller, { users, addresses }: Recipients): void {
  const isOwnOnly = addresses.length === 0 && users.every((id) => id === caller.id)
  if (!isOwnOnly && !isStaff(caller)) throw fault('access.denied')
}

/**
 * Checks that a saved report has no figures of one consultant when it is sent to addresses, as shared pages have
 * none.
 *
 * @throws 422.
 */
export function assertTotals(
  { query }: Pick<SavedReport, 'query'>,
  { addresses }: Pick<Recipients, 'addresses'>,
): void {
  if (addresses.length > 0 && query.filters?.consultant !== undefined)
    throw fault('report.filter', { params: { key: 'filters[consultant]' } })
}

/**
 * Checks that there are recipients, and that their accounts can open reports.
 *
 * @throws 422.
 */
export async function assertReaders(queries: Pick<Queries, 'query'>, { users, addresses }: Recipients): Promise<void> {
  const [countRow] = await queries.query(sql<{ n: number }>`
    select count(*)::int as n from users u join roles r on r.id = u.role_id
     where u.id = any(${[...users]}::int[]) and not u.blocked and u.removed_at is null
       and (r.type = any(${staffRoles}::text[]) or (r.type = 'authenticated' and u.is_consultant))`)
  if (users.length + addresses.length === 0 || countRow?.n !== users.length) throw fault('report.recipients')
}
