/**
 * Serves the built panel: hashed files with a lifetime of a year, and the panel's page for every address.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, varyByEncoding } from '../../http/compression.ts'
import { isCurrent } from '../../http/entity-tag.ts'
import { chooseCopy, findPanelFiles, sendCopy, tagOf } from './panel-files.ts'

/** Output folder of `npm run build`, with the built panel. */
export const builtPanel = join(import.meta.dirname, '../../../../panel/dist')

const missingPanelText = 'The panel is not built yet. Run "npm start", or "npm run build -w packages/panel".\n'

const isPageRequest = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.headers.accept ?? '*/*').split(',').some((type) => /^\s*(text\/html|\*\/\*|text\/\*)/.test(type))

/** Tells whether a path is a file or belongs to the API: an unknown one of these is a 404. */
const isOutsidePanel = (path: string) => /^\/(api|assets|uploads|socket\.io)(\/|$)/.test(path) || /\/\.|%2e/i.test(path)

/** Headers of documents and logs, which hashed files do not need. */
const omittedHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-request-id',
  'x-xss-protection',
]

/** The built page of the panel: plain, and compressed where the build did so. */
interface Page {
  plainBytes: Buffer
  brotli: Buffer | undefined
  changedAt: number
}

/**
 * Address of the service worker. Browsers request it by themselves and keep the stored one when it is
 * missing. Without a panel this address serves one that removes itself and its caches.
 */
const workerPath = '/service-worker.js'
const retiredWorker = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  const clear = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('panel-'))
    await Promise.all(names.map((name) => caches.delete(name)))
    await registration.unregister()
  }
  event.waitUntil(clear())
})
`

const readFileIfExists = (path: string) => (existsSync(path) ? readFileSync(path) : undefined)

/**
 * Registers the panel and the answer to unknown paths: the page for people, a 404 of contract §1 for programs.
 *
 * @param app - The application.
 * @param folder - The folder of the built panel.
 */
export function registerPanel(app: FastifyInstance, folder: string): void {
  const page = join(folder, 'index.html')
  if (existsSync(folder)) {
    const files = findPanelFiles(folder)
    // Each file beside the hashed ones has a route of its own, so that unknown paths reach the page.
    for (const [name, file] of files)
      if (name !== 'index.html' && !name.startsWith('assets/'))
        app.get(`/${encodeURI(name)}`, async (request, reply) => {
          const copy = await chooseCopy(request, file)
          const tag = tagOf(copy)
          reply.header('cache-control', 'no-cache').header('etag', tag)
          if (file.copies.size > 0) varyByEncoding(reply)
          if (isCurrent(request, tag)) return reply.status(304).send()
          return sendCopy(reply, copy)
        })
    // The hashed files have one route: two for each of hundreds of files would take a tenth of the start.
    app.get('/assets/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
      const file = files.get(`assets/${request.params['*']}`)
      if (!file) throw fault('route.not-found')
      const copy = await chooseCopy(request, file)
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (file.copies.size > 0) varyByEncoding(reply)
      for (const name of omittedHeaders) reply.removeHeader(name)
      return sendCopy(reply, copy)
    })
  }

  let cachedPage: Page | undefined
  /** Reads the page of the panel again when a new build has replaced it. */
  const readPage = (): Page | undefined => {
    const changedAt = statSync(page, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt === undefined) return undefined
    if (cachedPage?.changedAt !== changedAt)
      cachedPage = { plainBytes: readFileSync(page), brotli: readFileIfExists(`${page}.br`), changedAt }
    return cachedPage
  }

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? ''
    if (path === workerPath && request.method === 'GET')
      return reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(retiredWorker)
    if (isOutsidePanel(path) || !isPageRequest(request)) throw fault('route.not-found')
    const builtPage = readPage()
    reply.header('cache-control', 'no-cache')
    if (builtPage === undefined) return reply.status(503).type('text/plain; charset=utf-8').send(missingPanelText)
    varyByEncoding(reply.type('text/html; charset=utf-8'))
    if (builtPage.brotli === undefined || acceptedEncoding(request) !== 'br') return reply.send(builtPage.plainBytes)
    return reply.header('content-encoding', 'br').send(builtPage.brotli)
  })
}
