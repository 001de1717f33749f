/**
 * Checks the rank of callers who act on an account: users above it may, and nobody on their own (checklist
 * §2).
 */
import { type Caller, fault, isRoleType, type RoleType, type WrittenLocale } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { accountLanguageSql } from '../../domain/delivery/mails.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { outranksRole } from '../../domain/accounts/accounts.ts'
import type { View } from '../../resources/attributes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { type AuditLine, writeAudit } from '../../resources/history/audit.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { lockEntry } from '../../resources/write/examine.ts'
import type { Author } from '../../resources/history/history.ts'
import { idOf } from '../../resources/routes.ts'

export const users = resourceNamed('users')

/** Action of a caller on the account of another user. */
export interface AccountAction {
  database: Database
  caller: Caller
  author: Author & { address: string; requestId: string }
  view: View
  /** Id of the account that the caller acts on. */
  id: number
}

/**
 * Reads the caller of a request and the account that they act on.
 *
 * @param database - The database.
 * @param request - The request.
 * @param caller - The caller.
 * @returns The action, with the account of the path.
 * @throws 403 for callers who may not change accounts, 404 for an invalid id.
 */
export function readAccountAction(database: Database, request: FastifyRequest, caller: Caller): AccountAction {
  const view = authoriseCaller(users, 'update', caller)
  const author = { caller, address: request.ip, requestId: request.id }
  return { database, caller, author, view, id: idOf(request) }
}

/** Locked account that a caller acts on. */
export interface LockedAccount {
  id: number
  email: string
  /** Language and script of the account. */
  locale: WrittenLocale
  /** Name of the account in letters; null while its address was never confirmed. */
  name: string | null
  confirmed: boolean
  /** Whether the user of the account has ever signed in. */
  wasSeen: boolean
  blocked: boolean
}

/**
 * Finds and locks the account that a caller acts on.
 *
 * @param trx - The transaction.
 * @param acting - The caller, and the account.
 * @returns The locked account.
 * @throws 404 for an account that the caller may not see; 403 for the caller's own and for accounts of equal
 * or higher rank (contract §14).
 */
export async function lockAccount(
  trx: Transaction,
  { author, caller, view, id }: AccountAction,
): Promise<LockedAccount> {
  if (!(await lockEntry(trx, users, id, { author, view }))) throw fault('user.not-found')
  const [account] = await trx.query(sql<LockedAccount & { role: RoleType }>`
    select u.id, u.email, ${accountLanguageSql('u')} as locale, case when u.confirmed then coalesce(nullif(u.name, ''), u.username) end as name,
           u.confirmed, u.last_seen_at is not null as "wasSeen", u.blocked,
           r.type as role
      from users u join roles r on r.id = u.role_id where u.id = ${id}`)
  if (!account) throw fault('user.not-found')
  if (id === caller.id) throw fault('user.own-access')
  if (!isRoleType(account.role) || !outranksRole(caller, account.role)) throw fault('user.rank')
  return account
}

/** Adds an audit line about an action of the caller on the account. */
export function auditAction(
  trx: Transaction,
  { author: { caller, address, requestId }, id }: AccountAction,
  action: AuditLine['action'],
  details: AuditLine['details'] = {},
): Promise<void> {
  return writeAudit(trx, { action, user: caller.id, resource: 'users', entry: id, address, requestId, details })
}
