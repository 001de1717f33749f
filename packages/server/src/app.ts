/** Puts the application together: what every request passes, then the features and the resources. */
import { randomUUID } from 'node:crypto'
import type { Caller } from '@dala/model'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Database } from './db/database.ts'
import { lastMigration } from './db/migrate.ts'
import { WorkQueue } from './db/work-queue.ts'
import { EmailChange } from './features/auth/email-change.ts'
import { PasswordChange } from './features/auth/password-change.ts'
import { Registration } from './features/auth/registration.ts'
import { registerAuth } from './features/auth/routes.ts'
import { Sessions } from './domain/accounts/callers.ts'
import { SignIn } from './features/auth/sign-in.ts'
import { readSigningKeys } from './domain/accounts/signing-key.ts'
import { TwoStep } from './features/auth/two-step.ts'
import { readTwoStepSeal } from './features/auth/two-step-seal.ts'
import { registerBulk } from './features/bulk/routes.ts'
import { registerChat } from './features/chat/routes.ts'
import { registerConsultations } from './features/consultations/routes.ts'
import { consultationWriters, tellOver } from './features/consultations/writers.ts'
import { useDeskHours } from './features/chat/desk/hours.ts'
import { registerDesk } from './features/chat/desk/routes.ts'
import { registerHistory } from './features/history/routes.ts'
import { readTranslations } from './features/history/translations.ts'
import { registerHome } from './features/home/routes.ts'
import { registerExports } from './features/exports/routes.ts'
import { type DemoProgress, registerInbox } from './features/inbox/routes.ts'
import { registerImports } from './features/imports/routes.ts'
import { registerLearning } from './features/learning/routes.ts'
import { registerLive } from './features/live/register.ts'
import { registerAudit } from './features/operations/audit-routes.ts'
import { registerBoundedWrites } from './features/operations/bounded-writes.ts'
import { registerDenials } from './features/operations/denials.ts'
import { registerHealth } from './features/operations/health.ts'
import { registerOpenApi } from './features/openapi/routes.ts'
import { builtPanel, registerPanel } from './features/panel/panel.ts'
import { registerPeople } from './features/people/routes.ts'
import { accountWriters } from './features/people/writers.ts'
import { registerPriceOutlook } from './features/prices/outlook/routes.ts'
import { readReview } from './features/prices/review.ts'
import { registerPrices } from './features/prices/routes.ts'
import { readToday } from './features/prices/today.ts'
import { registerSearch } from './features/search/routes.ts'
import { workOutReport } from './features/statistics/report.ts'
import { registerStatistics } from './features/statistics/routes.ts'
import { openStorage } from './features/uploads/open-storage.ts'
import { receiveFilesWith } from './features/uploads/multipart-write.ts'
import { registerTrade } from './features/trade/routes.ts'
import { notifyModerators } from './features/trade/moderation-events.ts'
import { postWriters } from './features/trade/writers.ts'
import { registerUploads } from './features/uploads/routes.ts'
import { registerFiles } from './features/uploads/serve.ts'
import { SignedAddresses } from './features/uploads/signed-address.ts'
import { openUploads } from './features/uploads/open-uploads.ts'
import { viewWriters } from './features/views/writers.ts'
import { answerUnreadable, refuseConnection, registerErrors } from './http/errors.ts'
import { registerHeaders } from './http/headers.ts'
import { bodyLimit, registerJson } from './http/json.ts'
import { type LogTarget, loggerOptions, registerRequestLog } from './http/logging.ts'
import { registerQueryString } from './http/query-string.ts'
import { registerStreamedBodies } from './http/streamed-bodies.ts'
import { resourceNamed } from './resources/attributes.ts'
import { parseOne } from './resources/read/parse-query.ts'
import { readOne, Totals } from './resources/read/read.ts'
import { useReportZone } from './domain/market/report-day.ts'
import { registerResources } from './resources/routes.ts'
import { Sockets } from './domain/delivery/sockets.ts'
import type { Settings } from './settings.ts'

export interface AppParts {
  settings: Settings
  database: Database
  /** Folder of the built panel; the one in this repository when absent. */
  panelDir?: string
  /** Where log lines go; standard output when absent. */
  log?: LogTarget
  isDraining?: () => boolean
  /** Work in the background; whoever passes it starts and stops it. */
  queue?: WorkQueue
  /** How far the demo content is that follows behind the start; undefined while none is being added. */
  demoProgress?: () => DemoProgress | undefined
  /** Aborted when the program is asked to stop: sockets would hold its connections open. */
  stopping?: AbortSignal
}

const noSchema = () => {
  throw new Error('Bodies are checked by the model, not by schemas of the framework')
}
/** The framework would load its validator and its serialiser, a hundred modules, for schemas that no route has. */
const noSchemas = { buildValidator: noSchema, buildSerializer: noSchema }

/** Time limits of checklist §11. */
const limits = { requestTimeout: 120_000, keepAliveTimeout: 65_000, headersTimeout: 15_000 }

/** Builds the application on a migrated database; it is ready to be injected into or to listen. */
export async function buildApp({
  settings,
  database,
  panelDir = builtPanel,
  log,
  isDraining = () => false,
  queue = new WorkQueue(database),
  demoProgress,
  stopping,
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
    schemaController: { compilersFactory: noSchemas },
    // The query is read by a hook (http/query-string.ts): a throw of a parser in the router would end the process.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: () => ({}) },
  })

  registerErrors(app)
  registerRequestLog(app)
  await registerHeaders(app, settings)
  registerQueryString(app)
  registerJson(app)
  registerStreamedBodies(app)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1_024, globalDecompression: false })

  const signingKeys = readSigningKeys(settings.jwtSecrets, settings.dataDir)
  const sessions = new Sessions(database, signingKeys)
  const seal = readTwoStepSeal(settings.twoStepKeys, settings.dataDir)
  const totals = new Totals()
  database.onChange((changes) => totals.forget(changes))
  app.addHook('onReady', () => totals.sizes.load(database))
  const endReports = database.onFailureAfterCommit((error) =>
    app.log.error({ err: error }, 'work after a commit failed'),
  )
  app.addHook('onClose', endReports)

  registerDenials(app, { database, signedIn: (request) => sessions.signedIn(request) })
  registerBoundedWrites(app, {
    database,
    signedIn: (request) => sessions.signedIn(request),
    budgets: settings.writes,
    disk: { folder: settings.dataDir, reserveBytes: settings.uploads.reserveBytes },
  })
  registerHealth(app, { database, lastMigration: lastMigration(), dataDir: settings.dataDir, isDraining })
  registerAuth(app, {
    database,
    sessions,
    signIn: new SignIn(database, sessions, settings, seal),
    registration: new Registration(database, sessions, settings),
    emailChange: new EmailChange(database, settings),
    passwordChange: new PasswordChange(database, sessions, settings),
    twoStep: new TwoStep(database, settings, seal),
    settings,
    presentUser: (id) => presentAccount(database, id),
  })
  const accounts = accountWriters(settings.passwordPolicy)
  registerPeople(app, {
    database,
    callerOf: (request) => sessions.callerOf(request),
    writers: accounts,
    settings,
  })
  useReportZone(settings.timeZone)
  useDeskHours(settings.workingHours, settings.timeZone)
  const feature = { database, totals, callerOf: (request: FastifyRequest) => sessions.callerOf(request) }
  const sockets = new Sockets({
    server: app.server,
    database,
    settings,
    log: app.log,
    callerWith: (token) => sessions.callerWith(token),
    callersOf: (ids) => sessions.callersOf(ids),
  })
  app.addHook('preClose', () => sockets.close())
  stopping?.addEventListener('abort', () => void sockets.close(), { once: true })
  registerAudit(app, feature)
  registerChat(app, { ...feature, sockets, tickSeconds: settings.chatTickSeconds })
  registerDesk(app, feature)
  registerLive(app, { sockets, database })
  tellOver(database, sockets, app.log)
  registerConsultations(app, feature)
  const sendExport = registerExports(app, feature)
  registerLearning(app, feature)
  registerPrices(app, feature)
  registerPriceOutlook(app, { ...feature, sendExport })
  registerSearch(app, feature)
  registerStatistics(app, feature)
  registerTrade(app, { ...feature, working: settings.workingHours, zone: settings.timeZone })
  notifyModerators(database, sockets, app.log)
  const writers = {
    users: accounts,
    staff: accounts,
    listviews: viewWriters,
    consultations: consultationWriters,
    tradinposts: postWriters,
  }
  registerHistory(app, { ...feature, writers })
  const storage = openStorage(settings)
  const uploads = openUploads(database, settings, (error, what) => app.log.error({ err: error }, what), storage)
  registerBulk(app, { ...feature, queue, writers })
  registerImports(app, { ...feature, queue, writers, dataDir: settings.dataDir })
  registerInbox(app, { ...feature, demoProgress })
  registerHome(app, { ...feature, prices: { readToday, readReview }, readTranslations, workOutReport })
  registerResources(app, {
    database,
    totals,
    callerOf: (request) => sessions.callerOf(request),
    signedIn: (request) => sessions.signedIn(request),
    writers,
    receiveFiles: receiveFilesWith(uploads),
  })
  const addresses = new SignedAddresses(signingKeys)
  registerUploads(app, { database, totals, uploads, addresses, callerOf: (request) => sessions.callerOf(request) })
  registerFiles(app, { database, storage, addresses })
  registerOpenApi(app, {
    buildDocument: async () => (await import('./api-document.ts')).apiDocument(),
    readers: settings.apiDocs,
    callerOf: (request) => sessions.callerOf(request),
  })
  await registerPanel(app, panelDir)
  return app
}

/** The flat account of a person who has just signed in (contract §2): everybody sees the whole of himself. */
function presentAccount(database: Database, id: number) {
  const self: Caller = { id, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
  return readOne(database, parseOne({}, resourceNamed('users'), self, {}, id))
}
