/** Registers the routes of the list of reports and of the figures of each (contract §12, statistics §6). */
import {
  fault,
  firstSavedReport,
  isReportKey,
  localeOf,
  maxInteger,
  type ReportParameters,
  type StoredReportQuery,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import { sql } from '../../db/sql.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { isCurrent } from '../../http/entity-tag.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import {
  enterFeature,
  type FeatureRoutes,
  findRecordBy,
  listWithCount,
  presentEntry,
} from '../../resources/feature-routes.ts'
import { definitionsOf } from './definitions.ts'
import type { SendTable } from '../../resources/further-rows.ts'
import { readMapTiles } from './map.ts'
import { listRecords, openFigure, recordsSheet } from './records.ts'
import { namesOfData, namesOfRecords, readMapTag, readReportTag } from './data-version.ts'
import { askReport, computeAsked } from './report.ts'
import { reportSources } from './sources.ts'
import { findSavedReport, toStoredQuery } from './saved/store.ts'

const statistics = resourceNamed('statistics')

const keyParameterOf = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''

async function keyOfRecord({ database }: FeatureRoutes, id: number): Promise<string> {
  const [record] = await database.query(sql<{ key: string }>`select key from statistics where id = ${id}`)
  return record?.key ?? ''
}

/**
 * Reads the record of a report, by key or by id, so that a report without permission is not computed. The id
 * of a saved report opens its report with the saved query.
 *
 * @throws 403 and 404.
 */
async function openReport(routes: FeatureRoutes, request: FastifyRequest) {
  const enteredCall = await enterFeature(routes, statistics, 'get', request)
  const { caller, view } = enteredCall
  const parameter = keyParameterOf(request)
  const requestedId =
    /^[1-9]\d{0,9}$/.test(parameter) && Number(parameter) <= maxInteger ? Number(parameter) : undefined
  const savedReport =
    requestedId !== undefined && requestedId >= firstSavedReport
      ? await findSavedReport(routes.database, caller, requestedId)
      : undefined
  const key = savedReport?.key ?? parameter
  const isId = requestedId !== undefined && !savedReport
  const id = isId ? requestedId : await findRecordBy(routes, statistics, enteredCall, 'key', key)
  const { data } = await presentEntry(routes.database, statistics, id, enteredCall, view)
  const name = isId ? await keyOfRecord(routes, id) : key
  if (!isReportKey(name)) throw fault('record.not-found')
  return { data, name, caller, query: savedReport?.query ?? {} }
}

/** Returns a saved query with the keys that a request names instead; days and named periods replace each other. */
function applyRequested<Q extends Partial<ReportParameters>>(savedQuery: StoredReportQuery, askedQuery: Q): Q {
  const { period, from, to, ...otherFields } = savedQuery
  const requestedQuery = toStoredQuery(askedQuery)
  const hasDays = askedQuery.period !== undefined || askedQuery.from !== undefined || askedQuery.to !== undefined
  return { ...askedQuery, ...(hasDays ? otherFields : { ...otherFields, period, from, to }), ...requestedQuery }
}

/** Sets the ETag of an answer, and returns whether the caller has the answer with it. */
function setTag(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('cache-control', 'private, no-cache').header('etag', tag)
  return isCurrent(request, tag)
}

/** Registers the routes of reports. Reports are part of the product, so no route writes them. */
export function registerStatistics(app: FastifyInstance, routes: FeatureRoutes, sendTable: SendTable): void {
  const refuse = () => Promise.reject(fault('route.not-found'))
  addRoutes(app, async () => (await import('@dala/model/api/statistics')).statisticsRoutes, {
    'GET /api/statistics': async ({ request }) =>
      listWithCount(routes, statistics, await enterFeature(routes, statistics, 'list', request)),
    // The record of a report is read first, by key or by id, so that a report without permission is not
    // computed.
    'GET /api/statistics/:id': async ({ request, reply, query }) => {
      const { data, name, caller, query: savedQuery } = await openReport(routes, request)
      const fullQuery = applyRequested(savedQuery, await query())
      const report = await askReport(routes.database, name, fullQuery, caller)
      const tag = await readReportTag(routes.database, name, report, caller, {
        names: namesOfData(name),
        query: [manifest.version, fullQuery, request.query],
      })
      if (setTag(request, reply, tag)) return reply.status(304).send()
      const { figures, meta } = await computeAsked(routes.database, name, report)
      return { data: { ...data, ...figures }, meta }
    },
    'GET /api/statistics/:id/records': async ({ request, reply, query }) => {
      const { name, caller, query: savedQuery } = await openReport(routes, request)
      const { locale: language = 'en', ...askedQuery } = await query()
      const fullQuery = applyRequested(savedQuery, { ...askedQuery, locale: localeOf(language) })
      if (fullQuery.format === 'xlsx')
        return sendTable(routes.database, request, reply, caller, {
          name: 'records',
          resource: statistics,
          language,
          rows: await recordsSheet(routes.database, name, fullQuery, caller, language),
        })
      const figure = await openFigure(routes.database, name, fullQuery, caller)
      const tag = await readReportTag(routes.database, name, figure.asked, caller, {
        names: await namesOfRecords(routes.database, name, caller),
        query: [manifest.version, 'records', fullQuery],
      })
      if (setTag(request, reply, tag)) return reply.status(304).send()
      return listRecords(routes.database, figure, fullQuery, caller)
    },
    'GET /api/statistics/:id/definitions': async ({ request }) => {
      const { name } = await openReport(routes, request)
      return { data: definitionsOf(name, reportSources[name]) }
    },
    'GET /api/statistics/map/regions': async ({ request, reply, query }) => {
      const { caller } = await enterFeature(routes, statistics, 'list', request)
      const mapQuery = await query()
      const tag = await readMapTag(routes.database, caller, mapQuery, manifest.version)
      if (setTag(request, reply, tag)) return reply.status(304).send()
      return { data: await readMapTiles(routes.database, mapQuery, caller) }
    },
    'POST /api/statistics': refuse,
    'PUT /api/statistics/:id': refuse,
    'DELETE /api/statistics/:id': refuse,
  })
}
