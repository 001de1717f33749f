/** The servers of a chat proof: one with the embedded database, or one or two on a throw-away PostgreSQL. */
import { rmSync } from 'node:fs'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { freePort, stop } from '../lib/processes.ts'
import { type RunningServer, startServer, temporaryFolder } from '../lib/server-process.ts'

export type StageKind = 'embedded' | 'one server' | 'two servers'

export interface ServerStage {
  kind: StageKind
  /** Addresses of the stage's servers, which stay the same across restarts. */
  urls: readonly string[]
  /** Kills a server of the stage and starts it again; resolves when the server is ready. */
  killAndRestart: (index: number) => Promise<void>
  /** Fills the database of the stage with a script while no server runs. */
  fill: (script: string) => Promise<void>
  /** Reads the database of the stage. With the embedded one this stops the server and ends the simulation. */
  runWithDatabase: <T>(runTask: (database: Database) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export const hasPostgres = (): boolean => findBinaries() !== undefined

/**
 * Starts the servers of a simulation.
 *
 * @param kind - One or two servers, and their database.
 * @param settings - Settings besides those of trials.
 * @throws When a server does not start.
 */
export async function openStage(
  kind: StageKind,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerStage> {
  const cluster = kind !== 'embedded' ? await startCluster({ isDurable: true }) : undefined
  const dataDir = temporaryFolder('chat')
  const env = {
    LOG_LEVEL: 'warn',
    // Both servers of the stage sign tokens with the same secret.
    JWT_SECRET: 'trial-of-the-chat-0123456789-abcdefg',
    ...(cluster && { DATABASE_URL: cluster.url }),
    ...settings,
  }
  const start = (port: number) => startServer({ dataDir, port, seed: 'none', env })
  const servers: RunningServer[] = []
  const endAllProcesses = async () => {
    for (const server of servers) await server.close()
    servers.length = 0
  }
  // Servers of the stage start in turn, because the first one creates the tables.
  for (let index = 0; index < (kind === 'two servers' ? 2 : 1); index += 1) servers.push(await start(await freePort()))
  const runOnDatabase = async <T>(runTask: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(cluster ? { url: cluster.url } : { dataDir })
    try {
      return await runTask(database)
    } finally {
      await database.close()
    }
  }
  const urls = servers.map(({ url }) => url)
  return {
    kind,
    urls,
    killAndRestart: async (index) => {
      const server = servers[index]
      if (!server) throw new Error('There is no such server')
      await stop(server.child, 'SIGKILL')
      servers[index] = await start(server.port)
    },
    fill: async (script) => {
      const ports = servers.map(({ port }) => port)
      await endAllProcesses()
      await runOnDatabase((database) => database.script(script))
      for (const port of ports) servers.push(await start(port))
    },
    runWithDatabase: async (runTask) => {
      if (!cluster) await endAllProcesses()
      return await runOnDatabase(runTask)
    },
    close: async () => {
      await endAllProcesses()
      await cluster?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
