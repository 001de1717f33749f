/** Setting a new password: with a letter when it was forgotten, or with the current one (contract §2). */
import { type Caller, fault, foldCase, type Issue, resources, validateField, validationFault } from '@dala/model'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../db/database.ts'
import { accountsUnder, takenFields } from '../../resources/accounts.ts'
import { writeAudit } from '../../resources/audit.ts'
import { queueResetMail } from '../../resources/mails.ts'
import { spendResetCode } from '../../resources/reset-codes.ts'
import { updateEntry, writing } from '../../resources/write.ts'
import type { PasswordPolicy } from '../../settings.ts'
import { readTexts } from './body.ts'
import { isOwnPassword, storedPassword } from './own-password.ts'
import type { Sessions } from './session.ts'
import type { Visitor } from './sign-in.ts'
import {
  addressKey,
  assertFree,
  type Counted,
  countFailure,
  type Limit,
  ownPasswordLimits,
  typedKey,
} from '../../resources/throttle.ts'
import { codeNeeded, lockTwoStep } from './two-step-check.ts'

export interface PasswordSettings {
  passwordPolicy: PasswordPolicy
  loginThrottle: Limit
  addressThrottle: Limit
  forgotThrottle: Limit
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
  async forget(body: unknown, { address, requestId }: Visitor): Promise<void> {
    const { email } = readTexts(body, ['email'])
    const issue = validateField(resources.users, 'email', email, 'update')
    if (issue) throw validationFault([issue])
    const typed = foldCase(email.trim())
    const counted: Counted[] = [
      { key: typedKey('forgot', typed), limit: this.#settings.forgotThrottle },
      { key: `forgot-${addressKey(address)}`, limit: this.#settings.addressThrottle },
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
   * the next sign-in would (contract §2). Throws 400, 422, 429.
   */
  async reset(body: unknown, visitor: Visitor): Promise<{ jwt: string; user: number }> {
    const { address, agent, requestId } = visitor
    const { code, password, passwordConfirmation } = readTexts(body, ['code', 'password', 'passwordConfirmation'])
    if (password !== passwordConfirmation) throw fault('auth.passwords-differ')
    const issue = this.#issueOf(password)
    if (issue) throw validationFault([issue])
    const counted: Counted[] = [{ key: `reset-${addressKey(address)}`, limit: this.#settings.addressThrottle }]
    await assertFree(this.#database, counted)
    const done = await writing(this.#database, async (trx) => {
      const user = await spendResetCode(trx, code)
      if (user === undefined) return undefined
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
  async change(body: unknown, caller: Caller, visitor: Visitor): Promise<void> {
    const { address, requestId } = visitor
    const { currentPassword, password, passwordConfirmation } = readTexts(body, [
      'currentPassword',
      'password',
      'passwordConfirmation',
    ])
    const issues = [this.#issueOf(password)].filter((issue) => issue !== undefined)
    if (password !== passwordConfirmation) {
      const field = 'passwordConfirmation'
      issues.push({ path: [field], code: 'validation.passwordMismatch', params: { field } })
    }
    if (issues.length > 0) throw validationFault(issues)
    const { stored, counted } = await this.#assertCurrent(caller, visitor, currentPassword)
    if (password === currentPassword) throw fault('auth.same-password')
    await writing(this.#database, async (trx) => {
      // Guesses beside this one may have locked it, and another change may have come first.
      await assertFree(trx, counted)
      if ((await storedPassword(trx, caller.id)) !== stored) throw fault('auth.current-password')
      await this.#set(trx, caller, visitor, { password })
      await writeAudit(trx, { action: 'password.change', user: caller.id, address, requestId })
    })
  }

  /**
   * Sets another address, to which letters for a new password go: with the current password, whoever has the session.
   * Both addresses are told, codes on their way are void, sessions stay. Throws 400 for a wrong password, for what is
   * no address or is taken (contract §3), 429.
   */
  async changeEmail(body: unknown, caller: Caller, visitor: Visitor): Promise<void> {
    const { currentPassword, email } = readTexts(body, ['currentPassword', 'email'])
    const issue = validateField(resources.users, 'email', email, 'update')
    if (issue) throw validationFault([issue])
    const { stored, counted } = await this.#assertCurrent(caller, visitor, currentPassword)
    try {
      await writing(this.#database, async (trx) => {
        await assertFree(trx, counted)
        if ((await storedPassword(trx, caller.id)) !== stored) throw fault('auth.current-password')
        await this.#set(trx, caller, visitor, { email })
        const { address, requestId } = visitor
        await writeAudit(trx, { action: 'email.change', user: caller.id, address, requestId })
      })
    } catch (error) {
      if (takenFields(error).length === 0) throw error
      throw fault('user.email-taken', {
        issues: [{ path: ['email'], code: 'user.email-taken', params: { field: 'email' } }],
      })
    }
  }

  /** Compares the current password. Out: its hash, and what wrong ones count against. Throws 400 and 429. */
  async #assertCurrent(caller: Caller, { address, requestId }: Visitor, currentPassword: string) {
    const counted = ownPasswordLimits(caller.id, address, this.#settings)
    await assertFree(this.#database, counted)
    const stored = await storedPassword(this.#database, caller.id)
    if (await isOwnPassword(stored, currentPassword)) return { stored, counted }
    await countFailure(this.#database, counted, (trx) =>
      writeAudit(trx, { action: 'password.refused', user: caller.id, address, requestId }),
    )
    throw fault('auth.current-password')
  }

  /** Stores it by the write service: the rules of accounts end sessions, void codes and tell the person. */
  async #set(
    trx: Transaction,
    caller: Caller,
    { address, requestId }: Visitor,
    values: { password: string; confirmed?: true } | { email: string },
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
