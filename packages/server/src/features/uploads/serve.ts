/** Serves stored files at `/uploads/<name>` and `/<name>`, as pictures and as nothing else (contract §10, checklist §4). */
import { Readable } from 'node:stream'
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { readRange } from './byte-range.ts'
import { toFileName } from './label.ts'
import type { SignedAddresses } from './signed-address.ts'
import type { FileStorage } from './storage.ts'
import { imageKinds, readStoredName, type StoredName, storedNamePattern } from './stored-names.ts'

export interface ServedFiles {
  database: Database
  storage: FileStorage
  addresses: SignedAddresses
}

/** What a record says of its file. */
interface Label {
  name: string
  ext: string
  private: boolean
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

/**
 * Registers both addresses. Names are matched before anything is looked for; a file without a record is not there, and
 * neither is a private one without a signature that holds.
 */
export function registerFiles(app: FastifyInstance, { database, storage, addresses }: ServedFiles): void {
  const labels = new LRUCache<string, Label>({ max: 5_000 })
  database.onChange((changes) => {
    if (changes === 'all' || changes.has('uploads')) labels.clear()
  })

  /** The record of a file that knows it: its own kind, or WebP beside a smaller copy of it. */
  const labelOf = async ({ hash, ext, isCopy }: StoredName): Promise<Label | undefined> => {
    let known = labels.get(hash)
    if (!known) {
      ;[known] = await database.query(sql<Label>`
        select name, ext, private from uploads where hash = ${hash}::text`)
      // A private file is looked up each time, as one that is not there.
      if (known && !known.private) labels.set(hash, known)
    }
    return known && (known.ext === ext || (isCopy && ext === imageKinds.webp.ext)) ? known : undefined
  }

  const handle = async (request: Named, reply: FastifyReply) => {
    const { name } = request.params
    const stored = readStoredName(name)
    const label = stored && (await labelOf(stored))
    if (!stored || !label || (label.private && !addresses.accepts(stored.hash, request.query)))
      throw fault('file.not-found')
    const tag = `"${name}"`
    const headers = {
      'content-type': stored.mime,
      'content-security-policy': `default-src 'none'; sandbox`,
      'content-disposition': disposition(label.name, stored.ext),
      // Apps of other origins show these pictures.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': label.private ? 'private, no-store' : 'public, max-age=31536000, immutable',
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
