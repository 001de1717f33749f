/** Turns two-step sign-in on and off (contract §2). */
import { type Caller, fault, type TwoStepProof, type TwoStepSetup, type TwoStepStatus } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { type AuditLine, writeAudit } from '../../resources/history/audit.ts'
import { endSessionsOf } from '../../domain/accounts/sessions.ts'
import { isOwnPassword, storedPassword } from './own-password.ts'
import type { SignInVisitor } from './sign-in.ts'
import {
  addFailure,
  assertCallerNotLocked,
  type FailureCounter,
  countFailure,
  type FailureLimit,
  ownPasswordLimits,
  throwLocked,
} from '../../domain/accounts/throttle.ts'
import { isConfirmed, lockTwoStep, spendCode, type TwoStepRow } from './two-step-check.ts'
import type { TwoStepSeal } from './two-step-seal.ts'
import { newRecoveryCodes, newSecret, readCode, recoveryHash, periodOfCode, uriOf } from './two-step-codes.ts'

export interface TwoStepSettings {
  loginThrottle: FailureLimit
  addressThrottle: FailureLimit
}

export class TwoStep {
  readonly #database: Database
  readonly #settings: TwoStepSettings
  readonly #seal: TwoStepSeal

  constructor(database: Database, settings: TwoStepSettings, seal: TwoStepSeal) {
    this.#database = database
    this.#settings = settings
    this.#seal = seal
  }

  /**
   * Reads whether two-step sign-in is on, since when, how many recovery codes are left, and whether the
   * caller's role requires it.
   */
  async status({ id }: Caller): Promise<TwoStepStatus> {
    const [row] = await this.#database.query(sql<TwoStepStatus>`
      select t.confirmed_at is not null as on, t.confirmed_at as since, r.two_step as required,
             case when t.confirmed_at is null then 0 else cardinality(t.recovery) end as recovery_left
        from users u join roles r on r.id = u.role_id left join two_step t on t.user_id = u.id where u.id = ${id}`)
    if (!row) throw fault('auth.unauthorized')
    return row
  }

  /**
   * Creates the secret and the recovery codes of two-step sign-in. They are not required until `confirm`, and
   * a second call replaces them.
   *
   * @throws 400 for a wrong password, 409 when two-step sign-in is on or the e-mail address was never
   *   confirmed, 429.
   */
  async setUp(password: string, caller: Caller, visitor: SignInVisitor): Promise<TwoStepSetup> {
    const storedHash = await this.#assertPassword(caller, visitor, password)
    const secret = newSecret()
    const { recovery, hashes } = makeRecovery()
    return this.#database.transaction(async (trx) => {
      await this.#assertUnchanged(trx, caller, visitor, storedHash)
      // A user who registered the address of somebody else must not lock its owner out.
      if (!(await isConfirmed(trx, caller.id))) throw fault('auth.email-unconfirmed')
      const insertedRows = await trx.query(sql`
        insert into two_step as t (user_id, secret, recovery) values (${caller.id}, ${this.#seal.seal(caller.id, secret)}, ${hashes}::text[])
        on conflict (user_id) do update set secret = excluded.secret, recovery = excluded.recovery
          where t.confirmed_at is null
        returning user_id`)
      if (insertedRows.length === 0) throw fault('auth.two-step-on')
      const [account] = await trx.query(sql<{ username: string }>`
        select username from users where id = ${caller.id}`)
      return { secret, uri: uriOf(secret, account?.username ?? ''), recovery }
    })
  }

  /**
   * Turns two-step sign-in on with a first code of the app. The present session stays; the others end, as
   * they were opened without a code.
   *
   * @throws 400 for a wrong code, 409 when nothing was set up or it is on, 429.
   */
  async confirm(code: string, caller: Caller, visitor: SignInVisitor): Promise<void> {
    await this.#settle(caller, visitor, 'two-step.on', async (trx, row) => {
      if (!row) throw fault('auth.two-step-off')
      if (row.confirmed) throw fault('auth.two-step-on')
      // Only a code of the app confirms the setup: a recovery code would not prove that the app has the
      // secret.
      const secret = this.#seal.open(caller.id, row.sealed)?.secret
      const step = secret === undefined ? undefined : periodOfCode(secret, readCode(code) ?? '', Date.now())
      if (step === undefined) return false
      await trx.query(sql`
        update two_step set confirmed_at = now(), last_step = ${step} where user_id = ${caller.id}`)
      return true
    })
  }

  /**
   * Turns two-step sign-in off with the password and a code of the app or a recovery code. The present
   * session stays, the others end.
   *
   * @throws 400 for a wrong password or code, 403 while the caller's role requires two-step sign-in, 409 when
   *   it is not on, 429.
   */
  async turnOff({ password, code }: TwoStepProof, caller: Caller, visitor: SignInVisitor): Promise<void> {
    if ((await this.status(caller)).required) throw fault('auth.two-step-required')
    const storedHash = await this.#assertPassword(caller, visitor, password)
    await this.#settle(caller, visitor, 'two-step.off', async (trx, row) => {
      await this.#assertUnchanged(trx, caller, visitor, storedHash)
      if (!row?.confirmed) throw fault('auth.two-step-off')
      if (!(await spendCode(trx, this.#seal, caller.id, row.sealed, code))) return false
      await trx.query(sql`delete from two_step where user_id = ${caller.id}`)
      return true
    })
  }

  /**
   * Creates new recovery codes of two-step sign-in, with the password and a code of the app or an old
   * recovery code; the old ones become invalid. Sessions stay, as all of them were opened with a code.
   *
   * @throws 400 for a wrong password or code, 409 when two-step sign-in is not on, 429.
   */
  async renewRecovery({ password, code }: TwoStepProof, caller: Caller, visitor: SignInVisitor): Promise<string[]> {
    const storedHash = await this.#assertPassword(caller, visitor, password)
    const { recovery, hashes } = makeRecovery()
    await this.#settle(caller, visitor, 'two-step.recovery', async (trx, row) => {
      await this.#assertUnchanged(trx, caller, visitor, storedHash)
      if (!row?.confirmed) throw fault('auth.two-step-off')
      if (!(await spendCode(trx, this.#seal, caller.id, row.sealed, code))) return false
      await trx.query(sql`update two_step set recovery = ${hashes}::text[] where user_id = ${caller.id}`)
      return true
    })
    return recovery
  }

  /**
   * Runs a change that requires a code, and its consequences, in one transaction that also counts a wrong
   * code.
   */
  async #settle(
    caller: Caller,
    visitor: SignInVisitor,
    action: 'two-step.on' | 'two-step.off' | 'two-step.recovery',
    step: (trx: Transaction, row: TwoStepRow | undefined) => Promise<boolean>,
  ): Promise<void> {
    const failureCounters = this.#limits(caller, visitor)
    const waits = await this.#database.transaction(async (trx) => {
      const row = await lockTwoStep(trx, caller.id)
      await assertCallerNotLocked(trx, failureCounters)
      if (!(await step(trx, row)))
        return addFailure(trx, failureCounters, () => auditTwoStep(trx, 'two-step.refused', caller, visitor))
      if (action !== 'two-step.recovery') await endSessionsOf(trx, caller.id, caller.sessionId)
      await auditTwoStep(trx, action, caller, visitor)
      return undefined
    })
    if (!waits) return
    throwLocked(waits)
    throw fault('auth.two-step-code')
  }

  /**
   * Checks the password before a change of two-step sign-in.
   *
   * @returns The stored hash.
   * @throws 400 for a wrong password, which counts together with those of changing it; 429.
   */
  async #assertPassword(caller: Caller, visitor: SignInVisitor, password: string): Promise<string> {
    const failureCounters = this.#limits(caller, visitor)
    await assertCallerNotLocked(this.#database, failureCounters)
    const storedHash = await storedPassword(this.#database, caller.id)
    if (await isOwnPassword(this.#database, storedHash, password)) return storedHash
    await countFailure(this.#database, failureCounters, (trx) => auditTwoStep(trx, 'password.refused', caller, visitor))
    throw fault('auth.current-password')
  }

  /** Concurrent guesses may have locked the account, and a change of password may have come first. */
  async #assertUnchanged(trx: Transaction, caller: Caller, visitor: SignInVisitor, checkedHash: string): Promise<void> {
    await assertCallerNotLocked(trx, this.#limits(caller, visitor))
    if ((await storedPassword(trx, caller.id)) !== checkedHash) throw fault('auth.current-password')
  }

  #limits({ id }: Caller, { address }: SignInVisitor): FailureCounter[] {
    return ownPasswordLimits(id, address, this.#settings)
  }
}

/** Creates recovery codes, and the hashes that are stored. */
function makeRecovery(): { recovery: string[]; hashes: string[] } {
  const recoveryCodes = newRecoveryCodes()
  return { recovery: recoveryCodes, hashes: recoveryCodes.map((code) => recoveryHash(readCode(code) ?? '')) }
}

function auditTwoStep(
  trx: Transaction,
  action: AuditLine['action'],
  { id }: Caller,
  visitor: SignInVisitor,
): Promise<void> {
  return writeAudit(trx, { action, user: id, address: visitor.address, requestId: visitor.requestId })
}
