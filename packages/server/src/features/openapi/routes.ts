/** Serves the OpenAPI document to those who may read it (setting `API_DOCS`), and a page to browse it. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Caller, fault, rankOfRole } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoutes } from '../../http/contract-routes.ts'
import { isCurrent } from '../../http/entity-tag.ts'
import { isObject } from '../../resources/read/context.ts'
import type { Settings } from '../../settings.ts'
import type { OpenApiDocument } from './document.ts'

export interface OpenApiRoutes {
  /**
   * Builds the document on the first request: it costs about 30 ms and half a megabyte, and few processes
   * need it.
   */
  buildDocument: () => Promise<OpenApiDocument>
  /** Readers of the OpenAPI document, as the setting `API_DOCS` names them. */
  readers: Settings['apiDocs']
  /** Finds the caller of a request, or throws 401. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
}

interface ServedDocument {
  text: Buffer
  type: string
  etag: string
}

const servedFile = (text: Buffer, type: string): ServedDocument => ({
  text,
  type: `${type}; charset=utf-8`,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/**
 * Sends a part of the API document with its ETag; browsers revalidate and receive 304 while it is unchanged.
 */
function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, type, etag }: ServedDocument,
): FastifyReply {
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  if (isCurrent(request, etag)) return reply.status(304).send()
  return reply.type(type).send(text)
}

const folder = join(import.meta.dirname, 'page')
const fileTypes: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Reads the scripts and styles of the page that shows the API document, by name: a few kilobytes, once. */
function readFiles(): ReadonlyMap<string, ServedDocument> {
  const files = readdirSync(folder).flatMap((name): [string, ServedDocument][] => {
    const type = fileTypes[extname(name)]
    return type === undefined ? [] : [[name, servedFile(readFileSync(join(folder, name)), type)]]
  })
  return new Map(files)
}

/**
 * Registers GET /api/openapi.json and the page GET /api/docs. The page is the same for everybody and contains
 * no data, because a browser sends no token when it opens a page. It loads the document with the token that
 * the panel stores.
 *
 * @param app - The application.
 * @param routes - How to build the document, who may read it, and the caller of a request.
 */
export function registerOpenApi(app: FastifyInstance, { buildDocument, readers, callerOf }: OpenApiRoutes): void {
  let document: ServedDocument | undefined
  const page = servedFile(readFileSync(join(folder, 'index.html')), 'text/html')
  const files = readFiles()
  addRoutes(app, async () => (await import('@dala/model/api/openapi')).openApiRoutes, {
    'GET /api/openapi.json': async ({ request, reply }) => {
      if (readers !== 'open') {
        const { role } = await callerOf(request)
        if (readers === 'admins' && rankOfRole(role) < rankOfRole('admin')) throw fault('access.denied')
      }
      document ??= servedFile(Buffer.from(JSON.stringify(await buildDocument())), 'application/json')
      return sendDocument(request, reply, document)
    },
    'GET /api/docs': async ({ request, reply }) => sendDocument(request, reply, page),
    'GET /api/docs/:file': async ({ request, reply }) => {
      const file = isObject(request.params) ? files.get(String(request.params.file)) : undefined
      if (!file) throw fault('route.not-found')
      return sendDocument(request, reply, file)
    },
  })
}
