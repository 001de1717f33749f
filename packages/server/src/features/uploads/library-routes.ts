/** The library's routes: searching files, their folders, what uses them, moving and removing several (contract §10, ours). */
import { type Caller, fault, maxInteger, type OperationName, type Resource } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { ActionBody } from '../../resources/action-body.ts'
import type { View } from '../../resources/attributes.ts'
import type { Author } from '../../resources/history/history.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'
import type { Totals } from '../../resources/read/read.ts'
import { toFolder } from './file-record.ts'
import { readFolders, readLibrary } from './library.ts'
import { maxTogether } from './limits.ts'
import type { Uploads } from './uploads.ts'
import { usesOf } from './uses.ts'

/** Who asks and what he may; throws 401 and 403. */
export type Enter = (
  request: FastifyRequest,
  operation: OperationName,
) => Promise<{ caller: Caller; view: View; author: Author; query: QueryTree }>

interface LibraryRoutes {
  database: Database
  totals: Totals
  uploads: Uploads
  files: Resource
  enter: Enter
  idOf: (request: FastifyRequest) => number
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** The files that a body names, each once; notes what is wrong with the list. */
function readIds(body: ActionBody): number[] {
  const ids: unknown = body.raw('ids')
  if (ids === undefined || ids === null) body.wrong('ids', 'validation.required')
  else if (!Array.isArray(ids) || !ids.every(isId)) body.wrong('ids', 'validation.relation')
  else if (ids.length === 0) body.wrong('ids', 'validation.required')
  else if (ids.length > maxTogether) body.wrong('ids', 'validation.maxItems', { max: maxTogether })
  else return [...new Set(ids)]
  return []
}

/** Registers them below `/api/upload`. */
export function registerLibrary(
  app: FastifyInstance,
  { database, totals, uploads, files, enter, idOf }: LibraryRoutes,
): void {
  app.get('/api/upload/library', async (request) => {
    const { caller, view, query } = await enter(request, 'list')
    return readLibrary(database, totals, { files, caller, view }, query)
  })

  app.get('/api/upload/folders', async (request) => {
    const { caller, view } = await enter(request, 'list')
    return { data: await readFolders(database, { files, caller, view }) }
  })

  app.get('/api/upload/files/:id/uses', async (request) => {
    const { caller, view } = await enter(request, 'get')
    const id = idOf(request)
    const found = (await usesOf(database, { caller, view }, [id])).get(id)
    if (!found) throw fault('file.not-found')
    return { data: found.uses, meta: { total: found.total } }
  })

  app.post('/api/upload/move', async (request) => {
    const { view, author } = await enter(request, 'update')
    const body = new ActionBody(request)
    const ids = readIds(body)
    if (!body.has('folder')) body.wrong('folder', 'validation.required')
    const folder = toFolder(body.text('folder', 255) ?? '')
    body.check()
    await uploads.move(author, view, ids, folder)
    return { data: { moved: ids } }
  })

  app.post('/api/upload/remove', async (request) => {
    const { view, author } = await enter(request, 'remove')
    const body = new ActionBody(request)
    const ids = readIds(body)
    body.check()
    const { removed, refused } = await uploads.removeUnused(author, view, ids)
    return { data: { removed, refused: refused.map(({ id, name, uses }) => ({ id, name, uses })) } }
  })
}
