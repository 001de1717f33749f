/** Registers the routes of files: upload, read, change and delete (contract §10). */
import {
  type Caller,
  fault,
  type Field,
  isLink,
  isOpenPurpose,
  maxInteger,
  rankOfRole,
  type Resource,
  type UploadPurpose,
} from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { streamedBodyOf } from '../../http/streamed-bodies.ts'
import { resources, type View } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import type { Author } from '../../resources/history/history.ts'
import { isObject } from '../../resources/read/context.ts'
import { firstRows, parseList, type QueryTree, readPagination } from '../../resources/read/parse-query.ts'
import { flattenEntry, readList, type TotalsCache } from '../../resources/read/read.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { updateEntry } from '../../resources/write/write.ts'
import { fileResource } from './access.ts'
import { addressesOf, presentFile, readFileInfo, shownLinks } from './file-record.ts'
import { type EnterLibrary, registerLibrary } from './library-routes.ts'
import type { UploadSettings } from './limits.ts'
import { receiveForm, receiveImage, type ReceivedForm, type ReceiveOptions } from './receive.ts'
import type { PieceStore } from './resumable/piece-store.ts'
import { registerResumable } from './resumable/routes.ts'
import { addressSeconds, type SignedAddresses } from './signed-address.ts'
import type { FileStorage } from './storage/storage.ts'
import type { Uploads } from './uploads.ts'

export interface UploadRoutes {
  database: Database
  totals: TotalsCache
  uploads: Uploads
  storage: FileStorage
  pieces: PieceStore
  dataDir: string
  limits: UploadSettings
  addresses: SignedAddresses
  /** Returns the caller of a request for files, or throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
}

/**
 * Maximum number of files in a bare list without a page; real clients page it themselves, like accounts
 * (contract §3).
 */
const maxListedFiles = 1_000

const queryOf = (request: FastifyRequest): QueryTree => (isObject(request.query) ? request.query : {})

function readId(text: unknown): number {
  const id = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > maxInteger) throw fault('file.not-found')
  return id
}
const idOf = (request: FastifyRequest) => readId(isObject(request.params) ? request.params.id : undefined)

const isFilePart = (field: string) => field === 'files'

/**
 * Reads the body of an upload in any of its forms: multipart, one picture, or JSON that only describes a
 * file.
 */
async function readBody(request: FastifyRequest, receiveOptions: ReceiveOptions): Promise<ReceivedForm> {
  const body = streamedBodyOf(request)
  if (body === 'parts') return receiveForm(request, isFilePart, receiveOptions)
  if (body === 'image')
    return { fields: new Map(), files: [await receiveImage(request, queryOf(request).name, receiveOptions)] }
  const infoInput = isObject(request.body) ? request.body.fileInfo : undefined
  return { fields: new Map(infoInput === undefined ? [] : [['fileInfo', [JSON.stringify(infoInput)]]]), files: [] }
}

/** Record that the uploaded files are linked to. */
interface FileHolder {
  resource: Resource
  id: number
  field: string
  view: View
}

/**
 * Reads the record that the files are linked to: `ref`, `refId` and `field` together. `ref` is the name of a
 * resource, also as `api::news.news`.
 *
 * @returns The record; undefined without the three.
 * @throws 403 before anything is stored; 400 for a field that takes no pictures.
 */
function readHolder({ fields }: ReceivedForm, caller: Caller): FileHolder | undefined {
  const [ref, refId, field] = ['ref', 'refId', 'field'].map((name) => fields.get(name)?.[0])
  if (!ref && !refId && !field) return undefined
  const name = /^(?:api|plugin)::[\w-]+\.([\w-]+)$/.exec(ref ?? '')?.[1] ?? ref
  const resource = Object.values(resources).find(
    (candidateResource) => candidateResource.wire === name || candidateResource.name === name,
  )
  const declaredField: Field | undefined = resource?.fields[field ?? '']
  const takesFiles =
    declaredField && isLink(declaredField) && declaredField.target === 'uploads' && !declaredField.readOnly
  if (!resource || !takesFiles || field === undefined)
    throw fault('upload.target', { params: { ref: ref ?? '', field: field ?? '' } })
  return { resource, field, id: readId(refId), view: authoriseCaller(resource, 'update', caller) }
}

/** Videos and subtitles of lessons are uploaded by staff (contract §14); documents also go into chats. */
function assertPurpose({ role }: Caller, purpose: UploadPurpose): void {
  if (!isOpenPurpose(purpose) && rankOfRole(role) < rankOfRole('admin')) throw fault('access.denied')
}

const pathsOf = ({ url, formats }: FlatEntry) => ({ url, formats })

/** Registers the routes of files below `/api`. */
export function registerUploads(
  app: FastifyInstance,
  { database, totals, uploads, storage, pieces, dataDir, limits, addresses, callerOf }: UploadRoutes,
): void {
  const files = fileResource()

  const enterLibrary: EnterLibrary = async (request, operation) => {
    const caller = await callerOf(request)
    const view = authoriseCaller(files, operation, caller)
    const author: Author = { caller, address: request.ip, requestId: request.id }
    return { caller, view, author, query: queryOf(request) }
  }

  /**
   * Checks the caller's right to change a file.
   *
   * @throws 404 for a file that the caller may not read, 403 for one that they may read but not change.
   */
  const assertFileReach = async (caller: Caller, view: View, id: number) => {
    const record = await uploads.read(caller, authoriseCaller(files, 'get', caller), id)
    if (view.rows) {
      await uploads.read(caller, view, id).catch(() => {
        throw fault('access.denied')
      })
    }
    return record
  }
  const presentUpload = async (caller: Caller, id: number) => presentFile(await uploads.read(caller, {}, id))

  const add = async (request: FastifyRequest) => {
    const { caller, author } = await enterLibrary(request, 'create')
    return uploads.receive(caller.id, async (receiveOptions) => {
      const form = await readBody(request, receiveOptions)
      const infos = readFileInfo(form.fields.get('fileInfo') ?? [])
      const holder = readHolder(form, caller)
      if (form.files.length === 0) throw fault('upload.empty')
      const ids = await uploads.store(author, await uploads.decode(form.files, receiveOptions), infos)
      if (holder) {
        const { resource, id, field, view } = holder
        try {
          await updateEntry({ database, author, view }, resource, id, { [field]: { connect: ids } })
        } catch (error) {
          await uploads.discard(author, ids)
          throw error
        }
      }
      return Promise.all(ids.map((id) => presentUpload(caller, id)))
    })
  }

  const change = async (request: FastifyRequest, id: number) => {
    const { caller, view, author } = await enterLibrary(request, 'update')
    await assertFileReach(caller, view, id)
    return uploads.receive(caller.id, async (receiveOptions) => {
      const form = await readBody(request, receiveOptions)
      if (form.files.length > 1) throw fault('upload.too-many-files', { params: { count: 1 } })
      const [fileDraft = {}] = readFileInfo(form.fields.get('fileInfo') ?? [])
      const [file] = await uploads.decode(form.files, receiveOptions)
      await uploads.update(author, view, id, fileDraft, file)
      return presentUpload(caller, id)
    })
  }

  const removeFiles = async (request: FastifyRequest) => {
    const { caller, view, author, query } = await enterLibrary(request, 'remove')
    const id = idOf(request)
    const record = await assertFileReach(caller, view, id)
    if (query.if_unused === 'true' || query.if_unused === '1') {
      const [usedFile] = (await uploads.removeUnused(author, view, [id])).refused
      if (usedFile) throw fault('file.in-use', { params: { count: usedFile.total }, details: { uses: usedFile.uses } })
    } else await uploads.remove(author, view, id)
    return presentFile(record)
  }

  addRoutes(
    app,
    async () => (await import('@dala/model/api/uploads')).uploadRoutes,
    {
      'POST /api/upload': async ({ request }) => {
        const { id } = queryOf(request)
        return id === undefined ? add(request) : change(request, readId(id))
      },
      'GET /api/upload/files': async ({ request }) => {
        const { caller, view, query } = await enterLibrary(request, 'list')
        const { filters, sort, start, limit, _q } = query
        const isPaged = start !== undefined || limit !== undefined
        const pagination = isPaged ? readPagination({ start, limit }) : firstRows(maxListedFiles)
        const listQuery = parseList({ filters, sort, _q, populate: shownLinks(caller) }, files, caller, view, {
          ...pagination,
          withCount: false,
        })
        const { entries } = await readList(database, totals, listQuery)
        return entries.map((entry) => presentFile(flattenEntry(entry)))
      },
      'GET /api/upload/files/:id': async ({ request }) => {
        const { caller, view } = await enterLibrary(request, 'get')
        return presentFile(await uploads.read(caller, view, idOf(request)))
      },
      'GET /api/upload/files/:id/address': async ({ request }) => {
        const { caller, view } = await enterLibrary(request, 'get')
        const record = await uploads.read(caller, view, idOf(request))
        if (record.private !== true) return { data: { ...addressesOf(pathsOf(record), ''), expiresAt: null } }
        const expiryTime = Math.floor(Date.now() / 1_000) + addressSeconds
        const query = addresses.queryOf(String(record.hash), expiryTime)
        return {
          data: { ...addressesOf(pathsOf(record), query), expiresAt: new Date(expiryTime * 1_000).toISOString() },
        }
      },
      'DELETE /api/upload/files/:id': ({ request }) => removeFiles(request),
      'DELETE /api/media/:id': ({ request }) => removeFiles(request),
    },
    { 'POST /api/upload': { config: { bodies: ['parts', 'image'] } } },
  )

  registerResumable(app, { database, dataDir, storage, uploads, pieces, limits, enterLibrary, assertPurpose })
  registerLibrary(app, { database, totals, uploads, files, limits, enterLibrary, idOf })
}
