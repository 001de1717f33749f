/** Application for tests, on the worker's database. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type AppParts, buildApp } from '../app.ts'
import { calendarOf } from '../db/calendar.ts'
import type { Database } from '../db/database.ts'
import { WorkQueue } from '../db/work-queue.ts'
import { readSettings } from '../settings.ts'
import { checkAnswers } from './check-answers.ts'
import { openTestDatabase, testHours } from './databases.ts'
import { testPassword } from './factories.ts'
import { wideBudgets } from './wide-budgets.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-test-'))

/**
 * Applications that are open on the worker's database: they are closed when the database is emptied for the
 * next one.
 */
const openApps = new Set<FastifyInstance>()

export interface TestApp {
  app: FastifyInstance
  database: Database
  /** Queue of background work; a test that needs the queue starts it, and stops it. */
  queue: WorkQueue
  /** Returns all log lines of the application. */
  log: () => string
}

export interface TestAppOptions {
  /**
   * Settings of the application that differ from those of tests; the worker's database gets another calendar
   * by them.
   */
  settings?: Readonly<Record<string, string>>
  /** Folder of a built panel; without a folder the application serves no panel. */
  panelDir?: string
  /** Database of the application, instead of the worker's. */
  database?: Database
  /** Progress of the demo content that the application reports. */
  demoProgress?: NonNullable<AppParts['demoProgress']>
  /** Adds hooks for every request, before any route is registered. */
  observeApp?: NonNullable<AppParts['observeApp']>
}

/** The application that was built last for reuse, and the text of its settings. */
let reusableApp: (TestApp & { settingsText: string; clearLog: () => void }) | undefined

async function closeAllApps(): Promise<void> {
  reusableApp = undefined
  for (const app of openApps) await app.close()
  openApps.clear()
}

/**
 * Opens the application of the test before on the emptied database, if its settings are the same: building one takes
 * longer than most tests of accounts. For files whose tests leave no socket and no queue open.
 */
export async function reopenTestApp(settings: Readonly<Record<string, string>>): Promise<TestApp> {
  const settingsText = JSON.stringify(settings)
  if (reusableApp?.settingsText === settingsText) {
    await openTestDatabase()
    reusableApp.clearLog()
    return reusableApp
  }
  const { clearLog, ...testApp } = await buildTestApp({ settings })
  reusableApp = { ...testApp, clearLog, settingsText }
  return testApp
}

/** Builds the test application on the emptied database, and closes applications that were built before. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { app, database, queue, log } = await buildTestApp(options)
  return { app, database, queue, log }
}

async function buildTestApp({
  settings = {},
  panelDir = join(dataDir, 'no-panel'),
  database: existingDatabase,
  demoProgress,
  observeApp,
}: TestAppOptions): Promise<TestApp & { clearLog: () => void }> {
  if (!existingDatabase) await closeAllApps()
  const readEnvironment = readSettings({
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    ...testHours,
    ...wideBudgets,
    ...settings,
  })
  const isOwnCalendar = 'TIME_ZONE' in settings || 'WORKING_HOURS' in settings
  const database =
    existingDatabase ?? (await openTestDatabase(isOwnCalendar ? calendarOf(readEnvironment) : undefined)).database
  const queue = new WorkQueue(database)
  const lines: string[] = []
  const app = await buildApp({
    settings: readEnvironment,
    database,
    queue,
    panelDir,
    ...(demoProgress && { demoProgress }),
    observeApp: (observedApp) => {
      checkAnswers(observedApp)
      observeApp?.(observedApp)
      observedApp.addHook('onClose', () => {
        if (reusableApp?.app === observedApp) reusableApp = undefined
      })
    },
    log: { level: 'trace', stream: { write: (line) => void lines.push(line) } },
  })
  openApps.add(app)
  await app.ready()
  return { app, database, queue, log: () => lines.join(''), clearLog: () => void lines.splice(0) }
}

/** Signs a user in by HTTP and returns the token. */
export async function tokenOf(app: FastifyInstance, identifier: string): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/local',
    payload: { identifier, password: testPassword },
  })
  const body: { jwt?: unknown } = answer.json()
  if (typeof body.jwt !== 'string') throw new Error(`Sign-in of ${identifier} was refused: ${answer.body}`)
  return body.jwt
}
