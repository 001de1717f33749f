/** Starts the server: port, lock, database, migrations, seed, application — in this order — and stops it cleanly. */
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { codeOf, inSentence, type OpenData, openData, StartError } from './db/open-data.ts'
import { Snapshots } from './db/snapshots.ts'
import { type Listener, openListener } from './http/listener.ts'
import { accountLines, seed, seedSettings, type SeedReport } from './seed/index.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

/** Time for requests in flight, and for the whole stop (checklist §11). */
const grace = 10_000
const stopLimit = 15_000

const say = (line: string) => void process.stdout.write(`${line}\n`)
async function bind({ port, host }: Settings): Promise<Listener> {
  try {
    return await openListener(port, host)
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: 'is already in use',
      EACCES: 'may not be opened by this user',
      EADDRNOTAVAIL: 'is not an address of this machine',
      ENOTFOUND: 'is not an address of this machine',
    }
    throw new StartError(
      `The address ${host}:${port} ${reasons[codeOf(error)] ?? `cannot be opened (${codeOf(error)})`}.`,
    )
  }
}

async function checkTimeZone(database: Database, { timeZone }: Settings): Promise<void> {
  try {
    await database.rows({ sql: 'select now() at time zone $1', parameters: [timeZone] })
  } catch {
    throw new SettingsError(`The setting TIME_ZONE must be a time zone like Asia/Tashkent.`)
  }
}

function announce({ dataDir, host, databaseUrl }: Settings, port: number, report: SeedReport): void {
  say(`Dala is running at http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  say(`Data folder: ${dataDir}${databaseUrl === undefined ? '' : ' (database: PostgreSQL server)'}`)
  for (const line of accountLines(report)) say(line)
}

interface Running {
  listener: Listener
  data?: OpenData
  snapshots?: Snapshots
  app?: FastifyInstance
}

/** Ends what runs, in the order that loses nothing: requests, copies, database, lock. */
async function shutDown({ listener, data, snapshots, app }: Running): Promise<void> {
  await listener.close(grace)
  await snapshots?.stop()
  await app?.close()
  await data?.close()
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const listener = await bind(settings)
  let draining = false
  const running: Running = { listener }
  try {
    running.data = await openData(settings)
    const { database } = running.data
    await checkTimeZone(database, settings)
    await migrate(database)
    const report = await seed(database, seedSettings(settings))
    await database.listen()
    const app = await buildApp({ settings, database, isDraining: () => draining })
    running.app = app
    await app.ready()
    if (settings.databaseUrl === undefined) {
      running.snapshots = new Snapshots(database, settings.dataDir)
      running.snapshots.start((error) => app.log.error({ err: error }, 'snapshot failed'))
    }

    const stop = (code: number) => {
      if (draining) process.exit(code || 1)
      draining = true
      setTimeout(() => process.exit(1), stopLimit).unref()
      shutDown(running).then(
        () => process.exit(code),
        (error: unknown) => {
          app.log.error({ err: error }, 'stop failed')
          process.exit(1)
        },
      )
    }
    process.on('SIGTERM', () => stop(0))
    process.on('SIGINT', () => stop(0))
    const fail = (error: unknown) => {
      app.log.fatal({ err: error }, 'unhandled error')
      stop(1)
    }
    process.on('unhandledRejection', fail)
    process.on('uncaughtException', fail)

    listener.use((request, response) => app.routing(request, response))
    announce(settings, listener.port, report)
  } catch (error) {
    await shutDown(running).catch(() => {})
    throw error
  }
}

try {
  await start()
} catch (error) {
  process.stderr.write(`${inSentence(error, 'The start failed')}\n`)
  process.exit(1)
}
