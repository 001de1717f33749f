/**
 * Sign-in: the same response and the same work for a wrong password, an unknown account and a blocked one.
 */
import { type Credentials, Fault, fault, foldCase } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, EngineParts, Transaction } from '../../db/database.ts'
import { writeAudit, writeAuditOnceAMinute } from '../../resources/history/audit.ts'
import { maxPasswordLength } from '../../domain/accounts/accounts.ts'
import { hashPassword, isWeak } from '../../domain/accounts/passwords.ts'
import type { Sessions } from '../../domain/accounts/token-sessions.ts'
import {
  accountKey,
  addFailure,
  addressKey,
  assertCallerNotLocked,
  type FailureCounter,
  countFailure,
  type FailureLimit,
  throwLocked,
} from '../../domain/accounts/throttle.ts'
import { codeNeededFault, lockTwoStep, spendCode } from './two-step-check.ts'
import type { TwoStepSeal } from './two-step-seal.ts'

const maxIdentifierLength = 320

/**
 * Hash that is compared when no account exists, so that the response takes as long: the hash of 256 random
 * bits that nobody stored, with the parameters of real ones. It opens nothing: without an account every
 * password is wrong.
 */
export const unmatchedHash =
  '$argon2id$v=19$m=19456,t=2,p=1$X3rYalHFRmc/FeMqWfzHVA$6L/Oc3B7mAc15f2s+nG1nVB6uie+WuQVAM701YNItzI'

interface Account {
  id: number
  password: string
  blocked: boolean
}

export interface SignInSettings {
  loginThrottle: FailureLimit
  addressThrottle: FailureLimit
}

export interface SignInVisitor {
  address: string
  agent: string | undefined
  requestId: string
}

export class SignIn {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #settings: SignInSettings
  readonly #seal: TwoStepSeal
  readonly #verify: EngineParts['verifyPassword']

  constructor(
    database: Database,
    sessions: Sessions,
    settings: SignInSettings,
    twoStepSeal: TwoStepSeal,
    verify = database.parts.verifyPassword,
  ) {
    this.#seal = twoStepSeal
    this.#database = database
    this.#sessions = sessions
    this.#settings = settings
    this.#verify = verify
  }

  /**
   * Signs a user in.
   *
   * @returns The token and the user's id.
   * @throws 400 for wrong credentials and a wrong code; 422 when they are right and a code is needed; 409
   *   when no key of this server opens the secret of the app; 429 while the account or the address is locked,
   *   also for the right password; 503 when too many passwords are being checked.
   */
  async run(
    { identifier, password, code }: Credentials,
    visitor: SignInVisitor,
    onAuditError: (error: unknown) => void,
  ): Promise<{ jwt: string; user: number }> {
    const { address, agent, requestId } = visitor
    const typedIdentifier = identifier.trim().slice(0, maxIdentifierLength)
    const account = await this.#find(typedIdentifier)
    const line = { user: account?.id ?? null, address, requestId }
    const failedLine = { action: 'sign-in.failed', ...line } as const
    const failureCounters: FailureCounter[] = [
      { key: accountKey(account?.id, foldCase(typedIdentifier)), limit: this.#settings.loginThrottle },
      { key: addressKey(address), limit: this.#settings.addressThrottle },
    ]
    try {
      await assertCallerNotLocked(this.#database, failureCounters)
      const isRight = await this.#isRight(account, password)
      if (!account || !isRight || account.blocked) {
        await countFailure(this.#database, failureCounters, (trx) => writeAudit(trx, failedLine))
        throw fault('auth.invalid-credentials')
      }
      const renewedHash = isWeak(account.password) ? await hashPassword(password) : undefined
      const signInResult = await this.#database.transaction(async (trx) => {
        const isStillRight = await this.#isStillRight(trx, account, password)
        const twoStep = await lockTwoStep(trx, account.id)
        // Concurrent guesses may have locked the account while the password was checked.
        await assertCallerNotLocked(trx, failureCounters)
        if (!isStillRight) return { waits: await addFailure(trx, failureCounters, () => writeAudit(trx, failedLine)) }
        if (twoStep?.confirmed) {
          if (code === undefined) throw codeNeededFault()
          if (!(await spendCode(trx, this.#seal, account.id, twoStep.sealed, code)))
            return { waits: await addFailure(trx, failureCounters, () => writeAudit(trx, failedLine)) }
        }
        if (renewedHash !== undefined)
          await trx.query(sql`
            update users set password = ${renewedHash} where id = ${account.id} and password = ${account.password}`)
        await writeAudit(trx, { action: 'sign-in', ...line })
        return { jwt: await this.#sessions.open(trx, account.id, address, agent) }
      })
      if (signInResult.jwt !== undefined) return { jwt: signInResult.jwt, user: account.id }
      throwLocked(signInResult.waits)
      throw fault('auth.invalid-credentials')
    } catch (error) {
      if (error instanceof Fault && error.code === 'auth.throttled')
        await writeAuditOnceAMinute(this.#database, { action: 'sign-in.throttled', ...line }).catch(onAuditError)
      throw error
    }
  }

  async #find(typedLogin: string): Promise<Account | undefined> {
    const [account] = await this.#database.query(sql<Account>`
      select id, password, blocked from users
       where email = fold_case(${typedLogin}::text) or fold_case(username) = fold_case(${typedLogin}::text)
       order by email = fold_case(${typedLogin}::text) desc limit 1`)
    return account
  }

  /**
   * Tells whether the password is still right when a session opens: a change of password or a block ends
   * existing sessions, and waits for this one. A hash that was only renewed belongs to the same password.
   */
  async #isStillRight(trx: Transaction, { id, password: checkedHash }: Account, password: string): Promise<boolean> {
    const [now] = await trx.query(sql<Account>`
      select id, password, blocked from users where id = ${id} and removed_at is null for no key update`)
    if (!now || now.blocked) return false
    return now.password === checkedHash || this.#verify(now.password, password)
  }

  async #isRight(account: Account | undefined, password: string): Promise<boolean> {
    // A password above the maximum length is refused before it is hashed; the length is counted in code
    // points.
    if ([...password].length > maxPasswordLength) return false
    return this.#verify(account?.password ?? unmatchedHash, password)
  }
}
