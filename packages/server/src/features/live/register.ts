/** Registers the socket events for pages of the panel, and the presence of their users. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { runForPage } from '../../db/origin.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'
import { emitChanges } from './changes.ts'
import { registerEditors } from './editors.ts'
import { emitPresence } from './online.ts'
import { recordPresence } from './presence.ts'

/** Whether a header contains a socket id, which is short. */
const isSocketId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

/** Starts all live events and presence, which end with the application. */
export function registerLiveUpdates(
  app: FastifyInstance,
  { sockets, database }: { sockets: Sockets; database: Database },
): void {
  registerEditors({ sockets, database, log: app.log })
  // The hook `preHandler` runs after the body was parsed: the parser would lose the asynchronous context.
  app.addHook('preHandler', (request, _reply, done) => {
    const page = request.headers['x-socket-id']
    if (isSocketId(page)) runForPage(page, done)
    else done()
  })
  const stopCalls = [
    emitPresence(sockets, app.log),
    emitChanges(sockets, database),
    recordPresence(() => [...sockets.io.of('/').sockets.values()].map(({ data }) => data.caller.id), database, app.log),
  ]
  app.addHook('preClose', async () => {
    for (const stopCall of stopCalls) stopCall()
  })
}
