/** Puts letters on their way: in the transaction of what they tell of; they are delivered after its commit. */
import type { Locale, PostOutcome } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'

/**
 * What a letter calls its reader: null for an address that was never confirmed. Whoever typed such an address also
 * chose the name, and would send a text of their own to a stranger.
 */
type ReaderName = string | null

/** What each letter needs; nothing in it is a secret, because it is stored until it is sent. */
export interface Letters {
  /** The code is made when the letter is sent. */
  reset: { user: number; name: ReaderName }
  /** The code is made when the letter is sent. */
  invite: { user: number; name: ReaderName }
  passwordChanged: { name: ReaderName; at: string }
  emailChanged: { name: ReaderName; at: string }
  twoStepReset: { name: ReaderName; at: string }
  /** The code is made when the letter is sent; a letter to the account's own address welcomes its reader. */
  confirmEmail: { user: number }
  /** The reason is in the language of the letter. */
  postDecision: { name: ReaderName; outcome: PostOutcome; title: string; reason: string; entry: number | null }
}

/**
 * What a letter may call an account.
 * @returns Its name, else its user name; null while its address was never confirmed.
 */
export function nameForLetters({ name, username, confirmed }: Readonly<Record<string, unknown>>): ReaderName {
  if (confirmed !== true) return null
  return typeof name === 'string' && name !== '' ? name : String(username)
}

/** Adds a letter. In: to whom, in which language, which one. */
export async function queueMail<T extends keyof Letters>(
  trx: Transaction,
  recipient: string,
  locale: Locale,
  template: T,
  payload: Letters[T],
): Promise<void> {
  await trx.query(sql`
    insert into mails (recipient, locale, template, payload)
    values (${recipient}, ${locale}, ${template}, ${JSON.stringify(payload)}::jsonb)`)
  trx.changed('mails')
}

/**
 * Adds the letter with the link that confirms an address. A letter to the same account that was not sent yet is
 * replaced, so that no more than one of them waits.
 * @param trx The transaction of what it is sent for.
 * @param user The account.
 * @param recipient The address that has to be confirmed.
 * @param locale The language of the account.
 */
export async function queueConfirmation(
  trx: Transaction,
  user: number,
  recipient: string,
  locale: Locale,
): Promise<void> {
  await trx.query(sql`
    delete from mails where sent_at is null and template = 'confirmEmail' and (payload ->> 'user')::int = ${user}`)
  await queueMail(trx, recipient, locale, 'confirmEmail', { user })
}

/**
 * Adds the letter that sets a new password, when the address belongs to an account that may sign in. It is one
 * statement either way: how long it takes does not tell whether there is one (checklist §1).
 */
export async function queueResetMail(trx: Transaction, email: string): Promise<void> {
  await trx.query(sql`
    insert into mails (recipient, locale, template, payload)
    select email, language, 'reset', jsonb_build_object('user', id, 'name', case when confirmed then coalesce(nullif(name, ''), username) end)
      from users
     where email = fold_case(${email}::text) and not blocked and removed_at is null`)
  trx.changed('mails')
}
