/** Setting a new password: with a letter when it was forgotten, or with the current one (contract §2). */
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
import { accountsUnder } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { queueResetMail } from '../../domain/delivery/mails.ts'
import { spendResetCode } from '../../domain/accounts/reset-codes.ts'
import { updateEntry, writing } from '../../resources/write/write.ts'
import type { PasswordPolicy } from '../../settings.ts'
import { assertOwnPassword, storedPassword } from './own-password.ts'
import type { Sessions } from '../../domain/accounts/token-sessions.ts'
import type { Visitor } from './sign-in.ts'
import {
  addressKey,
  assertFree,
  type Counted,
  countFailure,
  lettersFrom,
  type Limit,
  typedKey,
} from '../../domain/accounts/throttle.ts'
import { codeNeeded, isConfirmed, lockTwoStep } from './two-step-check.ts'

export interface PasswordSettings {
  passwordPolicy: PasswordPolicy
  loginThrottle: Limit
  addressThrottle: Limit
  forgotThrottle: Limit
  letterThrottle: Limit
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
   * Puts a letter with a link on its way, if the address belongs to somebody. Nothing tells whether it does: the same
   * statements run, and the letter is made after the answer. Throws 400 for what is no address, 429.
   */
  async forget(email: string, { address, requestId }: Visitor): Promise<void> {
    const issue = validateField(resources.users, 'email', email, 'update')
    if (issue) throw validationFault([issue])
    const typed = foldCase(email.trim())
    const counted: Counted[] = [
      { key: typedKey('forgot', typed), limit: this.#settings.forgotThrottle },
      lettersFrom(address, this.#settings),
    ]
    await assertFree(this.#database, counted)
    await countFailure(this.#database, counted, async (trx) => {
      const [account] = await trx.query(sql<{ id: number }>`select id from users where email = ${typed}`)
      await writeAudit(trx, { action: 'password.forgot', user: account?.id ?? null, address, requestId })
      await queueResetMail(trx, typed)
    })
  }

  /**
   * Sets a password with the code of a letter and signs in; all other sessions end. A letter does not stand for the
   * second step: with two-step sign-in the password is set too, and the answer is the 422 that asks for a code, as
   * the next sign-in would (contract §2). Of an account whose address was never confirmed the second step is dropped.
   * Throws 400, 422, 429.
   */
  async reset(given: PasswordReset, visitor: Visitor): Promise<{ jwt: string; user: number }> {
    const { address, agent, requestId } = visitor
    const { code, password, passwordConfirmation } = given
    if (password !== passwordConfirmation) throw fault('auth.passwords-differ')
    const issue = this.#issueOf(password)
    if (issue) throw validationFault([issue])
    const counted: Counted[] = [{ key: `reset-${addressKey(address)}`, limit: this.#settings.addressThrottle }]
    await assertFree(this.#database, counted)
    const done = await writing(this.#database, async (trx) => {
      const user = await spendResetCode(trx, code)
      if (user === undefined) return undefined
      // Whoever registered an address that they never confirmed did not have to own it: their second step goes.
      if (!(await isConfirmed(trx, user))) await trx.query(sql`delete from two_step where user_id = ${user}`)
      const needsCode = (await lockTwoStep(trx, user))?.confirmed === true
      const self: Caller = { id: user, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
      // The letter has shown whose address it is; an invited account is its owner's from here on.
      await this.#set(trx, self, visitor, { password, confirmed: true })
      await writeAudit(trx, { action: 'password.reset', user, address, requestId })
      return { jwt: needsCode ? undefined : await this.#sessions.open(trx, user, address, agent), user }
    })
    if (done?.jwt !== undefined) return { jwt: done.jwt, user: done.user }
    if (done) throw codeNeeded()
    await countFailure(this.#database, counted, (trx) =>
      writeAudit(trx, { action: 'password.refused', user: null, address, requestId }),
    )
    throw fault('auth.code')
  }

  /** Sets a password with the current one; this session stays, the others end. Throws 400, 429. */
  async change(given: NewPassword, caller: Caller, visitor: Visitor): Promise<void> {
    const { address, requestId } = visitor
    const { currentPassword, password, passwordConfirmation } = given
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
    await writing(this.#database, async (trx) => {
      // Guesses beside this one may have locked it, and another change may have come first.
      await assertFree(trx, counted)
      if ((await storedPassword(trx, caller.id)) !== stored) throw fault('auth.current-password')
      await this.#set(trx, caller, visitor, { password })
      await writeAudit(trx, { action: 'password.change', user: caller.id, address, requestId })
    })
  }

  /** Stores it by the write service: the rules of accounts end sessions, void codes and tell the person. */
  async #set(
    trx: Transaction,
    caller: Caller,
    { address, requestId }: Visitor,
    values: { password: string; confirmed?: true },
  ): Promise<void> {
    const context = { database: this.#database, author: { caller, address, requestId }, view: {}, trx }
    await updateEntry({ ...context, trusted: true }, this.#accounts(), caller.id, values)
  }

  #accounts() {
    return accountsUnder(this.#settings.passwordPolicy, resources.users)
  }

  #issueOf(password: string): Issue | undefined {
    return validateField(this.#accounts(), 'password', password, 'update')
  }
}
