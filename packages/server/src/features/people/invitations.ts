/** Invites a user by mail: the letter lets them choose the password of their account (contract §3). */
import { randomBytes } from 'node:crypto'
import { type Caller, foldCase, fault, type Invitation } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { queueMail } from '../../domain/delivery/mails.ts'
import { addFailure, type FailureLimit, throwLocked, typedKey } from '../../domain/accounts/throttle.ts'
import type { WriteContext } from '../../resources/write/write.ts'
import type { EntryWriters } from '../../resources/write/writers.ts'
import { assertUserNotBlocked } from './blocking.ts'
import { type AccountAction, auditAction, lockAccount, users } from './acting.ts'

const [minName, maxName] = [3, 30]

/**
 * Derives a free user name from an address: `marat`, else `marat-2`.
 *
 * @param queries - The transaction that creates the account.
 * @param email - The address.
 * @returns The name.
 */
export async function createUserName(queries: Queries, email: string): Promise<string> {
  const [mailboxName = ''] = foldCase(email.trim()).split('@')
  const baseName = [...mailboxName.replaceAll(/[^\p{L}\p{N}._-]/gu, '')].slice(0, maxName - 6).join('')
  const requestedName = [...baseName].length < minName ? `user-${baseName || 'new'}` : baseName
  const rows = await queries.query(sql<{ name: string }>`
    select fold_case(username) as name from users where starts_with(fold_case(username), ${requestedName}::text)`)
  const takenNames = new Set(rows.map(({ name }) => name))
  let name = requestedName
  for (let number = 2; takenNames.has(name); number += 1) name = `${requestedName}-${number}`
  return name
}

/**
 * Creates the account of an invited user, unconfirmed and with a random password that nobody knows, and
 * queues the letter.
 *
 * @param trx - The transaction.
 * @param context - The database and the author of the write.
 * @param caller - The caller.
 * @param create - Writes the account.
 * @param invitation - The values of the account.
 * @returns The id of the account.
 * @throws Like the creation of an account: 400 by field and for taken values, 403 for a role that the caller
 *   may not grant.
 */
export async function inviteUser(
  trx: Transaction,
  context: WriteContext,
  caller: Caller,
  create: EntryWriters['create'],
  invitation: Invitation,
): Promise<number> {
  const draft: Record<string, unknown> = Object.fromEntries(
    Object.entries(invitation).filter(([, value]) => value !== undefined),
  )
  const isNamed = (draft.username ?? '') !== ''
  if (!isNamed && typeof draft.email === 'string') draft.username = await createUserName(trx, draft.email)
  const password = randomBytes(12).toString('base64url')
  const id = await create({ ...context, trx }, users, { ...draft, password, confirmed: false }, undefined)
  const { database, author, view } = context
  const { address = '', requestId = '' } = author
  const accountAction = { database, caller, author: { ...author, address, requestId }, view, id }
  await sendInvitation(trx, accountAction, await lockAccount(trx, accountAction))
  return id
}

/** Queues the letter of an invitation; its code is created when the letter is sent. */
async function sendInvitation(
  trx: Transaction,
  accountAction: AccountAction,
  { id, email, locale, name }: InvitedAccount,
): Promise<void> {
  await queueMail(trx, email, locale, 'invite', { user: id, name })
  await auditAction(trx, accountAction, 'user.invite')
}

type InvitedAccount = Awaited<ReturnType<typeof lockAccount>>

/**
 * Sends the invitation again, which makes the link of the former letter void.
 *
 * @param trx - The transaction.
 * @param staffAction - The caller, and the account.
 * @param limit - The limit of letters of an account.
 * @throws 403 and 404 by rank, 409 for a user who has signed in already or is blocked, 429.
 */
export async function inviteAgain(trx: Transaction, staffAction: AccountAction, limit: FailureLimit): Promise<void> {
  const account = await lockAccount(trx, staffAction)
  if (account.confirmed || account.wasSeen) throw fault('user.not-invited')
  assertUserNotBlocked(account)
  await countLetter(trx, account.email, limit)
  await sendInvitation(trx, staffAction, account)
}

/**
 * Counts a letter to an address together with those that the user requests.
 *
 * @throws 429 when the limit is reached (checklist §1).
 */
export async function countLetter(trx: Transaction, email: string, limit: FailureLimit): Promise<void> {
  throwLocked(await addFailure(trx, [{ key: typedKey('forgot', email), limit }], async () => {}))
}
