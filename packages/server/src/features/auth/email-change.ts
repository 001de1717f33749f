/**
 * Changes and confirms the user's own e-mail address: the new one counts once the link in a letter to it was
 * used (contract §2).
 */
import {
  type Caller,
  callerLanguage,
  type EmailStatus,
  fault,
  foldCase,
  type NewEmail,
  resources,
  validateField,
  validationFault,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { takenFields } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import {
  expectConfirmation,
  pendingEmailOf,
  spendConfirmationCode,
  voidConfirmation,
} from '../../domain/accounts/email-confirmations.ts'
import { queueConfirmation } from '../../domain/delivery/mails.ts'
import {
  addressKey,
  addFailure,
  assertCallerNotLocked,
  type FailureCounter,
  countFailure,
  letterCounterOf,
  type FailureLimit,
  throwLocked,
  typedKey,
} from '../../domain/accounts/throttle.ts'
import { updateEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import { assertOwnPassword, storedPassword } from './own-password.ts'
import type { SignInVisitor } from './sign-in.ts'

export interface EmailSettings {
  loginThrottle: FailureLimit
  addressThrottle: FailureLimit
  forgotThrottle: FailureLimit
  letterThrottle: FailureLimit
}

export class EmailChange {
  readonly #database: Database
  readonly #settings: EmailSettings

  constructor(database: Database, settings: EmailSettings) {
    this.#database = database
    this.#settings = settings
  }

  /**
   * Reads the address of an account, whether it is confirmed, and the address that is still to be confirmed.
   */
  async status({ id }: Caller): Promise<EmailStatus> {
    const [row] = await this.#database.query(sql<EmailStatus>`
      select u.email, u.confirmed, case when u.confirmed then c.email else coalesce(c.email, u.email) end as pending
        from users u left join email_confirmations c on c.user_id = u.id where u.id = ${id}`)
    if (!row) throw fault('auth.unauthorized')
    return row
  }

  /**
   * Sends a letter with a link to a user's new e-mail address, after checking the password; the account keeps
   * its address until the link is used. For an address of another account the response and the statements are
   * the same, but no letter is sent.
   *
   * @throws 400 for a wrong password or an invalid address, 429 for too many letters.
   */
  async change({ currentPassword, email }: NewEmail, caller: Caller, visitor: SignInVisitor): Promise<void> {
    const issue = validateField(resources.users, 'email', email, 'update')
    if (issue) throw validationFault([issue])
    const newEmail = foldCase(email.trim())
    const { stored, counted } = await assertOwnPassword(
      this.#database,
      this.#settings,
      caller,
      visitor,
      currentPassword,
    )
    await this.#send(caller, visitor, newEmail, async (trx) => {
      await assertCallerNotLocked(trx, counted)
      if ((await storedPassword(trx, caller.id)) !== stored) throw fault('auth.current-password')
      await expectConfirmation(trx, caller.id, newEmail)
    })
  }

  /**
   * Sends the link to the pending e-mail address again; the former link becomes invalid.
   *
   * @throws 409 when no address is pending, 429 for too many letters.
   */
  async resend(caller: Caller, visitor: SignInVisitor): Promise<void> {
    const pendingEmail = await pendingEmailOf(this.#database, caller.id)
    if (!pendingEmail) throw fault('auth.email-confirmed')
    await this.#send(caller, visitor, pendingEmail.email, (trx) =>
      expectConfirmation(trx, caller.id, pendingEmail.email),
    )
  }

  /** Discards the pending e-mail address; the link to it becomes invalid. */
  async cancel(caller: Caller): Promise<void> {
    await this.#database.transaction((trx) => voidConfirmation(trx, caller.id))
  }

  /**
   * Accepts the code of a letter that confirms an e-mail address: it confirms the account's address, or
   * replaces it with the new one and notifies the former one. The code proves access to the mailbox, so no
   * session is required.
   *
   * @throws 400 for a code that is wrong, used or expired, and when another account has taken the address
   *   meanwhile; 429 for too many wrong codes from one address.
   */
  async confirm(code: string, visitor: SignInVisitor): Promise<void> {
    const { address, requestId } = visitor
    const failureCounters: FailureCounter[] = [
      { key: `confirm-${addressKey(address)}`, limit: this.#settings.addressThrottle },
    ]
    await assertCallerNotLocked(this.#database, failureCounters)
    const isDone = await withDeadlockRetry(this.#database, async (trx) => {
      const spentCode = await spendConfirmationCode(trx, code)
      if (!spentCode) return false
      const { user, email, isOwn } = spentCode
      const ownCaller: Caller = { id: user, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
      const context = { database: this.#database, author: { caller: ownCaller, address, requestId }, view: {}, trx }
      await updateEntry({ ...context, isTrusted: true }, resources.users, user, { email, confirmed: true })
      if (!isOwn) await writeAudit(trx, { action: 'email.change', user, address, requestId })
      return true
    }).catch((error: unknown) => {
      if (takenFields(error).length === 0) throw error
      throw fault('user.email-taken')
    })
    if (isDone) return
    await countFailure(this.#database, failureCounters, async () => {})
    throw fault('auth.code')
  }

  /**
   * Counts a letter for its sender, its recipient and the client's address, then runs the work that sends it.
   */
  async #send(
    caller: Caller,
    { address }: SignInVisitor,
    recipient: string,
    runWork: (trx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { forgotThrottle, letterThrottle } = this.#settings
    const failureCounters: FailureCounter[] = [
      { key: `letters:${caller.id}`, limit: forgotThrottle },
      // The limits count the letter to confirm an address together with letters for a new password,
      // regardless of their sender.
      { key: typedKey('forgot', recipient), limit: forgotThrottle },
      letterCounterOf(address, { letterThrottle }),
    ]
    await assertCallerNotLocked(this.#database, failureCounters)
    const waits = await this.#database.transaction((trx) =>
      addFailure(trx, failureCounters, async () => {
        await runWork(trx)
        await queueConfirmation(trx, caller.id, recipient, callerLanguage(caller))
      }),
    )
    throwLocked(waits)
  }
}
