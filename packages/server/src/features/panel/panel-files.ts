/** Finds and sends files of the built panel; copies that the build has compressed are preferred. */
import { createReadStream, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fault } from '@dala/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, type Encoding } from '../../http/compression.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Endings of compressed copies. They have no address of their own; source maps have none at all. */
const copyEndings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
const hiddenFiles = /(?:^|\/)\.|\.(?:br|gz|map)$/u

/** A file of the built panel. */
export interface PanelFile {
  path: string
  type: string
  /** Encodings in which the build has stored a copy of it. */
  copies: ReadonlySet<Encoding>
}

/**
 * Lists the files of the built panel.
 *
 * @param folder - The folder of the built panel, or one in it.
 * @returns The files by their path in the folder, with slashes.
 */
export function findPanelFiles(folder: string): Map<string, PanelFile> {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
  )
  const copiesOf = (name: string) =>
    new Set((['br', 'gzip'] as const).filter((encoding) => names.has(`${name}${copyEndings[encoding]}`)))
  return new Map(
    [...names]
      .filter((name) => !hiddenFiles.test(name))
      .map((name) => [
        name,
        {
          path: join(folder, name),
          type: mediaTypes[extname(name)] ?? 'application/octet-stream',
          copies: copiesOf(name),
        },
      ]),
  )
}

/** The file on the disk that is sent for a file of the panel: itself, or a compressed copy. */
interface StoredCopy extends Pick<PanelFile, 'type'> {
  path: string
  encoding: Encoding | undefined
  size: number
  changedAt: number
}

/**
 * Chooses the copy of a file that the client of a request accepts.
 *
 * @throws 404 when a new build has removed the file.
 */
export async function chooseCopy(request: FastifyRequest, file: PanelFile): Promise<StoredCopy> {
  const accepted = acceptedEncoding(request)
  const encoding = accepted !== undefined && file.copies.has(accepted) ? accepted : undefined
  const path = encoding === undefined ? file.path : `${file.path}${copyEndings[encoding]}`
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw fault('route.not-found')
  const { size, mtimeMs: changedAt } = stats
  return { type: file.type, path, encoding, size, changedAt }
}

/** Makes the ETag of a copy, from its size and the time of its last change. */
export const tagOf = ({ size, changedAt }: StoredCopy): string =>
  `W/"${size.toString(16)}-${Math.trunc(changedAt).toString(16)}"`

/** Sends a copy with the headers of its content. */
export function sendCopy(reply: FastifyReply, { type, path, encoding, size }: StoredCopy): FastifyReply {
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(type).header('content-length', size).send(createReadStream(path))
}
