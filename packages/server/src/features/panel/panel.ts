/** Serves the built panel: hashed files for a year, its page for every address that a person can open. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where `npm run build` puts it. */
export const builtPanel = join(import.meta.dirname, '../../../../panel/dist')

const notBuilt = 'The panel is not built yet. Run "npm start", or "npm run build -w packages/panel".\n'

const wantsPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.headers.accept ?? '*/*').split(',').some((type) => /^\s*(text\/html|\*\/\*|text\/\*)/.test(type))

/** Addresses of files and of the API are never the panel's: an unknown one of those is a 404. */
const isElsewhere = (path: string) => /^\/(api|assets|uploads|socket\.io)(\/|$)/.test(path) || /\/\.|%2e/i.test(path)

/** Registers the panel and the answer to everything unknown: its page for people, a 404 of contract §1 for programs. */
export async function registerPanel(app: FastifyInstance, folder: string): Promise<void> {
  const page = join(folder, 'index.html')
  if (existsSync(folder)) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      // A file list made at the start: nothing that is put into the folder later is served, and unknown paths stay routes.
      wildcard: false,
      dotfiles: 'deny',
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['**/index.html', '**/*.map'],
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }

  let kept: { html: string; changed: number } | undefined
  /** The page, read again when a new build has replaced it. */
  const readPage = (): string | undefined => {
    const changed = statSync(page, { throwIfNoEntry: false })?.mtimeMs
    if (changed === undefined) return undefined
    if (kept?.changed !== changed) kept = { html: readFileSync(page, 'utf8'), changed }
    return kept.html
  }

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? ''
    if (isElsewhere(path) || !wantsPage(request)) throw fault('route.not-found')
    const html = readPage()
    reply.header('cache-control', 'no-cache')
    return html === undefined
      ? reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)
      : reply.type('text/html; charset=utf-8').send(html)
  })
}
