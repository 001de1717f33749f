/** Starts the server: port, lock, database, migrations, seed, application — in this order — and stops it cleanly. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Database, openDatabase } from './db/database.ts'
import { databaseFailure } from './db/failures.ts'
import { type FolderLock, LockError, lockFolder } from './db/lock.ts'
import { migrate, SchemaError } from './db/migrate.ts'
import { Snapshots } from './db/snapshots.ts'
import { type Listener, openListener } from './http/listener.ts'
import { seed, type SeedReport } from './seed/index.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

/** Time for requests in flight, and for the whole stop (checklist §11). */
const grace = 10_000
const stopLimit = 15_000

/** A start that cannot go on, in one sentence for the person at the terminal. */
class StartError extends Error {
  override name = 'StartError'
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

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

/** Makes a folder and those above it, one by one: Node's own recursion never ends where the system refuses new folders. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** The data folder, writable; and locked when the database is in it. */
function takeFolder({ dataDir, databaseUrl }: Settings): FolderLock | undefined {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return databaseUrl === undefined ? lockFolder(dataDir) : undefined
  } catch (error) {
    if (error instanceof LockError) throw error
    throw new StartError(`The data folder ${dataDir} cannot be written (${codeOf(error)}).`)
  }
}

async function open({ databaseUrl, dataDir }: Settings): Promise<Database> {
  try {
    return await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl })
  } catch (error) {
    // The address itself is never repeated: it holds a password.
    if (databaseUrl === undefined)
      throw new StartError(`The database in ${dataDir} cannot be opened: ${messageOf(error)}.`)
    const reason = codeOf(error) || databaseFailure(error) || messageOf(error)
    throw new StartError(`The database of DATABASE_URL cannot be used: ${messageOf(error) || reason} (${reason}).`)
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
  const { owner, demo } = report
  if (owner) say(`Owner: ${owner.email}${owner.password === undefined ? '' : `  password: ${owner.password}`}`)
  if (demo) say(`Demo accounts: ${demo.emails.join(', ')}  password: ${demo.password}`)
}

interface Running {
  listener: Listener
  lock: FolderLock | undefined
  database?: Database
  snapshots?: Snapshots
  app?: FastifyInstance
}

/** Ends what runs, in the order that loses nothing: requests, copies, database, lock. */
async function shutDown({ listener, lock, database, snapshots, app }: Running): Promise<void> {
  await listener.close(grace)
  await snapshots?.stop()
  await app?.close()
  await database?.close()
  lock?.release()
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const listener = await bind(settings)
  let lock: FolderLock | undefined
  let draining = false
  const running: Running = { listener, lock }
  try {
    lock = takeFolder(settings)
    running.lock = lock
    const database = await open(settings)
    running.database = database
    await checkTimeZone(database, settings)
    await migrate(database)
    const report = await seed(database, {
      seed: settings.seed,
      ownerEmail: settings.ownerEmail,
      ...(settings.ownerPassword !== undefined && { ownerPassword: settings.ownerPassword }),
      ...(settings.demoPassword !== undefined && { demoPassword: settings.demoPassword }),
    })
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
  const isExpected = [SettingsError, StartError, LockError, SchemaError].some((kind) => error instanceof kind)
  process.stderr.write(isExpected ? `${messageOf(error)}\n` : `The start failed: ${messageOf(error)}\n`)
  if (!isExpected && error instanceof Error && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
}
