/** Puts the application together: what every request passes, then the features and the resources. */
import { randomUUID } from 'node:crypto'
import type { Caller } from '@dala/model'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Database } from './db/database.ts'
import { readMigrations } from './db/migrate.ts'
import { registerAuth } from './features/auth/routes.ts'
import { Sessions } from './features/auth/session.ts'
import { SignIn } from './features/auth/sign-in.ts'
import { readSigningKeys } from './features/auth/signing-key.ts'
import { registerDenials } from './features/operations/denials.ts'
import { registerHealth } from './features/operations/health.ts'
import { builtPanel, registerPanel } from './features/panel/panel.ts'
import { answerUnreadable, refuseConnection, registerErrors } from './http/errors.ts'
import { registerHeaders } from './http/headers.ts'
import { bodyLimit, registerJson } from './http/json.ts'
import { type LogTarget, loggerOptions, registerRequestLog } from './http/logging.ts'
import { registerQueryString } from './http/query-string.ts'
import { resourceNamed } from './resources/attributes.ts'
import { parseOne } from './resources/parse-query.ts'
import { readOne, Totals } from './resources/read.ts'
import { registerResources } from './resources/routes.ts'
import type { Settings } from './settings.ts'

export interface AppParts {
  settings: Settings
  database: Database
  /** Folder of the built panel; the one in this repository when absent. */
  panelDir?: string
  /** Where log lines go; standard output when absent. */
  log?: LogTarget
  isDraining?: () => boolean
}

/** Time limits of checklist §11. */
const limits = { requestTimeout: 120_000, keepAliveTimeout: 65_000, headersTimeout: 15_000 }

/** Builds the application on a migrated database; it is ready to be injected into or to listen. */
export async function buildApp({
  settings,
  database,
  panelDir = builtPanel,
  log,
  isDraining = () => false,
}: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: loggerOptions(log ?? { level: settings.logLevel }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    http: { headersTimeout: limits.headersTimeout },
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    frameworkErrors: answerUnreadable,
    clientErrorHandler: refuseConnection,
    // The query is read by a hook (http/query-string.ts): a throw of a parser in the router would end the process.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: () => ({}) },
  })

  registerErrors(app)
  registerRequestLog(app)
  await registerHeaders(app, settings)
  registerQueryString(app)
  registerJson(app)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1_024, globalDecompression: false })

  const sessions = new Sessions(database, readSigningKeys(settings.jwtSecrets, settings.dataDir))
  const totals = new Totals()
  database.onChange((changes) => totals.forget(changes))

  registerDenials(app, { database, callerOf: (request) => sessions.callerOf(request) })
  registerHealth(app, { database, migrations: readMigrations(), dataDir: settings.dataDir, isDraining })
  registerAuth(app, {
    sessions,
    signIn: new SignIn(database, sessions, settings),
    presentUser: (id) => presentAccount(database, id),
  })
  registerResources(app, { database, totals, callerOf: (request) => sessions.callerOf(request) })
  await registerPanel(app, panelDir)
  return app
}

/** The flat account of a person who has just signed in (contract §2): everybody sees the whole of himself. */
function presentAccount(database: Database, id: number) {
  const self: Caller = { id, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
  return readOne(database, parseOne({}, resourceNamed('users'), self, {}, id))
}
