/** Queues letters in the transaction of their cause; they are delivered after its commit. */
import { type PostOutcome, scriptLocales, type WrittenLocale } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'

/**
 * The name by which a letter addresses its reader; null for an unconfirmed address. A stranger who entered
 * such an address also chose the name, and could send a text of their own to others.
 */
type ReaderName = string | null

/** The data of each letter; it contains no secrets, because it is stored until the letter is sent. */
export interface Letters {
  /** Reset email, whose code is made when the letter is sent. */
  reset: { user: number; name: ReaderName }
  /** Invitation, whose code is made when the letter is sent. */
  invite: { user: number; name: ReaderName }
  passwordChanged: { name: ReaderName; at: string }
  emailChanged: { name: ReaderName; at: string }
  twoStepReset: { name: ReaderName; at: string }
  /**
   * Letter that confirms an address, whose code is made when the letter is sent; a letter to the account's
   * own address is a welcome.
   */
  confirmEmail: { user: number }
  /** Letter about a decision on a trading post, with the reason in the letter's language. */
  postDecision: { name: ReaderName; outcome: PostOutcome; title: string; reason: string; entry: number | null }
  /** Letter that an owner sends to themselves to see whether letters arrive. */
  test: { name: ReaderName }
  /** Letter with a report of a schedule, by its record; the file is made when the letter is sent. */
  report: { sending: number }
}

/**
 * Returns the name by which letters address an account.
 *
 * @returns Its name, otherwise its user name; null while its address is unconfirmed.
 */
export function nameForLetters({ name, username, confirmed }: Readonly<Record<string, unknown>>): ReaderName {
  if (confirmed !== true) return null
  return typeof name === 'string' && name !== '' ? name : String(username)
}

/**
 * SQL of the language of an account with its script, as `writtenLocale` names it.
 *
 * @param account - The alias of the table of users.
 */
export const accountLanguageSql = (account: string): Template<unknown> => {
  const [language, script] = [sql.ref(`${account}.language`), sql.ref(`${account}.script`)]
  return sql`(${language}::text || case when ${script} = 'cyrillic' and ${language} = any(${[...scriptLocales]}::text[])
    then '-Cyrl' else '' end)`
}

/** Queues a letter to be sent by e-mail. */
export async function queueMail<T extends keyof Letters>(
  trx: Transaction,
  recipient: string,
  locale: WrittenLocale,
  template: T,
  payload: Letters[T],
): Promise<void> {
  await trx.query(sql`
    insert into mails (recipient, locale, template, payload)
    values (${recipient}, ${locale}, ${template}, ${JSON.stringify(payload)}::jsonb)`)
  trx.changed('mails')
}

/**
 * Queues the letter with the link that confirms an address. It replaces an unsent letter to the same account,
 * so that at most one is queued.
 *
 * @param trx - The transaction of the cause.
 * @param user - The account.
 * @param recipient - The address that has to be confirmed.
 * @param locale - The language of the account.
 */
export async function queueConfirmation(
  trx: Transaction,
  user: number,
  recipient: string,
  locale: WrittenLocale,
): Promise<void> {
  await trx.query(sql`
    delete from mails where sent_at is null and template = 'confirmEmail' and (payload ->> 'user')::int = ${user}`)
  await queueMail(trx, recipient, locale, 'confirmEmail', { user })
}

/**
 * Queues the letter that sets a new password, when the address belongs to an account that may sign in. It is
 * one statement in either case, so that its time does not reveal whether the account exists (checklist §1).
 */
export async function queueResetMail(trx: Transaction, email: string): Promise<void> {
  await trx.query(sql`
    insert into mails (recipient, locale, template, payload)
    select email, ${accountLanguageSql('users')}, 'reset', jsonb_build_object('user', id, 'name', case when confirmed then coalesce(nullif(name, ''), username) end)
      from users
     where email = fold_case(${email}::text) and not blocked and removed_at is null`)
  trx.changed('mails')
}
