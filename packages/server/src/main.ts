/**
 * Starts the server: port, lock, database, migrations, seed, application — in this order — and stops it
 * cleanly.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { BackgroundWork } from './background.ts'
import { engineParts } from './behaviours/index.ts'
import { calendarOf, unknownZone, zoneSql } from './db/calendar.ts'
import type { Database } from './db/database.ts'
import { completeDeskFacts } from './domain/conversations/complete-facts.ts'
import { OrganisationSettings } from './domain/operations/organisation.ts'
import { sql } from './db/sql.ts'
import { codeOf, terminalMessage, type OpenData, openData, StartError } from './db/open-data.ts'
import type { WorkQueue } from './db/work-queue.ts'
import { endProgram } from './end-program.ts'
import { readTwoStepSeal, sealStoredSecrets } from './features/auth/two-step-seal.ts'
import { type Listener, openListener } from './http/listener.ts'
import { accountLines, seed, seedSettings, type SeedReport } from './seed/index.ts'
import { LaterSeed, seedLater } from './seed/later.ts'
import { migrateWithCopy } from './migrate-with-copy.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Tracing } from './watching/open-tracing.ts'
import type { Watching } from './watching/open-watching.ts'

/** Milliseconds for open requests, and for the whole stop (checklist §11). */
const stopGraceMs = 10_000
const stopLimit = 15_000
/**
 * Milliseconds that a stop waits for the next step of a
 * start; the database survives an interruption in between.
 */
const startGrace = 1_000

/** Milliseconds after the start when memory that only the start needed is freed. */
const freeMemoryAfter = 1_500

/**
 * Frees the memory of the start: a quarter of the program's memory is source text, code and maps of routes.
 */
function tidyMemory(): void {
  // The function is available when Node was started with `--expose-gc` (`npm start`).
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

const printLine = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs the opening of a port. Throws a StartError with the reason when the address is not available. */
async function bindAddress<T>(host: string, port: number, openPort: () => Promise<T>): Promise<T> {
  try {
    return await openPort()
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

/** Opens the port of metrics; the packages that count are loaded only when it is set. */
async function openMetrics({ metricsPort, metricsHost, dataDir }: Settings): Promise<Watching | undefined> {
  if (metricsPort === undefined) return undefined
  const { openWatching } = await import('./watching/open-watching.ts')
  return bindAddress(metricsHost, metricsPort, () => openWatching({ port: metricsPort, host: metricsHost, dataDir }))
}

/** Begins to trace; the packages that trace are loaded only when a collector is set. */
async function beginTracing({ traces }: Settings): Promise<Tracing | undefined> {
  if (traces === undefined) return undefined
  const { openTracing } = await import('./watching/open-tracing.ts')
  return openTracing({
    ...traces,
    onFailure: (error) => log?.warn({ err: error }, 'traces are not delivered'),
  })
}

async function checkTimeZone(database: Database): Promise<void> {
  try {
    await database.query(sql`select now() at time zone ${zoneSql}`)
  } catch (error) {
    // Error 22023: the database does not know the time zone. Other errors have other causes than the setting.
    if (!(error instanceof Error && 'code' in error && error.code === '22023')) throw error
    throw unknownZone()
  }
}

function announceStart(settings: Settings, port: number, report: SeedReport): void {
  const { dataDir, host, databaseUrl, production, passwordPolicy } = settings
  printLine(`Dala is running at http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  printLine(`Data folder: ${dataDir}${databaseUrl === undefined ? '' : ' (database: PostgreSQL server)'}`)
  for (const line of accountLines(report)) printLine(line)
  if (production && passwordPolicy === 'spec') printLine('Recommended in production: PASSWORD_POLICY=strict')
}

/** Number of the demo's parts between two lines of progress. */
const quarterOfParts = (parts: number) => Math.ceil(parts / 4)

function printDemoProgress(doneParts: number, parts: number): void {
  if (doneParts === parts) printLine('The demo content is complete.')
  else if (doneParts % quarterOfParts(parts) === 0) printLine(`Demo content: ${doneParts} of ${parts} parts`)
}

interface RunningServer {
  /** Milliseconds between the request of a stop and the stop. */
  drainMs?: number
  listener?: Listener
  data?: OpenData
  background?: BackgroundWork
  laterSeed?: LaterSeed
  queue?: WorkQueue
  app?: FastifyInstance
  watching?: Watching
  tracing?: Tracing
}

/**
 * Stops everything that runs, in the order that loses nothing: requests, jobs, periodic work, database, lock.
 */
async function shutDown(server: RunningServer): Promise<void> {
  const { listener, data, background, laterSeed, queue, app, watching, tracing } = server
  await listener?.close(stopGraceMs)
  await queue?.stop()
  await laterSeed?.stop()
  await background?.stop()
  await app?.close()
  await watching?.close()
  await tracing?.close()
  await data?.close()
}

/** Loads the parts of the server that need all of its modules. */
async function loadParts() {
  const [{ buildApp }, { startBackground }, { WorkQueue }, { openUploads }] = await Promise.all([
    import('./app.ts'),
    import('./background.ts'),
    import('./db/work-queue.ts'),
    import('./features/uploads/open-uploads.ts'),
  ])
  return { buildApp, startBackground, WorkQueue, openUploads }
}

/** A signal ends a start between two of its steps, and a running server in the order that loses nothing. */
const stopController = new AbortController()
/** The end of the time in which a stopping server still answers. */
const drainController = new AbortController()
const runningServer: RunningServer = {}
let log: FastifyBaseLogger | undefined
let isStarted = false

/** Lets proxies learn from `/ready` to send no more requests, then stops everything. */
async function drain(drainMs: number): Promise<void> {
  if (drainMs > 0) await pause(drainMs)
  drainController.abort()
  await shutDown(runningServer)
}

function stopProgram(code: number): void {
  if (stopController.signal.aborted) process.exit(code || 1)
  stopController.abort()
  if (!isStarted) {
    setTimeout(() => endProgram(code), startGrace)
    return
  }
  const { drainMs = 0 } = runningServer
  setTimeout(() => process.exit(1), drainMs + stopLimit).unref()
  // A failure ends the program at once.
  drain(code === 0 ? drainMs : 0).then(
    () => endProgram(code),
    (error: unknown) => {
      log?.error({ err: error }, 'stop failed')
      process.exit(1)
    },
  )
}

/** Runs the next step of the server's start. Throws when a stop was requested meanwhile. */
async function step<T>(pendingTask: PromiseLike<T>): Promise<T> {
  const workResult = await pendingTask
  stopController.signal.throwIfAborted()
  return workResult
}

async function start(): Promise<void> {
  process.on('SIGTERM', () => stopProgram(0))
  process.on('SIGINT', () => stopProgram(0))
  const settings = readSettings(process.env)
  runningServer.drainMs = settings.drainMs
  const { port, host, trustedProxies } = settings
  const listener = await bindAddress(host, port, () => openListener(port, host, { trustedProxies }))
  runningServer.listener = listener
  try {
    stopController.signal.throwIfAborted()
    const watching = await step(openMetrics(settings))
    if (watching) runningServer.watching = watching
    const tracing = await step(beginTracing(settings))
    if (tracing) runningServer.tracing = tracing
    // Loading modules uses the processor while opening the database mostly waits, so both run in parallel.
    const loadingParts = loadParts()
    loadingParts.catch(() => {})
    runningServer.data = await openData(settings, { calendar: calendarOf(settings), parts: engineParts })
    stopController.signal.throwIfAborted()
    const { database } = runningServer.data
    const organisation = new OrganisationSettings(database, settings)
    const { secrets, report } = await database.withoutTimeLimit(async () => {
      await step(checkTimeZone(database))
      await step(migrateWithCopy(database, settings, { printLine }))
      // Waits are completed by the hours that an owner has stored.
      await step(organisation.refresh())
      await step(completeDeskFacts(database))
      const twoStepSeal = readTwoStepSeal(settings.twoStepKeys, settings.dataDir)
      return {
        secrets: await step(sealStoredSecrets(database, twoStepSeal)),
        report: await step(seed(database, seedSettings(settings))),
      }
    })
    await step(database.listen())
    const { buildApp, startBackground, WorkQueue, openUploads } = await step(loadingParts)
    const queue = new WorkQueue(database)
    const laterSeed = new LaterSeed()
    const app = await buildApp({
      settings,
      database,
      organisation,
      queue,
      demoProgress: () => laterSeed.progress,
      isDraining: () => stopController.signal.aborted,
      stopSignal: drainController.signal,
      observeApp: (observedApp) => {
        tracing?.observeApp(observedApp)
        watching?.observeApp(observedApp)
      },
    })
    runningServer.app = app
    watching?.watchDatabase(database, queue)
    log = app.log
    await step(app.ready())
    if (secrets.unreadable > 0)
      log.warn({ accounts: secrets.unreadable }, 'second steps that no key of this server can check')
    runningServer.background = startBackground({ settings: organisation.settings, database, log })
    runningServer.laterSeed = laterSeed
    const uploads = openUploads(database, settings, (error, message) => app.log.error({ err: error }, message))
    const fillDemo = (signal: AbortSignal, onPart: (doneCount: number, parts: number) => void) => {
      const reportPart = (doneParts: number, parts: number) => {
        onPart(doneParts, parts)
        printDemoProgress(doneParts, parts)
      }
      return seedLater(database, seedSettings(settings), { store: { uploads }, signal, onPartDone: reportPart })
    }

    const failStart = (error: unknown) => {
      app.log.fatal({ err: error }, 'unhandled error')
      stopProgram(1)
    }
    process.on('unhandledRejection', failStart)
    process.on('uncaughtException', failStart)

    listener.use(app.server)
    announceStart(organisation.settings, listener.port, report)
    setTimeout(tidyMemory, freeMemoryAfter).unref()
    runningServer.queue = queue
    isStarted = true
    laterSeed.start(fillDemo, (error) => app.log.error({ err: error }, 'filling the demo failed'))
    queue
      .start((error) => app.log.error({ err: error }, 'background work failed'))
      .catch((error: unknown) => app.log.error({ err: error }, 'background work did not start'))
  } catch (error) {
    await shutDown(runningServer).catch(() => {})
    if (stopController.signal.aborted) endProgram(0)
    throw error
  }
}

try {
  await start()
} catch (error) {
  process.stderr.write(`${terminalMessage(error, 'The start failed')}\n`)
  process.exit(1)
}
