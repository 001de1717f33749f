/** What is told to open pages as it happens, and that somebody is there to hear it. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { workFor } from '../../db/origin.ts'
import type { Sockets } from '../../domain/delivery/sockets.ts'
import { tellChanges } from './changes.ts'
import { registerEditors } from './editors.ts'
import { tellPresence } from './online.ts'
import { notePresence } from './presence.ts'

/** Ids of sockets are short. */
const isSocketId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

/** Starts to tell; it ends with the application. */
export function registerLive(
  app: FastifyInstance,
  { sockets, database }: { sockets: Sockets; database: Database },
): void {
  registerEditors({ sockets, database, log: app.log })
  // After the body has been read: what reads it runs outside.
  app.addHook('preHandler', (request, _reply, done) => {
    const page = request.headers['x-socket-id']
    if (isSocketId(page)) workFor(page, done)
    else done()
  })
  const stops = [
    tellPresence(sockets, app.log),
    tellChanges(sockets, database),
    notePresence(sockets, database, app.log),
  ]
  app.addHook('preClose', async () => {
    for (const stop of stops) stop()
  })
}
