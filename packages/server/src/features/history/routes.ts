/**
 * Registers routes of every resource: history, uses of a record, groups of a list, the trash and the
 * translations workspace.
 */
import { type Resource } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addResourceRoutes, addRoutes } from '../../http/contract-routes.ts'
import { resources } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { enterFeature, type FeatureRoutes, readEntry } from '../../resources/feature-routes.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { isObject } from '../../resources/read/context.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { isWrapped } from '../../resources/read/read.ts'
import { historyFields } from '../../resources/history/revision-changes.ts'
import { idOf } from '../../resources/routes.ts'
import { type EntryWriters, entryWriters } from '../../resources/write/writers.ts'
import { readGroups } from './groups.ts'
import { readHistory } from './record-history.ts'
import { canRevert } from './reverting.ts'
import { checkFields, revertEntry } from './revert.ts'
import { enterRecord, writableView } from './history-access.ts'
import { readTranslations } from './translations.ts'
import { readTrash } from './trash.ts'
import { readUses } from './uses.ts'

export interface HistoryRoutes extends FeatureRoutes {
  /** Writes of resources that a feature handles itself, by resource. */
  writers: Readonly<Partial<Record<string, EntryWriters>>>
}

/** Registers the routes of all resources, and those over all of them. */
export function registerHistory(app: FastifyInstance, routes: HistoryRoutes): void {
  const { database, callerOf } = routes
  for (const resource of Object.values(resources)) registerRecords(app, resource, routes)

  addRoutes(app, async () => (await import('@dala/model/api/history')).historyRoutes, {
    'GET /api/trash': async ({ request, query }) => {
      const caller = await callerOf(request)
      const pagination = paginationOf(request)
      const { resource, locale = caller.language } = await query()
      return readTrash(database, { caller, resource, locale, pagination })
    },
    'GET /api/translations': async ({ request }) => ({
      data: await readTranslations(database, await callerOf(request)),
    }),
  })
}

const paginationOf = ({ query }: FastifyRequest) => readPagination(isObject(query) ? query.pagination : undefined)

function registerRecords(app: FastifyInstance, resource: Resource, routes: HistoryRoutes): void {
  const { database } = routes
  const isWritten = app.hasRoute({ method: 'PUT', url: `/api/${resource.wire}/:id` })
  // A chat room has a history of its own: most of its events are not changes of its fields.
  const hasHistory = app.hasRoute({ method: 'GET', url: `/api/${resource.wire}/:id/history` })
  // Append-only records have no history, and no record links to them.
  const isKept = !resource.appendOnly
  const isReverted = isKept && canRevert(resource)
  if (isReverted && isWritten)
    throw new Error(`${resource.name} is written by calls of its own: it cannot be put back by the generic ones`)

  addResourceRoutes(app, resource, async () => (await import('@dala/model/api/history')).recordRoutes, {
    'GET /api/:wire/groups': resource.single
      ? undefined
      : async ({ request, query: keys }) => {
          const { caller, view, query } = await enterFeature(routes, resource, 'list', request)
          return readGroups(database, { resource, caller, view, query, by: (await keys()).by })
        },
    'GET /api/:wire/:id/history':
      isKept && !hasHistory
        ? async ({ request, query }) => {
            const { caller, view } = await enterRecord(routes, resource, request)
            const id = idOf(request)
            const { field, locale = caller.language } = await query()
            const pagination = paginationOf(request)
            return readHistory(database, { resource, id, caller, view, field, locale, pagination })
          }
        : undefined,
    'GET /api/:wire/:id/uses': isKept
      ? async ({ request, query }) => {
          // Hidden records count as uses as well, as they affect a delete; only callers who may delete need
          // the counts.
          const { caller, view } = await enterRecord(routes, resource, request, 'remove')
          const id = idOf(request)
          const { locale = caller.language } = await query()
          return { data: await readUses(database, { resource, id, caller, view, locale }) }
        }
      : undefined,
    'POST /api/:wire/:id/revert': isReverted
      ? async ({ request, reply, body }) => {
          const enteredCall = await enterFeature(routes, resource, 'update', request)
          const { caller, author, view } = enteredCall
          const readView = writableView(resource, caller, authoriseCaller(resource, 'get', caller))
          const id = idOf(request)
          const { data: ask } = await body()
          checkFields(ask, historyFields(resource, caller, readView))
          return answerIdempotently({ database, caller, request, reply }, async (trx) => {
            const context = { database, author, view, trx }
            const writers = routes.writers[resource.name] ?? entryWriters
            const droppedLinks = await revertEntry(context, writers, resource, id, { readView, ask })
            const entry = await readEntry(trx, resource, id, enteredCall)
            return isWrapped(entry) ? { data: entry, meta: { dropped: droppedLinks } } : entry
          })
        }
      : undefined,
  })
}
