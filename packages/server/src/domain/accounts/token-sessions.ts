/** Authentication: finds the caller of a request's token with one indexed statement, cached for a second. */
import { randomUUID } from 'node:crypto'
import { type Caller, fault, type Locale, type RoleType, type Script } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Database, Transaction } from '../../db/database.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { noteVisitsSql } from './last-visit.ts'
import { forgetBrowsersOf } from './sessions.ts'
import type { SigningKeys } from './signing-key.ts'
import { readToken, signToken } from './tokens.ts'
import { callerInViewedRole } from './view-as.ts'

const absoluteDays = 7
const maxTokenLength = 1_024
const bearerPattern = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i
const bareTokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** A revoked session must end within a second on every instance (checklist §1). */
const sessionCacheMs = 1_000

/**
 * Returns the token of a request; undefined without a well-formed one. Only the Authorization header is read.
 */
export function tokenOf(request: FastifyRequest): string | undefined {
  const [, token] = bearerPattern.exec(request.headers.authorization ?? '') ?? []
  return token !== undefined && token.length <= maxTokenLength ? token : undefined
}

interface SessionRow {
  id: number
  role: RoleType
  isConsultant: boolean
  language: Locale
  script: Script | null
  stale: boolean
  lacksTwoStep: boolean
}

/** A signed-in user, and whether they still lack the second step that their role requires. */
interface SignedInUser {
  caller: Caller
  lacksTwoStep: boolean
}

/** SQL of live sessions, with their users and roles (contract §1). */
export const liveSessions = sql`
  sessions s join users u on u.id = s.user_id join roles r on r.id = u.role_id
  where s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '24 hours'
    and not u.blocked and u.removed_at is null`

/** SQL of whether the role requires a second step that the account has not set up. */
export const lacksTwoStep = sql<boolean>`
  (r.two_step and not exists (select 1 from two_step t where t.user_id = u.id and t.confirmed_at is not null))`

/** Opens, recognises and ends sessions. */
export class Sessions {
  readonly #database: Database
  readonly #keys: SigningKeys
  readonly #callers = new LRUCache<string, Promise<SignedInUser | undefined>>({ max: 10_000, ttl: sessionCacheMs })
  readonly #endListening: () => void

  constructor(database: Database, keys: SigningKeys) {
    this.#database = database
    this.#keys = keys
    this.#endListening = database.onChange((changes) => {
      if (changes === 'all' || changes.has('users') || changes.has('roles') || changes.has('sessions'))
        this.#callers.clear()
    })
  }

  /** Stops listening to changes of the database. */
  close(): void {
    this.#endListening()
  }

  /**
   * Opens a session within a transaction, and updates when its user was last seen.
   *
   * @returns Its token.
   */
  async open(trx: Transaction, user: number, address: string, agent: string | undefined): Promise<string> {
    const id = randomUUID()
    const expiryTime = Math.floor(Date.now() / 1_000) + absoluteDays * 86_400
    await trx.query(sql`delete from sessions where user_id = ${user} and expires_at < now()`)
    await trx.query(sql`
      insert into sessions (id, user_id, expires_at, address, agent)
      values (${id}, ${user}, to_timestamp(${expiryTime}), ${address.slice(0, 64)}, ${agent?.slice(0, 255) ?? null})`)
    await trx.query(noteVisitsSql(sql`seen as (select id from users where id = ${user} for update)`))
    return signToken(this.#keys, id, expiryTime)
  }

  /** Ends one session, immediately on this instance and within a second on others. */
  async end(caller: Caller, requestOrigin: { address: string; requestId: string }): Promise<void> {
    await this.#database.transaction(async (trx) => {
      const endedSessions = await trx.query(sql<{ id: string }>`
        update sessions set revoked_at = now() where id = ${caller.sessionId} and revoked_at is null returning id`)
      await forgetBrowsersOf(trx, endedSessions)
      if (endedSessions.length > 0) await writeAudit(trx, { action: 'sign-out', user: caller.id, ...requestOrigin })
      trx.changed('sessions')
    })
  }

  /**
   * Returns the caller of a request with their present rights. All routes except those of signing in and of
   * one's own account use it.
   *
   * @throws 401 as `signedIn` does; 403 for a caller who lacks the second step of their role; 403 for a role
   *   in the header `X-View-As` that they may not view as, and for changes with that header.
   */
  async callerOf(request: FastifyRequest): Promise<Caller> {
    return callerInViewedRole(request, await this.callerWith(tokenOf(request)))
  }

  /**
   * Returns the caller of a token from elsewhere, without `X-View-As`.
   *
   * @throws 401 and 403 as `callerOf` does.
   */
  async callerWith(token: unknown): Promise<Caller> {
    const { caller, lacksTwoStep: isTwoStepMissing } = await this.#known(token)
    if (isTwoStepMissing) throw fault('auth.two-step-required')
    return caller
  }

  /**
   * Returns the signed-in user, even without their second step: for the routes that show this state and
   * resolve it.
   *
   * @throws 401 when the token is missing, malformed, forged, expired or idle for 24 hours, its session
   *   revoked, or its user blocked or deleted (contract §1).
   */
  async signedIn(request: FastifyRequest): Promise<Caller> {
    const { caller, lacksTwoStep: isTwoStepMissing } = await this.#known(tokenOf(request))
    // Without the second step, users read only what every signed-in user may read, and their own account.
    return isTwoStepMissing ? { ...caller, role: 'authenticated', isConsultant: false } : caller
  }

  async #known(token: unknown): Promise<SignedInUser> {
    if (typeof token !== 'string' || token.length > maxTokenLength || !bareTokenPattern.test(token))
      throw fault('auth.unauthorized')
    let foundCaller = this.#callers.get(token)
    if (foundCaller === undefined) {
      foundCaller = this.#find(token)
      this.#callers.set(token, foundCaller)
      // A failure of the database must not be cached as the result of a token's look-up.
      foundCaller.catch(() => this.#callers.delete(token))
    }
    const signedInUser = await foundCaller
    if (signedInUser === undefined) throw fault('auth.unauthorized')
    return signedInUser
  }

  /**
   * Returns the callers of sessions by id, without keeping the sessions alive. Ended sessions are missing,
   * and those of users who lack the second step of their role.
   */
  async callersOf(ids: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
    const rows = await this.#database.query(sql<Caller>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, u.script, s.id as "sessionId"
        from ${liveSessions} and s.id = any(${ids}::uuid[]) and not ${lacksTwoStep}`)
    return new Map(rows.map((caller) => [caller.sessionId, caller]))
  }

  async #find(token: string): Promise<SignedInUser | undefined> {
    const sessionId = await readToken(this.#keys, token)
    if (sessionId === undefined) return undefined
    const [row] = await this.#database.query(sql<SessionRow>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, u.script,
             s.last_seen_at < now() - interval '1 minute' as stale, ${lacksTwoStep} as "lacksTwoStep"
        from ${liveSessions} and s.id = ${sessionId}`)
    if (!row) return undefined
    if (row.stale) await this.#touch(sessionId)
    const { id, role, isConsultant, language, script, lacksTwoStep: isTwoStepMissing } = row
    return { caller: { id, role, isConsultant, language, script, sessionId }, lacksTwoStep: isTwoStepMissing }
  }

  /**
   * Notes at most once a minute that the session and its user are active. A locked row of users is skipped
   * until the next minute.
   */
  async #touch(id: string): Promise<void> {
    await this.#database.query(
      noteVisitsSql(sql`
        touched as (
          update sessions set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'
          returning user_id
        ), seen as (select id from users where id in (select user_id from touched) for update skip locked)`),
    )
  }
}
