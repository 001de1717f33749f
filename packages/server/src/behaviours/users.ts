/**
 * Rules of accounts: rank, the last owner, strong passwords for staff, and what ends when an account changes.
 */
import {
  type Caller,
  fault,
  isLocale,
  isRoleType,
  isScript,
  type Issue,
  rankOfRole,
  type RoleType,
  validationFault,
  writtenLocale,
} from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/database.ts'
import { outranksRole, weaknessOf } from '../domain/accounts/accounts.ts'
import { programCaller } from '../resources/history/history.ts'
import { voidConfirmation } from '../domain/accounts/email-confirmations.ts'
import { nameForLetters, queueMail } from '../domain/delivery/mails.ts'
import { openWorkOf } from '../domain/conversations/open-work.ts'
import { voidResetCodes } from '../domain/accounts/reset-codes.ts'
import { endSessionsOf } from '../domain/accounts/sessions.ts'
import type { Behaviour, FieldValues, CheckedWrite } from '../resources/write/behaviour.ts'

/** The stored account before the write, with additional columns that the rules need. */
interface Account {
  id: number
  role: RoleType
  accountValues: FieldValues
}

const staffRank = rankOfRole('admin')
// Number of the advisory lock that only the count of owners uses.
const ownersLock = 4_711_006

async function accountOf(trx: Transaction, formerValues: FieldValues): Promise<Account> {
  const [row] = await trx.query(sql<{ id: number; role: RoleType }>`
    select u.id, r.type as role from users u join roles r on r.id = u.role_id where u.username = ${formerValues.username}`)
  if (!row) throw fault('user.not-found')
  return { ...row, accountValues: formerValues }
}

function assertRoleGranted(caller: Caller, role: RoleType | undefined): void {
  if (role === undefined || role === 'public' || !outranksRole(caller, role)) throw fault('user.role-not-granted')
}

interface Move {
  /** Tells whether the write of an account changes a field. */
  isChanged: (field: string) => boolean
  role: RoleType | undefined
  blocks: boolean
  isLeaving: boolean
}

/**
 * Throws when the caller may not make this change of an account: a role not below theirs, or a restricted
 * change of their own.
 */
function assertMayChange(
  caller: Caller,
  { id, role }: Account,
  { isChanged, role: nextRole, blocks, isLeaving }: Move,
): void {
  if (id === caller.id) {
    if (isChanged('role')) throw fault('user.own-role')
    if (isLeaving || blocks) throw fault('user.own-access')
    // Changing one's own password requires the current one, because an open session must not be enough.
    if (isChanged('password')) throw fault('user.own-password')
    // Users change their own e-mail only with a confirmation, because reset emails are sent to it.
    if (isChanged('email')) throw fault('user.own-email')
    return
  }
  if (!outranksRole(caller, role)) throw fault('user.rank')
  if (isChanged('role')) assertRoleGranted(caller, nextRole)
}

/** Throws when no owner who can sign in would remain; concurrent requests are serialised. */
async function assertOwnerStays(trx: Transaction, { id }: Account): Promise<void> {
  await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(ownersLock)})`)
  const [remainingAdmins] = await trx.query(sql<{ count: number }>`
    select count(*)::int as count from users u join roles r on r.id = u.role_id
     where r.type = 'owner' and u.id <> ${id} and not u.blocked and u.removed_at is null`)
  if ((remainingAdmins?.count ?? 0) === 0) throw fault('user.last-owner')
}

/** Throws 409 with the counts when a user has open work that nobody else would handle. */
async function assertNoOpenWork(trx: Transaction, { id }: Account): Promise<void> {
  const { consultations, rooms } = await openWorkOf(trx, id)
  if (consultations + rooms > 0) throw fault('user.open-work', { details: { consultations, rooms } })
}

/**
 * The reason of a block exists only while the account is blocked.
 *
 * @returns The change that clears the reason when the account is not blocked.
 */
function clearBlockReason({ values, valuesBefore }: CheckedWrite): FieldValues | undefined {
  const [isBlocked, reason] = [
    values.blocked ?? valuesBefore?.blocked,
    'blocked_reason' in values ? values.blocked_reason : valuesBefore?.blocked_reason,
  ]
  return isBlocked === true || (reason ?? null) === null ? undefined : { blocked_reason: null }
}

/** Refuses easily guessed passwords for staff (checklist §1). */
function assertStrongPassword(role: RoleType | undefined, { draft, values, valuesBefore }: CheckedWrite): void {
  if (typeof draft.password !== 'string' || values.password === undefined) return
  if (role === undefined || rankOfRole(role) < staffRank) return
  const code = weaknessOf(draft.password, { ...valuesBefore, ...values })
  if (code === undefined) return
  const issue: Issue = { path: ['password'], code, params: { field: 'password' } }
  throw validationFault([issue])
}

/** Ends what a change invalidates (sessions, codes) and notifies the user. */
async function endInvalidatedAccess(
  { trx, values, caller, now, isTrusted }: CheckedWrite,
  { id, accountValues }: Account,
  { isChanged, blocks, isLeaving }: Move,
): Promise<void> {
  const [password, email] = [isChanged('password'), isChanged('email')]
  if (password || isChanged('role') || blocks || isLeaving)
    await endSessionsOf(trx, id, caller.id === id ? caller.sessionId : undefined)
  if (password || email || blocks || isLeaving) await voidConfirmation(trx, id)
  if (!password && !email) return
  await voidResetCodes(trx, id)
  if (isLeaving) return
  const { email: formerEmail, language, script } = accountValues
  const locale = writtenLocale(isLocale(language) ? language : 'ru', isScript(script) ? script : undefined)
  const payload = { name: nameForLetters(accountValues), at: now }
  if (email) {
    await queueMail(trx, String(formerEmail), locale, 'emailChanged', payload)
    // An address that staff set was not confirmed by a link, so the letter to it has no name.
    if (!isTrusted) await queueMail(trx, String(values.email), locale, 'emailChanged', { ...payload, name: null })
  }
  // An invited user chooses the first password with the letter of the invitation, so they are not notified of
  // that change.
  const isFirst =
    isTrusted && accountValues.confirmed === false && values.confirmed === true && accountValues.last_seen_at === null
  if (password && !isFirst) await queueMail(trx, String(formerEmail), locale, 'passwordChanged', payload)
}

/** The rules of accounts, for users and for staff; `least` is the lowest role of a new account. */
export function accountBehaviour(lowestRole: RoleType): Behaviour {
  return {
    targetColumns: { role: ['type'] },
    async settleValues(write) {
      const { operation, caller, isTrusted, valuesBefore, values, trx } = write
      const type = write.target('role')?.type
      const nextRole = isRoleType(type) ? type : undefined
      if (valuesBefore === undefined) {
        if (!isTrusted) assertRoleGranted(caller, nextRole)
        if (!isTrusted && nextRole !== undefined && rankOfRole(nextRole) < rankOfRole(lowestRole))
          throw fault('user.role-not-granted')
        // The program creates its own accounts from settings and could not ask anybody for another password.
        if (caller.id !== programCaller.id) assertStrongPassword(nextRole, write)
        return clearBlockReason(write)
      }
      const account = await accountOf(trx, valuesBefore)
      const isChanged = (field: string) =>
        field in values && (field === 'password' || values[field] !== valuesBefore[field])
      const accountMove: Move = {
        isChanged,
        role: nextRole,
        blocks: isChanged('blocked') && values.blocked === true,
        isLeaving:
          operation === 'remove' || (typeof values.removed_at === 'string' && valuesBefore.removed_at === null),
      }
      // The program writes an account that is marked as removed, but the caller causes it.
      if (!isTrusted || accountMove.isLeaving) assertMayChange(caller, account, accountMove)
      const mustEndSessions = accountMove.isLeaving || accountMove.blocks || isChanged('role')
      if (account.role === 'owner' && mustEndSessions) await assertOwnerStays(trx, account)
      const quitsConsulting = isChanged('is_consultant') && values.is_consultant === false
      if (accountMove.blocks || accountMove.isLeaving || quitsConsulting) await assertNoOpenWork(trx, account)
      assertStrongPassword(nextRole ?? account.role, write)
      await endInvalidatedAccess(write, account, accountMove)
      return operation === 'remove' ? undefined : clearBlockReason(write)
    },
  }
}
