/** Signing in and out, registering, and setting a new password (contract §2). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { passwordLengths, type PasswordPolicy } from '../../settings.ts'
import type { EmailChange } from './email-change.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import type { PasswordChange } from './password-change.ts'
import type { Registration } from './registration.ts'
import { type Sessions, tokenOf } from '../../domain/accounts/token-sessions.ts'
import { readCredentials, type SignIn, type Visitor } from './sign-in.ts'
import type { TwoStep } from './two-step.ts'

export interface AuthRoutes {
  database: Database
  sessions: Sessions
  signIn: SignIn
  registration: Registration
  passwordChange: PasswordChange
  emailChange: EmailChange
  twoStep: TwoStep
  settings: { registration: boolean; passwordPolicy: PasswordPolicy }
  /** The flat user of contract §2, by id. */
  presentUser: (id: number) => Promise<unknown>
}

/** Routes that must go on working for somebody whose budget is spent, and while the disk is full. */
const account = { config: { bounded: 'account' } } as const

const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  agent: request.headers['user-agent'],
  requestId: request.id,
})

/**
 * Registers the routes. Those before signing in ignore any Authorization header: a stale token must not lock anyone
 * out. The others answer who is signed in, whatever his role still asks of him: here is where he mends it.
 */
export function registerAuth(
  app: FastifyInstance,
  { database, sessions, signIn, registration, passwordChange, emailChange, twoStep, settings, presentUser }: AuthRoutes,
): void {
  const present = async ({ jwt, user }: { jwt: string; user: number }) => ({ jwt, user: await presentUser(user) })

  app.post('/api/auth/local', account, async (request) => {
    const credentials = readCredentials(request.body)
    const warn = (error: unknown) => request.log.error({ err: error }, 'audit failed')
    return present(await signIn.run(credentials, visitorOf(request), warn))
  })

  app.post('/api/auth/local/register', { config: { bounded: 'open' } }, async (request) =>
    present(await registration.run(request.body, visitorOf(request))),
  )

  app.post('/api/auth/forgot-password', account, async (request) => {
    await passwordChange.forget(request.body, visitorOf(request))
    return { ok: true }
  })

  app.post('/api/auth/reset-password', account, async (request) =>
    present(await passwordChange.reset(request.body, visitorOf(request))),
  )

  app.post('/api/auth/change-password', account, async (request) => {
    const caller = await sessions.signedIn(request)
    await passwordChange.change(request.body, caller, visitorOf(request))
    return present({ jwt: tokenOf(request) ?? '', user: caller.id })
  })

  app.post('/api/auth/change-email', async (request) => {
    await emailChange.change(request.body, await sessions.signedIn(request), visitorOf(request))
    return { ok: true }
  })

  app.get('/api/auth/change-email', async (request) => emailChange.status(await sessions.signedIn(request)))

  app.post('/api/auth/change-email/resend', async (request) => {
    await emailChange.resend(await sessions.signedIn(request), visitorOf(request))
    return { ok: true }
  })

  app.delete('/api/auth/change-email', account, async (request) => {
    await emailChange.cancel(await sessions.signedIn(request))
    return { ok: true }
  })

  app.post('/api/auth/confirm-email', account, async (request) => {
    await emailChange.confirm(request.body, visitorOf(request))
    return { ok: true }
  })

  app.post('/api/auth/two-step', async (request) =>
    twoStep.setUp(request.body, await sessions.signedIn(request), visitorOf(request)),
  )

  app.post('/api/auth/two-step/confirm', async (request) => {
    await twoStep.confirm(request.body, await sessions.signedIn(request), visitorOf(request))
    return { ok: true }
  })

  app.delete('/api/auth/two-step', async (request) => {
    await twoStep.turnOff(request.body, await sessions.signedIn(request), visitorOf(request))
    return { ok: true }
  })

  app.get('/api/auth/two-step', async (request) => twoStep.status(await sessions.signedIn(request)))

  app.post('/api/auth/two-step/recovery', async (request) => ({
    recovery: await twoStep.renewRecovery(request.body, await sessions.signedIn(request), visitorOf(request)),
  }))

  app.get('/api/auth/sessions', async (request) => ({
    data: await ownSessions(database, await sessions.signedIn(request)),
  }))

  app.delete('/api/auth/sessions/:id', account, async (request) => {
    const caller = await sessions.signedIn(request)
    const id = isObject(request.params) ? String(request.params.id) : ''
    await endOwnSession(database, caller, id, visitorOf(request))
    return { ok: true }
  })

  app.post('/api/auth/sessions/end-others', account, async (request) => ({
    ok: true,
    ended: await endOtherSessions(database, await sessions.signedIn(request), visitorOf(request)),
  }))

  app.post('/api/auth/logout', account, async (request) => {
    const caller = await sessions.signedIn(request)
    await sessions.end(caller, { address: request.ip, requestId: request.id })
    return { ok: true }
  })

  // What the screens before signing in have to know of this installation.
  app.get('/api/auth/settings', () => ({
    registration: settings.registration,
    password: passwordLengths[settings.passwordPolicy],
  }))
}
