/** Registers the routes of saved reports (statistics §6). */
import {
  type Caller,
  fault,
  isReportKey,
  rankOfRole,
  type ReportKey,
  type ReportSharedRole,
  type SavedReport,
  type StoredReportQuery,
} from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../../db/sql.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import { runScopedQuery } from '../../../resources/read/scoped.ts'
import { idOf } from '../../../resources/routes.ts'
import { isStale } from '../../../resources/write/write.ts'
import { askReport } from '../report.ts'
import {
  deleteSavedReport,
  findOwnReport,
  findSavedReport,
  insertSavedReport,
  listSavedReports,
  lockOwnReport,
  toStoredQuery,
  updateSavedReport,
} from './store.ts'

const statistics = resourceNamed('statistics')

/** Returns the keys of the reports that a caller may open. */
async function readableKeys(
  { database }: FeatureRoutes,
  { caller, view }: Pick<EnteredCall, 'caller' | 'view'>,
): Promise<ReportKey[]> {
  const rows = await runScopedQuery(
    database,
    { resource: statistics, caller, view },
    ({ from, where, document }) =>
      sql<{ key: string }>`select ${sql.ref(`${document}.key`)} as key from ${from} where ${where}`,
  )
  return rows.map(({ key }) => key).filter(isReportKey)
}

/** Throws 403 for a role above the caller's own. */
function assertRank({ role }: Caller, sharedWith: ReportSharedRole | null): void {
  if (sharedWith !== null && rankOfRole(sharedWith) > rankOfRole(role)) throw fault('report.rank')
}

/** Registers the routes of saved reports. */
export function registerSavedReports(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes

  /**
   * Checks that the caller may open a report, and that it accepts a query.
   *
   * @throws 404 and 422.
   */
  const assertUsableReport = async (enteredCall: EnteredCall, key: ReportKey, query: StoredReportQuery) => {
    if (!(await readableKeys(routes, enteredCall)).includes(key)) throw fault('record.not-found')
    await askReport(database, key, { ...query, filters: query.filters ?? {} }, enteredCall.caller)
  }

  addRoutes(app, async () => (await import('@dala/model/api/saved-reports')).savedReportRoutes, {
    'GET /api/statistics/saved': async ({ request, reply }) => {
      const enteredCall = await enterFeature(routes, statistics, 'list', request)
      reply.header('cache-control', 'private, no-cache')
      return {
        data: await listSavedReports(database, enteredCall.caller, await readableKeys(routes, enteredCall)),
        meta: {},
      }
    },
    'POST /api/statistics/saved': async ({ request, body }) => {
      const enteredCall = await enterFeature(routes, statistics, 'get', request)
      const { caller } = enteredCall
      const { title, key, query: requestQuery, shared_with: sharedWith = null, order = null } = (await body()).data
      const query = toStoredQuery(requestQuery ?? {})
      assertRank(caller, sharedWith)
      await assertUsableReport(enteredCall, key, query)
      return database.transaction(async (trx) => {
        const id = await insertSavedReport(trx, caller, { title, key, query, shared_with: sharedWith, order })
        return { data: await findSavedReport(trx, caller, id), meta: {} }
      })
    },
    'PUT /api/statistics/saved/:id': async ({ request, body }) => {
      const enteredCall = await enterFeature(routes, statistics, 'get', request)
      const { caller } = enteredCall
      const id = idOf(request)
      const { version, title, key, query: requestQuery, shared_with: sharedWith, order } = (await body()).data
      const ownReport = await findOwnReport(database, caller, id)
      const assertCurrentVersion = (currentReport: SavedReport, readVersion: unknown) => {
        if (isStale(readVersion, currentReport.version))
          throw fault('record.stale', { details: { current: currentReport } })
      }
      assertCurrentVersion(ownReport, version)
      const values = {
        title: title ?? ownReport.title,
        key: key ?? ownReport.key,
        query: requestQuery ? toStoredQuery(requestQuery) : ownReport.query,
        shared_with: sharedWith === undefined ? ownReport.shared_with : sharedWith,
        order: order ?? ownReport.order,
      }
      assertRank(caller, values.shared_with)
      await assertUsableReport(enteredCall, values.key, values.query)
      return database.transaction(async (trx) => {
        assertCurrentVersion(await lockOwnReport(trx, caller, id), ownReport.version)
        await updateSavedReport(trx, id, values)
        return { data: await findSavedReport(trx, caller, id), meta: {} }
      })
    },
    'DELETE /api/statistics/saved/:id': async ({ request }) => {
      const { caller } = await enterFeature(routes, statistics, 'get', request)
      const id = idOf(request)
      return database.transaction(async (trx) => {
        const lockedReport = await lockOwnReport(trx, caller, id)
        await deleteSavedReport(trx, id)
        return { data: lockedReport, meta: {} }
      })
    },
  })
}
