/** Registers users (contract §2), always with the lowest role, whatever the body contains. */
import {
  decideAccess,
  defaultLocale,
  fault,
  isLocale,
  isScript,
  resources,
  validateRecord,
  validationFault,
  writtenLocale,
} from '@dala/model'
import type { Database } from '../../db/database.ts'
import { applyPasswordPolicy, readRoleId, takenFields } from '../../domain/accounts/accounts.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { programCaller } from '../../resources/history/history.ts'
import { expectConfirmation } from '../../domain/accounts/email-confirmations.ts'
import { queueConfirmation } from '../../domain/delivery/mails.ts'
import { createEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import type { PasswordPolicy } from '../../settings.ts'
import type { Sessions } from '../../domain/accounts/token-sessions.ts'
import type { SignInVisitor } from './sign-in.ts'
import { addressKey, assertCallerNotLocked, countFailure, type FailureLimit } from '../../domain/accounts/throttle.ts'

export interface RegistrationSettings {
  registration: boolean
  passwordPolicy: PasswordPolicy
  registerThrottle: FailureLimit
}

/** Fields that a registration may set: the credentials, and the profile that users may edit later. */
function ownFields(): readonly string[] {
  const grant = decideAccess(resources.users.access, 'update', { role: 'authenticated', isConsultant: false })
  return ['username', 'email', 'password', ...(typeof grant === 'object' ? (grant.fields ?? []) : [])]
}

const allowedFields = ownFields()

export class Registration {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #settings: RegistrationSettings

  constructor(database: Database, sessions: Sessions, settings: RegistrationSettings) {
    this.#database = database
    this.#sessions = sessions
    this.#settings = settings
  }

  /**
   * Creates the account of a registration and signs it in.
   *
   * @param body - The body; keys outside the allow list are ignored.
   * @returns Token and user id.
   * @throws 400 while registration is off, for wrong fields and for a taken name or address; 429.
   */
  async run(
    body: Readonly<Record<string, unknown>>,
    { address, agent, requestId }: SignInVisitor,
  ): Promise<{ jwt: string; user: number }> {
    const { registration, passwordPolicy, registerThrottle } = this.#settings
    if (!registration) throw fault('auth.registration-off')
    const users = applyPasswordPolicy(passwordPolicy, resources.users)
    const draft = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => allowedFields.includes(name) && value !== undefined),
    )
    const role = await readRoleId(this.#database, 'authenticated')
    // Fields are validated before the attempt counts: typing errors must not lock users out.
    const { issues, values } = validateRecord(users, { ...draft, role }, 'create', { asForm: true })
    if (issues.length > 0) throw validationFault(issues)

    // Every attempt of a registration counts: the response reveals whether an address is taken.
    const failureCounters = [{ key: `register-${addressKey(address)}`, limit: registerThrottle }]
    await assertCallerNotLocked(this.#database, failureCounters)
    await countFailure(this.#database, failureCounters, async () => {})
    try {
      return await withDeadlockRetry(this.#database, async (trx) => {
        const author = { caller: programCaller, address, requestId }
        const context = { database: this.#database, author, view: {}, trx }
        const user = await createEntry(context, users, { ...draft, role, confirmed: false }, undefined)
        const { language, script } = values
        const locale = writtenLocale(
          isLocale(language) ? language : defaultLocale,
          isScript(script) ? script : undefined,
        )
        // The address of a registration is not proven yet: the letter has a link for that, and contains
        // nothing that was typed here.
        const email = String(values.email)
        await expectConfirmation(trx, user, email)
        await queueConfirmation(trx, user, email, locale)
        await writeAudit(trx, { action: 'register', user, address, requestId })
        return { jwt: await this.#sessions.open(trx, user, address, agent), user }
      })
    } catch (error) {
      if (takenFields(error).length > 0) throw fault('auth.taken')
      throw error
    }
  }
}
