/**
 * Serves the built panel: hashed files with a lifetime of a year, and the panel's page for every address.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { fault, presetAppearance } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PresentSettings } from '../../domain/operations/organisation.ts'
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

/** The settings of the organisation that the page of the panel shows before its program has loaded. */
export type PageAppearance = Pick<PresentSettings, 'logo' | 'palette' | 'colourMode'>

/** Returns the attributes of the page by which its first paint has the colours and the picture of the organisation. */
function attributesOf({ logo, palette, colourMode }: PageAppearance): string {
  const isPreset = palette === presetAppearance.palette && colourMode === presetAppearance.mode
  const theme = isPreset ? '' : ` data-theme="${colourMode}.${palette}"`
  // The address of a stored file has no character with a meaning in HTML.
  return logo === null ? theme : `${theme} data-logo="${logo}"`
}

/** The page of the panel: plain, and compressed where the build or a change of its attributes did so. */
interface Page {
  attributes: string
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

/** Adds attributes to the first element of a page, and compresses it. */
function withAttributes(page: Buffer, attributes: string): Pick<Page, 'plainBytes' | 'brotli'> {
  const plainBytes = Buffer.from(page.toString().replace('<html', `<html${attributes}`))
  return { plainBytes, brotli: brotliCompressSync(plainBytes) }
}

const readFileIfExists = (path: string) => (existsSync(path) ? readFileSync(path) : undefined)

/**
 * Registers the panel and the answer to unknown paths: the page for people, a 404 of contract §1 for programs.
 *
 * @param app - The application.
 * @param folder - The folder of the built panel.
 * @param appearance - The colours and the picture of the organisation, with their present values.
 */
export function registerPanel(app: FastifyInstance, folder: string, appearance: PageAppearance): void {
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
  /** Reads the page of the panel again when a new build has replaced it, or an owner has changed its appearance. */
  const readPage = (): Page | undefined => {
    const changedAt = statSync(page, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt === undefined) return undefined
    const attributes = attributesOf(appearance)
    if (cachedPage?.changedAt !== changedAt || cachedPage.attributes !== attributes) {
      const plainBytes = readFileSync(page)
      const brotli = readFileIfExists(`${page}.br`)
      cachedPage = {
        attributes,
        changedAt,
        ...(attributes === '' ? { plainBytes, brotli } : withAttributes(plainBytes, attributes)),
      }
    }
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
