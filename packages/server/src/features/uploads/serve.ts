/** Serves stored files at `/uploads/<name>` and `/<name>`, as pictures and as nothing else (contract §10, checklist §4). */
import { Readable } from 'node:stream'
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { readRange } from './byte-range.ts'
import { toFileName } from './label.ts'
import type { FileStorage } from './storage.ts'
import { imageKinds, readStoredName, type StoredName, storedNamePattern } from './stored-names.ts'

export interface ServedFiles {
  database: Database
  storage: FileStorage
}

type Named = FastifyRequest<{ Params: { name: string } }>

/** The name to save a file under: plain letters for old programs, all of it for the others (RFC 6266). */
function disposition(label: string, ext: string): string {
  const name = toFileName(label, ext)
  const plain = name.replace(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const isKnown = (header: string | undefined, tag: string) =>
  header !== undefined && header.split(',').some((item) => ['*', tag, `W/${tag}`].includes(item.trim()))

/** Registers both addresses. Names are matched before anything is looked for; a file without a record is not there. */
export function registerFiles(app: FastifyInstance, { database, storage }: ServedFiles): void {
  const labels = new LRUCache<string, { name: string; ext: string }>({ max: 5_000 })
  database.onChange((changes) => {
    if (changes === 'all' || changes.has('uploads')) labels.clear()
  })

  /** The label of a file whose record knows it: its own kind, or WebP beside a smaller copy of it. */
  const labelOf = async ({ hash, ext, isCopy }: StoredName): Promise<string | undefined> => {
    let known = labels.get(hash)
    if (!known) {
      ;[known] = await database.query(sql<{ name: string; ext: string }>`
        select name, ext from uploads where hash = ${hash}::text`)
      if (known) labels.set(hash, known)
    }
    return known && (known.ext === ext || (isCopy && ext === imageKinds.webp.ext)) ? known.name : undefined
  }

  const handle = async (request: Named, reply: FastifyReply) => {
    const { name } = request.params
    const stored = readStoredName(name)
    const label = stored && (await labelOf(stored))
    if (!stored || label === undefined) throw fault('file.not-found')
    const tag = `"${name}"`
    const headers = {
      'content-type': stored.mime,
      'content-security-policy': `default-src 'none'; sandbox`,
      'content-disposition': disposition(label, stored.ext),
      // Apps of other origins show these pictures.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: tag,
      'accept-ranges': 'bytes',
    }
    if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).headers(headers).send()
    const { range: asked, 'if-range': condition } = request.headers
    // A part is only given of the file it was begun with. Names never change their content, so any other tag is wrong.
    const wanted = condition === undefined || condition === tag ? asked : undefined
    if (request.method === 'HEAD' || wanted !== undefined) {
      const size = await storage.size(name)
      if (size === undefined) throw fault('file.not-found')
      // An empty stream, because the length of any other answer would be written over the one that a GET has.
      if (request.method === 'HEAD')
        return reply.headers({ ...headers, 'content-length': size }).send(Readable.from([]))
      const range = readRange(wanted, size)
      if (range === 'none') {
        reply.headers({ 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` })
        throw fault('file.range')
      }
      if (range) {
        const part = await storage.read(name, range)
        if (!part) throw fault('file.not-found')
        const span = { 'content-range': `bytes ${range.start}-${range.end}/${size}`, 'content-length': part.size }
        return reply
          .status(206)
          .headers({ ...headers, ...span })
          .send(part.stream)
      }
    }
    const file = await storage.read(name)
    if (!file) throw fault('file.not-found')
    return reply.headers({ ...headers, 'content-length': file.size }).send(file.stream)
  }

  app.get<{ Params: { name: string } }>('/uploads/:name', handle)
  // Only addresses that look like a stored name come here; all others are left to the panel.
  app.get<{ Params: { name: string } }>(`/:name(${storedNamePattern})`, handle)
}
