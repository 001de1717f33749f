/** History, what points at a record, groups of a list, the trash and the desk of translations: for every resource alike. */
import type { Resource } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { resources } from '../../resources/attributes.ts'
import { authorise } from '../../resources/authorise.ts'
import { enterFeature, type FeatureRoutes, readEntry } from '../../resources/feature-routes.ts'
import { answerOnce } from '../../resources/write/idempotency.ts'
import { isObject } from '../../resources/read/parse-filters.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { keptFields } from '../../resources/history/revision-changes.ts'
import { idOf } from '../../resources/routes.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import { readGroups } from './groups.ts'
import { readHistory } from './record-history.ts'
import { canRevert } from './reverting.ts'
import { readRevert, revertEntry } from './revert.ts'
import { enterRecord, keeperView, namingLanguage } from './sight.ts'
import { readTranslations } from './translations.ts'
import { readTrash } from './trash.ts'
import { readUses } from './uses.ts'

export interface HistoryRoutes extends FeatureRoutes {
  /** Writes of resources that a feature stands before, by resource. */
  writers: Readonly<Partial<Record<string, EntryWriters>>>
}

/** Registers the routes of all resources, and those over all of them. */
export function registerHistory(app: FastifyInstance, routes: HistoryRoutes): void {
  const { database, callerOf } = routes
  for (const resource of Object.values(resources)) registerRecords(app, resource, routes)

  app.get('/api/trash', async (request) => {
    const caller = await callerOf(request)
    const query = isObject(request.query) ? request.query : {}
    const pagination = readPagination(query.pagination)
    return readTrash(database, { caller, resource: query.resource, locale: namingLanguage(query, caller), pagination })
  })

  app.get('/api/translations', async (request) => ({
    data: await readTranslations(database, await callerOf(request)),
  }))
}

function registerRecords(app: FastifyInstance, resource: Resource, routes: HistoryRoutes): void {
  const { database } = routes
  const base = `/api/${resource.wire}`

  if (!resource.single) {
    app.get(`${base}/groups`, async (request) => {
      const { caller, view, query } = await enterFeature(routes, resource, 'list', request)
      return readGroups(database, { resource, caller, view, query })
    })
  }

  // Lines have no past, and nothing points at them.
  if (resource.appended) return
  // A room has a history of its own: much of what happens to it is no change of its fields.
  if (!app.hasRoute({ method: 'GET', url: `${base}/:id/history` })) {
    app.get(`${base}/:id/history`, async (request) => {
      const { caller, view, query } = await enterRecord(routes, resource, request)
      const [id, locale] = [idOf(request), namingLanguage(query, caller)]
      const pagination = readPagination(query.pagination)
      return readHistory(database, { resource, id, caller, view, field: query.field, locale, pagination })
    })
  }

  app.get(`${base}/:id/uses`, async (request) => {
    // It counts what is out of his sight too, for the delete that would meet it; who cannot delete has no use for that.
    const { caller, view, query } = await enterRecord(routes, resource, request, 'remove')
    const [id, locale] = [idOf(request), namingLanguage(query, caller)]
    return { data: await readUses(database, { resource, id, caller, view, locale }) }
  })

  if (!canRevert(resource)) return
  if (app.hasRoute({ method: 'PUT', url: `${base}/:id` }))
    throw new Error(`${resource.name} is written by calls of its own: it cannot be put back by the generic ones`)
  app.post(`${base}/:id/revert`, async (request, reply) => {
    const entered = await enterFeature(routes, resource, 'update', request)
    const { caller, author, view } = entered
    const sight = keeperView(resource, caller, authorise(resource, 'get', caller))
    const [id, ask] = [idOf(request), readRevert(request, keptFields(resource, caller, sight))]
    return answerOnce({ database, caller, request, reply }, async (trx) => {
      const context = { database, author, view, trx }
      const writers = routes.writers[resource.name] ?? entryWriters
      const dropped = await revertEntry(context, writers, resource, id, { sight, ask })
      const data = await readEntry(trx, resource, id, entered)
      return resource.unwrapped ? data : { data, meta: { dropped } }
    })
  })
}
