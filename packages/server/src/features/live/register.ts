/** What is told to open pages as it happens: changes of records, and who else has one open. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import type { Sockets } from '../../resources/sockets.ts'
import { tellChanges } from './changes.ts'
import { registerEditors } from './editors.ts'

/** Starts to tell; it ends with the application. */
export function registerLive(
  app: FastifyInstance,
  { sockets, database }: { sockets: Sockets; database: Database },
): void {
  registerEditors({ sockets, database, log: app.log })
  app.addHook('preClose', async () => stop())
  const stop = tellChanges(sockets, database)
}
