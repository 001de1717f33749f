/** Signing in and out (contract §2). */
import type { FastifyInstance } from 'fastify'
import { readCredentials, type SignIn } from './sign-in.ts'
import type { Sessions } from './session.ts'

export interface AuthRoutes {
  sessions: Sessions
  signIn: SignIn
  /** The flat user of contract §2, by id. */
  presentUser: (id: number) => Promise<unknown>
}

/** Registers the routes. Signing in ignores any Authorization header: a stale token must not lock anyone out. */
export function registerAuth(app: FastifyInstance, { sessions, signIn, presentUser }: AuthRoutes): void {
  app.post('/api/auth/local', async (request) => {
    const credentials = readCredentials(request.body)
    const visitor = { address: request.ip, agent: request.headers['user-agent'], requestId: request.id }
    const warn = (error: unknown) => request.log.error({ err: error }, 'audit failed')
    const { jwt, user } = await signIn.run(credentials, visitor, warn)
    return { jwt, user: await presentUser(user) }
  })

  app.post('/api/auth/logout', async (request) => {
    const caller = await sessions.callerOf(request)
    await sessions.end(caller, { address: request.ip, requestId: request.id })
    return { ok: true }
  })
}
