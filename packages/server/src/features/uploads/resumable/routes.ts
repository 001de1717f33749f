/** Registers the routes of resumable uploads, which follow the protocol tus 1.0 (contract §10). */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Caller,
  extensionsOf,
  fault,
  isLocale,
  isVideoPurpose,
  maxInteger,
  type UploadPurpose,
  uploadPurposes,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoutes } from '../../../http/contract-routes.ts'
import { streamedBodyOf } from '../../../http/streamed-bodies.ts'
import type { View } from '../../../resources/attributes.ts'
import { isObject } from '../../../resources/read/context.ts'
import { emitSignal } from '../../../signals.ts'
import { presentFile } from '../file-record.ts'
import { toLabel } from '../label.ts'
import type { EnterLibrary } from '../library-routes.ts'
import { sizeText, type UploadSettings } from '../limits.ts'
import { assertDiskSpace } from '../quota.ts'
import { incomingName } from '../uploads.ts'
import { type FinishParts, kindOf, UploadFinish } from './finish.ts'
import {
  beginUpload,
  findPlace,
  forgetUpload,
  type LessonPlace,
  type PendingUpload,
  readUpload,
} from './pending-uploads.ts'
import { Tus, tusVersion } from './tus.ts'
import { UploadLocks } from './upload-locks.ts'

export interface ResumableParts extends FinishParts {
  limits: UploadSettings
  /** Checks that the caller may upload files. */
  enterLibrary: EnterLibrary
  /** Throws 403 for callers who may not upload for a purpose. */
  assertPurpose: (caller: Caller, purpose: UploadPurpose) => void
}

const idOf = ({ params }: FastifyRequest) => (isObject(params) ? String(params.id) : '')
const headerOf = ({ headers }: FastifyRequest, name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Parses the header `Upload-Metadata`: keys with values in Base64, with commas between. */
function readMetadata(request: FastifyRequest): ReadonlyMap<string, string> {
  const pairs = (headerOf(request, 'upload-metadata') ?? '').split(',').map((pair) => pair.trim().split(' '))
  const isRight = ([key = '', value = '', ...extraParts]: readonly string[]) =>
    /^[!-+\--~]+$/.test(key) && /^[\w+/]*={0,2}$/.test(value) && extraParts.length === 0
  if (!pairs.every(isRight)) throw fault('upload.metadata')
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString()]))
}

const maxBytesOf = (purpose: UploadPurpose, limits: UploadSettings) =>
  isVideoPurpose(purpose) ? limits.videoBytes : purpose === 'subtitles' ? limits.subtitlesBytes : limits.documentBytes

/** Finds the lesson that metadata name; undefined without one. Throws 404 and 422. */
async function readPlace(
  database: ResumableParts['database'],
  metadata: ReadonlyMap<string, string>,
): Promise<LessonPlace | undefined> {
  const [lesson, locale] = [metadata.get('lesson'), metadata.get('locale')]
  if (lesson === undefined) return undefined
  if (!/^\d{1,10}$/.test(lesson) || Number(lesson) > maxInteger) throw fault('upload.metadata')
  if (locale !== undefined && !isLocale(locale)) throw fault('upload.metadata')
  const targetLesson = await findPlace(database, Number(lesson))
  return { ...targetLesson, ...(locale !== undefined && { locale }) }
}

/** Parses the headers that begin a resumable upload. Throws 412, 413 and 422. */
function readBeginning(
  request: FastifyRequest,
  metadata: ReadonlyMap<string, string>,
  limits: UploadSettings,
): Pick<PendingUpload, 'purpose' | 'name' | 'bytes'> {
  const [filename, statedPurpose] = [metadata.get('filename'), metadata.get('purpose')]
  if (filename === undefined || statedPurpose === undefined) throw fault('upload.metadata')
  const purpose = uploadPurposes.find((uploadPurpose) => uploadPurpose === statedPurpose)
  if (!purpose) throw fault('upload.purpose', { params: { values: uploadPurposes.join(', ') } })
  const name = toLabel(filename)
  if (!kindOf(name, extensionsOf[purpose]))
    throw fault('upload.name', {
      params: { values: extensionsOf[purpose].map((extension) => `.${extension}`).join(', ') },
    })
  const length = headerOf(request, 'upload-length') ?? ''
  if (!/^\d{1,15}$/.test(length) || Number(length) < 1) throw fault('upload.length')
  const maxBytesAllowed = maxBytesOf(purpose, limits)
  if (Number(length) > maxBytesAllowed)
    throw fault('upload.file-too-large', { params: { size: sizeText(maxBytesAllowed) } })
  return { purpose, name, bytes: Number(length) }
}

function assertProtocol(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('tus-resumable', tusVersion)
  if (headerOf(request, 'tus-resumable') === tusVersion) return
  reply.header('tus-version', tusVersion)
  throw fault('upload.protocol', { params: { version: tusVersion } })
}

const answeredHeaders = ['location', 'upload-expires', 'upload-length', 'upload-metadata', 'upload-offset']

/** Registers the routes of resumable uploads below `/api`. */
export function registerResumable(
  app: FastifyInstance,
  { limits, enterLibrary, assertPurpose, ...parts }: ResumableParts,
): void {
  const { database, dataDir, pieces, uploads } = parts
  const uploadLocks = new UploadLocks(database)
  const tus = new Tus(pieces, uploadLocks)
  const uploadFinish = new UploadFinish(parts)

  const beginRequest = (request: FastifyRequest, reply: FastifyReply) => {
    assertProtocol(request, reply)
    return enterLibrary(request, 'create')
  }
  const passHeaders = (headers: Headers, reply: FastifyReply) => {
    for (const name of answeredHeaders) {
      const value = headers.get(name)
      if (value !== null) reply.header(name, value)
    }
  }
  /** Answers an upload with the record of a stored file, as `POST /api/upload` does. */
  const presentHeaders = async (caller: Caller, view: View, file: number) => [
    presentFile(await uploads.read(caller, view, file)),
  ]

  addRoutes(
    app,
    async () => (await import('@dala/model/api/resumable')).resumableRoutes,
    {
      'POST /api/upload/resumable': async ({ request, reply }) => {
        const { caller } = await beginRequest(request, reply)
        const metadata = readMetadata(request)
        const beginning = readBeginning(request, metadata, limits)
        assertPurpose(caller, beginning.purpose)
        const targetLesson = await readPlace(database, metadata)
        await mkdir(join(dataDir, incomingName), { recursive: true, mode: 0o700 })
        const pendingUpload = await uploads.reserve(caller.id, beginning.bytes, isVideoPurpose(beginning.purpose), () =>
          beginUpload(database, caller.id, beginning, targetLesson),
        )
        try {
          passHeaders(await tus.handle(request, pendingUpload.id), reply)
        } catch (error) {
          await forgetUpload(database, pendingUpload.id)
          throw error
        }
        return reply.status(201).send()
      },
      'HEAD /api/upload/resumable/:id': async ({ request, reply }) => {
        const { caller } = await beginRequest(request, reply)
        const pendingUpload = await readUpload(database, caller.id, idOf(request))
        if (pendingUpload.file === null) passHeaders(await tus.handle(request, pendingUpload.id), reply)
        else
          reply.headers({
            'upload-offset': pendingUpload.bytes,
            'upload-length': pendingUpload.bytes,
            'upload-file': pendingUpload.file,
          })
        return reply.status(200).send()
      },
      'PATCH /api/upload/resumable/:id': async ({ request, reply }) => {
        const { caller, author } = await beginRequest(request, reply)
        if (streamedBodyOf(request) !== 'piece') throw fault('request.media-type')
        if (!/^\d{1,15}$/.test(headerOf(request, 'upload-offset') ?? '')) throw fault('upload.length')
        const pendingUpload = await readUpload(database, caller.id, idOf(request))
        if (pendingUpload.file === null) {
          await assertDiskSpace(dataDir, limits)
          const headers = await tus.handle(request, pendingUpload.id)
          const bytes = Number(headers.get('upload-offset')) - Number(headerOf(request, 'upload-offset'))
          emitSignal('upload', { way: 'resumable', bytes: Math.max(0, bytes) })
          passHeaders(headers, reply)
          if (Number(headers.get('upload-offset')) < pendingUpload.bytes) return reply.status(204).send()
        } else if (Number(headerOf(request, 'upload-offset')) !== pendingUpload.bytes)
          throw fault('upload.offset', {
            params: { offset: pendingUpload.bytes },
            details: { offset: pendingUpload.bytes },
          })
        const kind = kindOf(pendingUpload.name, extensionsOf[pendingUpload.purpose])
        if (!kind) throw fault('file.not-found')
        const file = await uploadLocks.exclusive(pendingUpload.id, async () => {
          // Another request may have finished or cancelled the upload meanwhile.
          const presentUpload = await readUpload(database, caller.id, pendingUpload.id)
          return presentUpload.file ?? (await uploadFinish.finish(author, presentUpload, kind))
        })
        reply.headers({ 'upload-offset': pendingUpload.bytes, 'upload-file': file })
        return presentHeaders(caller, {}, file)
      },
      'DELETE /api/upload/resumable/:id': async ({ request, reply }) => {
        const { caller } = await beginRequest(request, reply)
        const pendingUpload = await readUpload(database, caller.id, idOf(request))
        // The stored file of an upload stays: it is removed by its own route.
        if (pendingUpload.file === null)
          await uploadLocks.exclusive(pendingUpload.id, () => uploadFinish.cancel(pendingUpload.id))
        else await forgetUpload(database, pendingUpload.id)
        return reply.status(204).send()
      },
    },
    { 'PATCH /api/upload/resumable/:id': { config: { bodies: ['piece'] } } },
  )
}
