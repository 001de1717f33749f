/**
 * Starts a server for the clients when none is given: for a run of single tests; `npm run clients` starts its
 * own.
 */
import { startServer } from '../scripts/lib/server-process.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['CLIENTS_SERVER']) return undefined
  const server = await startServer({ seed: 'reference', env: { LOG_LEVEL: 'warn' } })
  process.env['CLIENTS_SERVER'] = server.url
  return () => server.close()
}
