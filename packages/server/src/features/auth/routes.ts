/** Routes for sign-in, sign-out, registration and new passwords (contract §2). */
import type { Entry } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { isObject } from '../../resources/read/context.ts'
import type { PresentSettings } from '../../domain/operations/organisation.ts'
import { passwordLengths } from '../../settings.ts'
import type { EmailChange } from './email-change.ts'
import { endOtherSessions, endOwnSession, ownSessions } from './own-sessions.ts'
import type { PasswordChange } from './password-change.ts'
import type { Registration } from './registration.ts'
import { type Sessions, tokenOf } from '../../domain/accounts/token-sessions.ts'
import type { SignIn, SignInVisitor } from './sign-in.ts'
import type { TwoStep } from './two-step.ts'

export interface AuthRoutes {
  database: Database
  sessions: Sessions
  signIn: SignIn
  registration: Registration
  passwordChange: PasswordChange
  emailChange: EmailChange
  twoStep: TwoStep
  settings: Pick<PresentSettings, 'registration' | 'passwordPolicy' | 'organisationNames'>
  /** Presents the flat user of contract §2, by id. */
  presentUser: (id: number) => Promise<Entry>
}

/** Routes that must work for clients whose budget is spent, and while the disk is full. */
const account = { config: { writeBound: 'account' } } as const

const visitorOf = (request: FastifyRequest): SignInVisitor => ({
  address: request.ip,
  agent: request.headers['user-agent'],
  requestId: request.id,
})

const okAnswer = { ok: true } as const

/**
 * Registers the routes of the own account. Those before sign-in ignore any Authorization header: a stale
 * token must not lock anyone out. The others serve every signed-in user, even if their role still requires a
 * second step: users set up that step here.
 */
export function registerAuth(
  app: FastifyInstance,
  { database, sessions, signIn, registration, passwordChange, emailChange, twoStep, settings, presentUser }: AuthRoutes,
): void {
  const presentSession = async ({ jwt, user }: { jwt: string; user: number }) => ({
    jwt,
    user: await presentUser(user),
  })

  addRoutes(
    app,
    async () => (await import('@dala/model/api/auth')).authRoutes,
    {
      'POST /api/auth/local': async ({ request, body }) => {
        const logAuditFailure = (error: unknown) => request.log.error({ err: error }, 'audit failed')
        return presentSession(await signIn.run(await body(), visitorOf(request), logAuditFailure))
      },
      'POST /api/auth/local/register': async ({ request, body }) =>
        presentSession(await registration.run(await body(), visitorOf(request))),
      'POST /api/auth/forgot-password': async ({ request, body }) => {
        await passwordChange.requestReset((await body()).email, visitorOf(request))
        return okAnswer
      },
      'POST /api/auth/reset-password': async ({ request, body }) =>
        presentSession(await passwordChange.reset(await body(), visitorOf(request))),
      'POST /api/auth/change-password': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        await passwordChange.change(await body(), caller, visitorOf(request))
        return presentSession({ jwt: tokenOf(request) ?? '', user: caller.id })
      },
      'POST /api/auth/change-email': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        await emailChange.change(await body(), caller, visitorOf(request))
        return okAnswer
      },
      'GET /api/auth/change-email': async ({ request }) => emailChange.status(await sessions.signedIn(request)),
      'POST /api/auth/change-email/resend': async ({ request }) => {
        await emailChange.resend(await sessions.signedIn(request), visitorOf(request))
        return okAnswer
      },
      'DELETE /api/auth/change-email': async ({ request }) => {
        await emailChange.cancel(await sessions.signedIn(request))
        return okAnswer
      },
      'POST /api/auth/confirm-email': async ({ request, body }) => {
        await emailChange.confirm((await body()).code, visitorOf(request))
        return okAnswer
      },
      'POST /api/auth/two-step': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        return twoStep.setUp((await body()).password, caller, visitorOf(request))
      },
      'POST /api/auth/two-step/confirm': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        await twoStep.confirm((await body()).code, caller, visitorOf(request))
        return okAnswer
      },
      'DELETE /api/auth/two-step': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        await twoStep.turnOff(await body(), caller, visitorOf(request))
        return okAnswer
      },
      'GET /api/auth/two-step': async ({ request }) => twoStep.status(await sessions.signedIn(request)),
      'POST /api/auth/two-step/recovery': async ({ request, body }) => {
        const caller = await sessions.signedIn(request)
        return { recovery: await twoStep.renewRecovery(await body(), caller, visitorOf(request)) }
      },
      'GET /api/auth/sessions': async ({ request }) => ({
        data: await ownSessions(database, await sessions.signedIn(request)),
      }),
      'DELETE /api/auth/sessions/:id': async ({ request }) => {
        const caller = await sessions.signedIn(request)
        const id = isObject(request.params) ? String(request.params.id) : ''
        await endOwnSession(database, caller, id, visitorOf(request))
        return okAnswer
      },
      'POST /api/auth/sessions/end-others': async ({ request }) => ({
        ...okAnswer,
        ended: await endOtherSessions(database, await sessions.signedIn(request), visitorOf(request)),
      }),
      'POST /api/auth/logout': async ({ request }) => {
        const caller = await sessions.signedIn(request)
        await sessions.end(caller, { address: request.ip, requestId: request.id })
        return okAnswer
      },
      // Settings of the installation that the sign-in and registration screens need.
      'GET /api/auth/settings': async () => ({
        registration: settings.registration,
        password: passwordLengths[settings.passwordPolicy],
        name: settings.organisationNames,
      }),
    },
    {
      'POST /api/auth/local': account,
      'POST /api/auth/local/register': { config: { writeBound: 'open' } },
      'POST /api/auth/forgot-password': account,
      'POST /api/auth/reset-password': account,
      'POST /api/auth/change-password': account,
      'DELETE /api/auth/change-email': account,
      'POST /api/auth/confirm-email': account,
      'DELETE /api/auth/sessions/:id': account,
      'POST /api/auth/sessions/end-others': account,
      'POST /api/auth/logout': account,
    },
  )
}
