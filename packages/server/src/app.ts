/** Builds the application: hooks for every request, then the features and the resources. */
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Database } from './db/database.ts'
import { WorkQueue } from './db/work-queue.ts'
import { Sessions } from './domain/accounts/token-sessions.ts'
import { readSigningKeys } from './domain/accounts/signing-key.ts'
import { builtPanel, registerPanel } from './features/panel/panel.ts'
import { registerCompression } from './http/compression.ts'
import { answerUnreadable, refuseConnection, registerErrors } from './http/errors.ts'
import { registerHeaders } from './http/headers.ts'
import { bodyLimit, registerJson } from './http/json.ts'
import { registerLoadShedding } from './http/load-shedding.ts'
import { type LogTarget, loggerOptions, registerRequestLog } from './http/logging.ts'
import { registerQueryString } from './http/query-string.ts'
import { registerStreamedBodies } from './http/streamed-bodies.ts'
import { TotalsCache } from './resources/read/read.ts'
import { registerResources } from './resources/routes.ts'
import { Sockets } from './domain/delivery/sockets.ts'
import type { DemoProgress, FeatureContext, ResourceWriters } from './domain/feature.ts'
import { createFeatures } from './features.ts'
import { OrganisationSettings } from './domain/operations/organisation.ts'
import type { Settings } from './settings.ts'

export interface AppParts {
  settings: Settings
  database: Database
  /** Settings of the organisation; those of the settings and the database when absent. */
  organisation?: OrganisationSettings
  /** Folder of the built panel; that of this repository when absent. */
  panelDir?: string
  /** Stream that receives log lines; standard output when absent. */
  log?: LogTarget
  isDraining?: () => boolean
  /** Queue of background work; the caller that passes the queue starts and stops it. */
  queue?: WorkQueue
  /** Progress of demo content that is added after the start; undefined while none is being added. */
  demoProgress?: () => DemoProgress | undefined
  /** Signal of a stop, at which sockets end, because open sockets would delay the stop. */
  stopSignal?: AbortSignal
  /** Adds hooks for every request, before any route is registered. */
  observeApp?: (app: FastifyInstance) => void
}

const refuseSchema = () => {
  throw new Error('Bodies are checked by the model, not by schemas of the framework')
}
/**
 * The framework would load its validator and serialiser, a hundred modules, for schemas that no route has.
 */
const disabledCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

/** Time limits of checklist §11, in milliseconds. */
const limits = { requestTimeout: 120_000, keepAliveTimeout: 65_000, headersTimeout: 15_000 }

/** Builds the application on a migrated database, ready for `inject` or `listen`. */
export async function buildApp({
  settings: environmentSettings,
  database,
  organisation = new OrganisationSettings(database, environmentSettings),
  panelDir = builtPanel,
  log,
  isDraining = () => false,
  queue = new WorkQueue(database),
  demoProgress = () => undefined,
  stopSignal,
  observeApp: observe,
}: AppParts): Promise<FastifyInstance> {
  const { settings } = organisation
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
    schemaController: { compilersFactory: disabledCompilers },
    // A hook parses the query of a request instead of the router: a throw in the router's parser would end
    // the process.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: () => ({}) },
  })

  observe?.(app)
  registerErrors(app)
  registerRequestLog(app)
  await registerHeaders(app, settings)
  registerQueryString(app)
  registerJson(app)
  registerStreamedBodies(app)
  registerLoadShedding(app)
  registerCompression(app)

  const signingKeys = readSigningKeys(settings.jwtSecrets, settings.dataDir)
  const sessions = new Sessions(database, signingKeys)
  const callerOf = (request: FastifyRequest) => sessions.callerOf(request)
  const signedIn = (request: FastifyRequest) => sessions.signedIn(request)
  const totals = new TotalsCache()
  const stopTotals = database.onChange((changes) => totals.forget(changes))
  app.addHook('onReady', () => totals.sizes.load(database))
  const endFollowing = organisation.follow((error) =>
    app.log.error({ err: error }, 'reading the settings of the organisation failed'),
  )
  app.addHook('onReady', () => organisation.refresh())
  const endReports = database.onFailureAfterCommit((error) =>
    app.log.error({ err: error }, 'work after a commit failed'),
  )
  app.addHook('onClose', () => {
    endReports()
    endFollowing()
    stopTotals()
    sessions.close()
  })

  const sockets = new Sockets({
    server: app.server,
    database,
    settings,
    log: app.log,
    callerOfToken: (token) => sessions.callerWith(token),
    callersOf: (ids) => sessions.callersOf(ids),
  })
  app.addHook('preClose', () => sockets.close())
  stopSignal?.addEventListener('abort', () => void sockets.close(), { once: true })

  const features = createFeatures()
  const writers = features.reduce<ResourceWriters>(
    (mergedWriters, feature) => ({ ...mergedWriters, ...feature.writers?.(settings) }),
    {},
  )
  const context: FeatureContext = {
    settings,
    organisation,
    database,
    totals,
    sessions,
    callerOf,
    signedIn,
    signingKeys,
    sockets,
    queue,
    writers,
    log: app.log,
    demoProgress,
    isDraining,
  }
  for (const feature of features) feature.hooks?.(app, context)
  for (const feature of features) await app.register(async (scope) => feature.registerRoutes?.(scope, context))
  const receiveFiles = features.map((feature) => feature.receiveFiles?.(context)).find(Boolean)
  if (!receiveFiles) throw new Error('No feature receives the files of a record')
  registerResources(app, { database, totals, callerOf, signedIn, writers, receiveFiles })
  registerPanel(app, panelDir, settings)
  return app
}
