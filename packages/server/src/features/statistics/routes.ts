/** Registers the routes of the list of reports and of the figures of each (contract §12, statistics §6). */
import { fault, isReportKey, maxInteger } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import {
  enterFeature,
  type FeatureRoutes,
  findRecordBy,
  listWithCount,
  presentEntry,
} from '../../resources/feature-routes.ts'
import { listRecords } from './records.ts'
import { computeReport } from './report.ts'

const statistics = resourceNamed('statistics')

const keyParameterOf = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''

async function keyOfRecord({ database }: FeatureRoutes, id: number): Promise<string> {
  const [record] = await database.query(sql<{ key: string }>`select key from statistics where id = ${id}`)
  return record?.key ?? ''
}

/**
 * Reads the record of a report, by key or by id, so that a report without permission is not computed.
 *
 * @throws 403 and 404.
 */
async function openReport(routes: FeatureRoutes, request: FastifyRequest) {
  const entered = await enterFeature(routes, statistics, 'get', request)
  const key = keyParameterOf(request)
  const isId = /^[1-9]\d{0,9}$/.test(key) && Number(key) <= maxInteger
  const id = isId ? Number(key) : await findRecordBy(routes, statistics, entered, 'key', key)
  const { data } = await presentEntry(routes.database, statistics, id, entered, entered.view)
  const name = isId ? await keyOfRecord(routes, id) : key
  if (!isReportKey(name)) throw fault('record.not-found')
  return { data, name, caller: entered.caller }
}

/** Registers the routes of reports. Reports are part of the product, so no route writes them. */
export function registerStatistics(app: FastifyInstance, routes: FeatureRoutes): void {
  const refuse = () => Promise.reject(fault('route.not-found'))
  addRoutes(app, async () => (await import('@dala/model/api/statistics')).statisticsRoutes, {
    'GET /api/statistics': async ({ request }) =>
      listWithCount(routes, statistics, await enterFeature(routes, statistics, 'list', request)),
    // The record of a report is read first, by key or by id, so that a report without permission is not
    // computed.
    'GET /api/statistics/:id': async ({ request, reply, query }) => {
      const { data, name, caller } = await openReport(routes, request)
      const { figures, meta } = await computeReport(routes.database, name, await query(), caller)
      reply.header('cache-control', 'private, no-cache')
      return { data: { ...data, ...figures }, meta }
    },
    'GET /api/statistics/:id/records': async ({ request, reply, query }) => {
      const { name, caller } = await openReport(routes, request)
      const records = await listRecords(routes.database, name, await query(), caller)
      reply.header('cache-control', 'private, no-cache')
      return records
    },
    'POST /api/statistics': refuse,
    'PUT /api/statistics/:id': refuse,
    'DELETE /api/statistics/:id': refuse,
  })
}
