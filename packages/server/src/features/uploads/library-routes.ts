/**
 * Registers the routes of the library: search, folders, uses, moving and removing files (contract §10).
 */
import { type Caller, fault, type OperationName, type Resource } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import type { View } from '../../resources/attributes.ts'
import type { Author } from '../../resources/history/history.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'
import type { TotalsCache } from '../../resources/read/read.ts'
import { toFolder } from './file-record.ts'
import { readFolders, readLibrary } from './library.ts'
import type { UploadSettings } from './limits.ts'
import { readUsage } from './quota.ts'
import type { Uploads } from './uploads.ts'
import { usesOf } from './uses.ts'

/** Returns the caller of the file library and their rights; throws 401 and 403. */
export type EnterLibrary = (
  request: FastifyRequest,
  operation: OperationName,
) => Promise<{ caller: Caller; view: View; author: Author; query: QueryTree }>

interface LibraryRoutes {
  database: Database
  totals: TotalsCache
  uploads: Uploads
  files: Resource
  limits: UploadSettings
  enterLibrary: EnterLibrary
  idOf: (request: FastifyRequest) => number
}

/** Registers the routes below `/api/upload`. */
export function registerLibrary(
  app: FastifyInstance,
  { database, totals, uploads, files, limits, enterLibrary, idOf }: LibraryRoutes,
): void {
  addRoutes(app, async () => (await import('@dala/model/api/library')).libraryRoutes, {
    'GET /api/upload/library': async ({ request, query: keys }) => {
      const { caller, view, query } = await enterLibrary(request, 'list')
      return readLibrary(database, totals, { files, caller, view }, { ...query, libraryKeys: await keys() })
    },
    'GET /api/upload/folders': async ({ request }) => {
      const { caller, view } = await enterLibrary(request, 'list')
      return { data: await readFolders(database, { files, caller, view }) }
    },
    'GET /api/upload/usage': async ({ request }) => {
      const { caller } = await enterLibrary(request, 'list')
      return { data: await readUsage(database, caller.id, limits) }
    },
    'GET /api/upload/files/:id/uses': async ({ request }) => {
      const { caller, view } = await enterLibrary(request, 'get')
      const id = idOf(request)
      const foundUses = (await usesOf(database, { caller, view }, [id])).get(id)
      if (!foundUses) throw fault('file.not-found')
      return { data: foundUses.uses, meta: { total: foundUses.total } }
    },
    'POST /api/upload/move': async ({ request, body }) => {
      const { view, author } = await enterLibrary(request, 'update')
      const { data } = await body()
      const ids = [...new Set(data.ids)]
      await uploads.move(author, view, ids, toFolder(data.folder ?? ''))
      return { data: { moved: ids } }
    },
    'POST /api/upload/remove': async ({ request, body }) => {
      const { view, author } = await enterLibrary(request, 'remove')
      const ids = [...new Set((await body()).data.ids)]
      const { removed, refused } = await uploads.removeUnused(author, view, ids)
      return { data: { removed, refused: refused.map(({ id, name, uses }) => ({ id, name, uses })) } }
    },
  })
}
