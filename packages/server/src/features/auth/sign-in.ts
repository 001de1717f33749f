/** Signing in: the same answer and the same work for a wrong password, an unknown account and a blocked one. */
import { randomUUID } from 'node:crypto'
import { Fault, fault, foldCase, type Issue, validationFault } from '@dala/model'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { writeAudit, writeAuditOnceAMinute } from '../../resources/audit.ts'
import { hashPassword, isWeak, verifyPassword } from '../../resources/passwords.ts'
import type { Sessions } from './session.ts'
import { accountKey, addressKey, assertFree, type Counted, countFailure, type Limit } from './throttle.ts'

/** Spec §5; anything longer is refused before it is hashed. Counted in code points. */
const maxPasswordLength = 16
const maxIdentifierLength = 320

export interface Credentials {
  identifier: string
  password: string
}

/** Reads credentials from a body. Throws 400 with one entry each for what is missing or no text (contract §2). */
export function readCredentials(body: unknown): Credentials {
  const given = typeof body === 'object' && body !== null ? body : {}
  const issues: Issue[] = []
  const read = (field: 'identifier' | 'password'): string => {
    const value: unknown = field in given ? given[field as keyof typeof given] : undefined
    if (typeof value === 'string' && value !== '') return value
    const missing = value === undefined || value === null || value === ''
    issues.push({ path: [field], code: missing ? 'auth.credential-required' : 'validation.text', params: { field } })
    return ''
  }
  const credentials = { identifier: read('identifier'), password: read('password') }
  if (issues.length > 0) throw validationFault(issues)
  return credentials
}

interface Account {
  id: number
  password: string
  blocked: boolean
}

export interface SignInSettings {
  loginThrottle: Limit
  addressThrottle: Limit
}

export interface Visitor {
  address: string
  agent: string | undefined
  requestId: string
}

export class SignIn {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #settings: SignInSettings
  // Compared with when there is no account, so that the answer takes as long.
  #dummy: Promise<string> | undefined

  constructor(database: Database, sessions: Sessions, settings: SignInSettings) {
    this.#database = database
    this.#sessions = sessions
    this.#settings = settings
  }

  /**
   * Signs in. Out: the token and the user's id. Throws 400 for wrong credentials, 429 while the account or the address
   * is locked (also for the right password), 503 when too many passwords are being checked.
   */
  async run(
    { identifier, password }: Credentials,
    visitor: Visitor,
    onAuditError: (error: unknown) => void,
  ): Promise<{ jwt: string; user: number }> {
    const { address, agent, requestId } = visitor
    const typed = identifier.trim().slice(0, maxIdentifierLength)
    const account = await this.#find(typed)
    const line = { user: account?.id ?? null, address, requestId }
    const counted: Counted[] = [
      { key: accountKey(account?.id, foldCase(typed)), limit: this.#settings.loginThrottle },
      { key: addressKey(address), limit: this.#settings.addressThrottle },
    ]
    try {
      await assertFree(this.#database, counted)
      const isRight = await this.#isRight(account, password)
      if (!account || !isRight || account.blocked) {
        await countFailure(this.#database, counted, (trx) => writeAudit(trx, { action: 'sign-in.failed', ...line }))
        throw fault('auth.invalid-credentials')
      }
      const renewed = isWeak(account.password) ? await hashPassword(password) : undefined
      const jwt = await this.#database.transaction(async (trx) => {
        // Guesses beside this one may have locked the account while the hash was made.
        await assertFree(trx, counted)
        if (renewed !== undefined)
          await trx.query(sql`
            update users set password = ${renewed} where id = ${account.id} and password = ${account.password}`)
        await writeAudit(trx, { action: 'sign-in', ...line })
        return this.#sessions.open(trx, account.id, address, agent)
      })
      return { jwt, user: account.id }
    } catch (error) {
      if (error instanceof Fault && error.code === 'auth.throttled')
        await writeAuditOnceAMinute(this.#database, { action: 'sign-in.throttled', ...line }).catch(onAuditError)
      throw error
    }
  }

  async #find(typed: string): Promise<Account | undefined> {
    const [account] = await this.#database.query(sql<Account>`
      select id, password, blocked from users
       where email = fold_case(${typed}::text) or fold_case(username) = fold_case(${typed}::text)
       order by email = fold_case(${typed}::text) desc limit 1`)
    return account
  }

  async #isRight(account: Account | undefined, password: string): Promise<boolean> {
    if ([...password].length > maxPasswordLength) return false
    this.#dummy ??= hashPassword(randomUUID().slice(0, maxPasswordLength))
    return verifyPassword(account?.password ?? (await this.#dummy), password)
  }
}
