/** Puts letters on their way: in the transaction of what they tell of; they are delivered after its commit. */
import type { Locale } from '@dala/model'
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'

/** What each letter needs; nothing in it is a secret, because it is kept until it is sent. */
export interface Letters {
  /** The code is made when the letter is sent. */
  reset: { user: number; name: string }
  /** The code is made when the letter is sent. */
  invite: { user: number; name: string }
  passwordChanged: { name: string; at: string }
  emailChanged: { name: string; at: string }
  twoStepReset: { name: string; at: string }
  welcome: { name: string; username: string }
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
 * Adds the letter that sets a new password, when the address belongs to an account that may sign in. It is one
 * statement either way: how long it takes does not tell whether there is one (checklist §1).
 */
export async function queueResetMail(trx: Transaction, email: string): Promise<void> {
  await trx.query(sql`
    insert into mails (recipient, locale, template, payload)
    select email, language, 'reset', jsonb_build_object('user', id, 'name', coalesce(name, username)) from users
     where email = fold_case(${email}::text) and not blocked and removed_at is null`)
  trx.changed('mails')
}
