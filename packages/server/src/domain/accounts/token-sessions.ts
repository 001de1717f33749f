/** Who asks: from the token of a request to the caller, by one indexed statement that is remembered for a second. */
import { randomUUID } from 'node:crypto'
import { type Caller, fault, type Locale, type RoleType } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Database, Transaction } from '../../db/database.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import type { SigningKeys } from './signing-key.ts'
import { readToken, signToken } from './tokens.ts'
import { asViewed } from './view-as.ts'

const absoluteDays = 7
const maxTokenLength = 1_024
const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i
const bare = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Revocation must be felt within a second on every instance (checklist §1). */
const rememberedFor = 1_000

/** The token of a request; undefined when there is none in the form of one. Only the Authorization header is looked at. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const [, token] = bearer.exec(request.headers.authorization ?? '') ?? []
  return token !== undefined && token.length <= maxTokenLength ? token : undefined
}

interface SessionRow {
  id: number
  role: RoleType
  isConsultant: boolean
  language: Locale
  stale: boolean
  lacksTwoStep: boolean
}

/** Somebody who is signed in, and whether he still owes the second step that his role asks for. */
interface Known {
  caller: Caller
  lacksTwoStep: boolean
}

/** Sessions that hold, with their users and roles (contract §1). */
const liveSessions = sql`
  sessions s join users u on u.id = s.user_id join roles r on r.id = u.role_id
  where s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '24 hours'
    and not u.blocked and u.removed_at is null`

/** Whether the role asks for a second step that the account has not turned on. */
const lacksTwoStep = sql<boolean>`
  (r.two_step and not exists (select 1 from two_step t where t.user_id = u.id and t.confirmed_at is not null))`

/** Sessions: opening, recognising and ending them. */
export class Sessions {
  readonly #database: Database
  readonly #keys: SigningKeys
  readonly #callers = new LRUCache<string, Promise<Known | undefined>>({ max: 10_000, ttl: rememberedFor })
  readonly #endListening: () => void

  constructor(database: Database, keys: SigningKeys) {
    this.#database = database
    this.#keys = keys
    this.#endListening = database.onChange((changes) => {
      if (changes === 'all' || changes.has('users') || changes.has('roles') || changes.has('sessions'))
        this.#callers.clear()
    })
  }

  /** Stops following changes of the database. */
  close(): void {
    this.#endListening()
  }

  /** Opens a session within a transaction, and notes that its user was here. Out: its token. */
  async open(trx: Transaction, user: number, address: string, agent: string | undefined): Promise<string> {
    const id = randomUUID()
    const expires = Math.floor(Date.now() / 1_000) + absoluteDays * 86_400
    await trx.query(sql`delete from sessions where user_id = ${user} and expires_at < now()`)
    await trx.query(sql`
      insert into sessions (id, user_id, expires_at, address, agent)
      values (${id}, ${user}, to_timestamp(${expires}), ${address.slice(0, 64)}, ${agent?.slice(0, 255) ?? null})`)
    await trx.query(sql`update users set last_seen_at = now() where id = ${user}`)
    return signToken(this.#keys, id, expires)
  }

  /** Ends one session; it is felt at once here and within a second elsewhere. */
  async end(caller: Caller, from: { address: string; requestId: string }): Promise<void> {
    await this.#database.transaction(async (trx) => {
      const ended = await trx.query(sql`
        update sessions set revoked_at = now() where id = ${caller.sessionId} and revoked_at is null returning id`)
      if (ended.length > 0) await writeAudit(trx, { action: 'sign-out', user: caller.id, ...from })
      trx.changed('sessions')
    })
  }

  /**
   * The caller of a request, as he may act: everything but signing in and asking who one is goes through here. Throws
   * 401 as `signedIn` does, and 403 for who lacks the second step of his role, or may not look as the role that the
   * header `X-View-As` names, or would change something while he does.
   */
  async callerOf(request: FastifyRequest): Promise<Caller> {
    return asViewed(request, await this.callerWith(tokenOf(request)))
  }

  /** The same of a token that came another way, which cannot ask to be seen as somebody else. Throws 401 and 403. */
  async callerWith(token: unknown): Promise<Caller> {
    const { caller, lacksTwoStep: lacks } = await this.#known(token)
    if (lacks) throw fault('auth.two-step-required')
    return caller
  }

  /**
   * Who is signed in, whatever else is asked of him: for the routes that tell him so and let him mend it. Throws 401
   * when the token is missing, malformed, forged, expired or idle for 24 hours, its session revoked, or its user
   * blocked or gone (contract §1).
   */
  async signedIn(request: FastifyRequest): Promise<Caller> {
    const { caller, lacksTwoStep: lacks } = await this.#known(tokenOf(request))
    // Until then he reads, beside himself, what anybody who is signed in reads.
    return lacks ? { ...caller, role: 'authenticated', isConsultant: false } : caller
  }

  async #known(token: unknown): Promise<Known> {
    if (typeof token !== 'string' || token.length > maxTokenLength || !bare.test(token))
      throw fault('auth.unauthorized')
    let found = this.#callers.get(token)
    if (found === undefined) {
      found = this.#find(token)
      this.#callers.set(token, found)
      // A failure of the database is not an answer to remember.
      found.catch(() => this.#callers.delete(token))
    }
    const known = await found
    if (known === undefined) throw fault('auth.unauthorized')
    return known
  }

  /**
   * Whose sessions these are, by their ids, without keeping them alive; those that ended are missing, and those of
   * people who lack the second step of their role.
   */
  async callersOf(ids: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
    const rows = await this.#database.query(sql<Caller>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language, s.id as "sessionId"
        from ${liveSessions} and s.id = any(${ids}::uuid[]) and not ${lacksTwoStep}`)
    return new Map(rows.map((caller) => [caller.sessionId, caller]))
  }

  async #find(token: string): Promise<Known | undefined> {
    const sessionId = await readToken(this.#keys, token)
    if (sessionId === undefined) return undefined
    const [row] = await this.#database.query(sql<SessionRow>`
      select u.id, r.type as role, u.is_consultant as "isConsultant", u.language,
             s.last_seen_at < now() - interval '1 minute' as stale, ${lacksTwoStep} as "lacksTwoStep"
        from ${liveSessions} and s.id = ${sessionId}`)
    if (!row) return undefined
    if (row.stale) await this.#touch(sessionId)
    const { id, role, isConsultant, language, lacksTwoStep: lacks } = row
    return { caller: { id, role, isConsultant, language, sessionId }, lacksTwoStep: lacks }
  }

  /**
   * Notes that the session is alive, and that its user was here, at most once a minute. A row of users that somebody
   * is writing is left alone: it will be noted a minute later.
   */
  async #touch(id: string): Promise<void> {
    await this.#database.query(sql`
      with touched as (
        update sessions set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'
        returning user_id
      ), seen as (select id from users where id in (select user_id from touched) for update skip locked)
      update users set last_seen_at = now() where id in (select id from seen)`)
  }
}
