/**
 * Serves stored files at `/uploads/<name>` and `/<name>`: pictures, videos and subtitles inline, documents
 * only as downloads (contract §10, checklist §4).
 */
import { Readable } from 'node:stream'
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { isCurrent } from '../../http/entity-tag.ts'
import { readRange } from './byte-range.ts'
import { collectedStream } from './collected-stream.ts'
import { nearestFile } from './file-record.ts'
import { toFileName } from './label.ts'
import type { SignedAddresses } from './signed-address.ts'
import type { FileStorage } from './storage/storage.ts'
import { imageKinds, readStoredName, type StoredName, storedNamePattern } from './stored-names.ts'

export interface ServedFiles {
  database: Database
  storage: FileStorage
  addresses: SignedAddresses
}

/** Record of a stored name: label and kind of its file, and the present file when it was replaced. */
interface KnownName {
  name: string
  ext: string
  private: boolean
  now: { url: unknown; formats: unknown } | null
}

/** Stored file that is sent for a name. */
interface ServedFile {
  file: string
  label: string
  kind: StoredName
  isFormer: boolean
  isPrivate: boolean
}

type NamedRequest = FastifyRequest<{ Params: { name: string } }>

/** Formats the download name: ASCII for old programs, the full name for others (RFC 6266). */
function disposition(label: string, { ext, mime }: StoredName): string {
  const disposition = /^(?:image|video)[/]|^text[/]vtt$/.test(mime) ? 'inline' : 'attachment'
  const name = toFileName(label, ext)
  const plainFileName = name.replace(/[^\w .()-]/g, '_')
  const encodedName = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${disposition}; filename="${plainFileName}"; filename*=UTF-8''${encodedName}`
}

/**
 * Registers both addresses of a file. Names are matched against the pattern first. A file without a record is
 * a 404, and so is a private one without a valid signature.
 */
export function registerFiles(app: FastifyInstance, { database, storage, addresses }: ServedFiles): void {
  const records = new LRUCache<string, KnownName>({ max: 5_000 })
  let changeCount = 0
  const endListening = database.onChange((changes) => {
    if (changes !== 'all' && !changes.has('uploads')) return
    changeCount += 1
    records.clear()
  })
  app.addHook('onClose', endListening)

  /**
   * Finds the file of a stored name: the one of that name, or after a replacement the nearest one of its
   * record.
   */
  const findServedFile = async (nameDetails: StoredName, name: string): Promise<ServedFile | undefined> => {
    const { hash, ext, isCopy } = nameDetails
    let cachedRecord = records.get(hash)
    if (!cachedRecord) {
      const countBefore = changeCount
      ;[cachedRecord] = await database.query(sql<KnownName>`
        select name, ext, private, null as now from uploads where hash = ${hash}::text
        union all
        select u.name, a.ext, u.private, jsonb_build_object('url', u.url, 'formats', u.formats) as now
          from upload_addresses a join uploads u on u.id = a.file_id and u.hash <> a.hash where a.hash = ${hash}::text`)
      // Private files are not cached: each request looks them up, like unknown names.
      if (cachedRecord && !cachedRecord.private && countBefore === changeCount) records.set(hash, cachedRecord)
    }
    // A stored file has the kind of its record; a smaller copy may be WebP instead.
    if (!cachedRecord || (cachedRecord.ext !== ext && !(isCopy && ext === imageKinds.webp.ext))) return undefined
    if (!cachedRecord.now)
      return {
        file: name,
        label: cachedRecord.name,
        kind: nameDetails,
        isFormer: false,
        isPrivate: cachedRecord.private,
      }
    const file = nearestFile(cachedRecord.now, nameDetails)
    const kind = readStoredName(file)
    return kind && { file, label: cachedRecord.name, kind, isFormer: true, isPrivate: cachedRecord.private }
  }

  const handleRequest = async (request: NamedRequest, reply: FastifyReply) => {
    const { name } = request.params
    const storedName = readStoredName(name)
    const servedFile = storedName && (await findServedFile(storedName, name))
    if (!servedFile || (servedFile.isPrivate && !addresses.accepts(storedName.hash, request.query)))
      throw fault('file.not-found')
    const { file: storedAs, label, kind, isFormer, isPrivate } = servedFile
    const tag = `"${storedAs}"`
    const headers = {
      'content-type': kind.mime.startsWith('text/') ? `${kind.mime}; charset=utf-8` : kind.mime,
      'content-security-policy': `default-src 'none'; sandbox`,
      'content-disposition': disposition(label, kind),
      // Apps of other origins may show uploaded pictures and videos.
      'cross-origin-resource-policy': 'cross-origin',
      // The file behind a former address changes with the next replacement of the picture.
      'cache-control': isPrivate
        ? 'private, no-store'
        : isFormer
          ? 'public, no-cache'
          : 'public, max-age=31536000, immutable',
      etag: tag,
      'accept-ranges': 'bytes',
    }
    if (isCurrent(request, tag)) return reply.status(304).headers(headers).send()
    const { range: rangeHeader, 'if-range': condition } = request.headers
    // A range is only sent of the version that the client began with. The content of a name never changes, so
    // any other ETag is wrong.
    const requestedRange = condition === undefined || condition === tag ? rangeHeader : undefined
    if (request.method === 'HEAD' || requestedRange !== undefined) {
      const size = await storage.size(storedAs)
      if (size === undefined) throw fault('file.not-found')
      // The body of an answer to HEAD is an empty stream, because any other body would overwrite the length
      // of the GET response.
      if (request.method === 'HEAD')
        return reply.headers({ ...headers, 'content-length': size }).send(Readable.from([]))
      const range = readRange(requestedRange, size)
      if (range === 'none') {
        reply.headers({ 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` })
        throw fault('file.range')
      }
      if (range) {
        const fileRange = await storage.read(storedAs, range)
        if (!fileRange) throw fault('file.not-found')
        const span = { 'content-range': `bytes ${range.start}-${range.end}/${size}`, 'content-length': fileRange.size }
        return reply
          .status(206)
          .headers({ ...headers, ...span })
          .send(collectedStream(fileRange))
      }
    }
    const file = await storage.read(storedAs)
    if (!file) throw fault('file.not-found')
    return reply.headers({ ...headers, 'content-length': file.size }).send(collectedStream(file))
  }

  // A compressed answer with a file would have other bytes than its tag and ranges say.
  const options = { config: { compress: false } } as const
  app.get<{ Params: { name: string } }>('/uploads/:name', options, handleRequest)
  // The route matches only stored names; all other addresses are left to the panel.
  app.get<{ Params: { name: string } }>(`/:name(${storedNamePattern})`, options, handleRequest)
}
