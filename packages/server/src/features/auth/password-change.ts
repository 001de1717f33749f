/** Sets a new password: with a letter when it was forgotten, or with the current one (contract §2). */
import {
  type Caller,
  fault,
  foldCase,
  type Issue,
  type NewPassword,
  type PasswordReset,
  resources,
  validateField,
  validationFault,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { applyPasswordPolicy } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { queueResetMail } from '../../domain/delivery/mails.ts'
import { spendResetCode } from '../../domain/accounts/reset-codes.ts'
import { updateEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import type { PasswordPolicy } from '../../settings.ts'
import { assertOwnPassword, storedPassword } from './own-password.ts'
import type { Sessions } from '../../domain/accounts/token-sessions.ts'
import type { SignInVisitor } from './sign-in.ts'
import {
  addressKey,
  assertCallerNotLocked,
  type FailureCounter,
  countFailure,
  letterCounterOf,
  type FailureLimit,
  typedKey,
} from '../../domain/accounts/throttle.ts'
import { codeNeededFault, isConfirmed, lockTwoStep } from './two-step-check.ts'

export interface PasswordSettings {
  passwordPolicy: PasswordPolicy
  loginThrottle: FailureLimit
  addressThrottle: FailureLimit
  forgotThrottle: FailureLimit
  letterThrottle: FailureLimit
}

export class PasswordChange {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #settings: PasswordSettings

  constructor(database: Database, sessions: Sessions, settings: PasswordSettings) {
    this.#database = database
    this.#sessions = sessions
    this.#settings = settings
  }

  /**
   * Sends a letter that sets a new password if the address belongs to an account. The response does not
   * reveal whether it does: the same statements run, and the letter is created after the response.
   *
   * @throws 400 for an invalid address, 429.
   */
  async requestReset(email: string, { address, requestId }: SignInVisitor): Promise<void> {
    const issue = validateField(resources.users, 'email', email, 'update')
    if (issue) throw validationFault([issue])
    const typedEmail = foldCase(email.trim())
    const failureCounters: FailureCounter[] = [
      { key: typedKey('forgot', typedEmail), limit: this.#settings.forgotThrottle },
      letterCounterOf(address, this.#settings),
    ]
    await assertCallerNotLocked(this.#database, failureCounters)
    await countFailure(this.#database, failureCounters, async (trx) => {
      const [account] = await trx.query(sql<{ id: number }>`select id from users where email = ${typedEmail}`)
      await writeAudit(trx, { action: 'password.forgot', user: account?.id ?? null, address, requestId })
      await queueResetMail(trx, typedEmail)
    })
  }

  /**
   * Sets a new password with the code of a letter and signs the user in; all other sessions end. The letter
   * does not replace the second step: with two-step sign-in the password is set, and the response is the 422
   * that asks for a code (contract §2). An account whose address was never confirmed loses its second step.
   *
   * @throws 400, 422, 429.
   */
  async reset(passwordReset: PasswordReset, visitor: SignInVisitor): Promise<{ jwt: string; user: number }> {
    const { address, agent, requestId } = visitor
    const { code, password, passwordConfirmation } = passwordReset
    if (password !== passwordConfirmation) throw fault('auth.passwords-differ')
    const issue = this.#issueOf(password)
    if (issue) throw validationFault([issue])
    const failureCounters: FailureCounter[] = [
      { key: `reset-${addressKey(address)}`, limit: this.#settings.addressThrottle },
    ]
    await assertCallerNotLocked(this.#database, failureCounters)
    const changeResult = await withDeadlockRetry(this.#database, async (trx) => {
      const user = await spendResetCode(trx, code)
      if (user === undefined) return undefined
      // An address that was never confirmed need not belong to the user who registered it: their second step
      // is removed.
      if (!(await isConfirmed(trx, user))) await trx.query(sql`delete from two_step where user_id = ${user}`)
      const needsCode = (await lockTwoStep(trx, user))?.confirmed === true
      const ownCaller: Caller = { id: user, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
      // The letter proves who owns the e-mail address; an invited account belongs to its owner from now on.
      await this.#set(trx, ownCaller, visitor, { password, confirmed: true })
      await writeAudit(trx, { action: 'password.reset', user, address, requestId })
      return { jwt: needsCode ? undefined : await this.#sessions.open(trx, user, address, agent), user }
    })
    if (changeResult?.jwt !== undefined) return { jwt: changeResult.jwt, user: changeResult.user }
    if (changeResult) throw codeNeededFault()
    await countFailure(this.#database, failureCounters, (trx) =>
      writeAudit(trx, { action: 'password.refused', user: null, address, requestId }),
    )
    throw fault('auth.code')
  }

  /**
   * Sets a password with the current one; the present session stays, the others end.
   *
   * @throws 400, 429.
   */
  async change(passwords: NewPassword, caller: Caller, visitor: SignInVisitor): Promise<void> {
    const { address, requestId } = visitor
    const { currentPassword, password, passwordConfirmation } = passwords
    const issues = [this.#issueOf(password)].filter((issue) => issue !== undefined)
    if (password !== passwordConfirmation) {
      const field = 'passwordConfirmation'
      issues.push({ path: [field], code: 'validation.passwordMismatch', params: { field } })
    }
    if (issues.length > 0) throw validationFault(issues)
    const { stored, counted } = await assertOwnPassword(
      this.#database,
      this.#settings,
      caller,
      visitor,
      currentPassword,
    )
    if (password === currentPassword) throw fault('auth.same-password')
    await withDeadlockRetry(this.#database, async (trx) => {
      // Concurrent guesses may have locked the account, and another change may have come first.
      await assertCallerNotLocked(trx, counted)
      if ((await storedPassword(trx, caller.id)) !== stored) throw fault('auth.current-password')
      await this.#set(trx, caller, visitor, { password })
      await writeAudit(trx, { action: 'password.change', user: caller.id, address, requestId })
    })
  }

  /**
   * Stores the password through the write service, whose rules end sessions, invalidate codes and notify the
   * user.
   */
  async #set(
    trx: Transaction,
    caller: Caller,
    { address, requestId }: SignInVisitor,
    values: { password: string; confirmed?: true },
  ): Promise<void> {
    const context = { database: this.#database, author: { caller, address, requestId }, view: {}, trx }
    await updateEntry({ ...context, isTrusted: true }, this.#accounts(), caller.id, values)
  }

  #accounts() {
    return applyPasswordPolicy(this.#settings.passwordPolicy, resources.users)
  }

  #issueOf(password: string): Issue | undefined {
    return validateField(this.#accounts(), 'password', password, 'update')
  }
}
