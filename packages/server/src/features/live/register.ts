/** What is told to open pages as it happens, and that somebody is there to hear it. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import type { Sockets } from '../../resources/sockets.ts'
import { tellChanges } from './changes.ts'
import { registerEditors } from './editors.ts'
import { tellPresence } from './online.ts'
import { notePresence } from './presence.ts'

/** Starts to tell; it ends with the application. */
export function registerLive(
  app: FastifyInstance,
  { sockets, database }: { sockets: Sockets; database: Database },
): void {
  registerEditors({ sockets, database, log: app.log })
  const stops = [
    tellPresence(sockets, app.log),
    tellChanges(sockets, database),
    notePresence(sockets, database, app.log),
  ]
  app.addHook('preClose', async () => {
    for (const stop of stops) stop()
  })
}
