/** Serves the guide at `/guide`: pages, their style and pictures, to everybody, because none has data. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fault, isGuideChapter, isWrittenLocale, type WrittenLocale } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isCurrent } from '../../http/entity-tag.ts'
import { chooseLanguage } from './choose-language.ts'
import { contentsPage, type GuidePage, missingPage, readPicture } from './guide-files.ts'

interface ServedFile {
  bytes: Buffer
  type: string
  etag: string
}

const servedFile = (bytes: Buffer, type: string): ServedFile => ({
  bytes,
  type,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})

function sendFile(request: FastifyRequest, reply: FastifyReply, { bytes, type, etag }: ServedFile): FastifyReply {
  reply.header('etag', etag)
  if (isCurrent(request, etag)) return reply.status(304).send()
  return reply.type(type).send(bytes)
}

type ChapterRequest = FastifyRequest<{ Params: { locale: string; chapter: string } }>
type PictureRequest = FastifyRequest<{ Params: { locale: string; file: string } }>

/** Registers the addresses of the guide. */
export function registerGuide(app: FastifyInstance): void {
  const pages = new Map<string, ServedFile>()
  const style = servedFile(readFileSync(join(import.meta.dirname, 'guide.css')), 'text/css; charset=utf-8')

  /** Renders a page once; the renderer is loaded with the first page. */
  async function pageFile(locale: WrittenLocale, page: GuidePage): Promise<ServedFile> {
    const name = `${locale}/${page}`
    const existingPage = pages.get(name)
    if (existingPage) return existingPage
    const { renderGuide } = await import('./render-guide.ts')
    const renderedPage = servedFile(Buffer.from(renderGuide(locale, page)), 'text/html; charset=utf-8')
    pages.set(name, renderedPage)
    return renderedPage
  }

  async function sendMissing(
    request: FastifyRequest,
    reply: FastifyReply,
    locale?: WrittenLocale,
  ): Promise<FastifyReply> {
    const { bytes, type } = await pageFile(locale ?? chooseLanguage(request.headers['accept-language']), missingPage)
    return reply
      .status(404)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type(type)
      .send(bytes)
  }

  app.get('/guide', (request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .redirect(`/guide/${chooseLanguage(request.headers['accept-language'])}`, 302),
  )
  app.get('/guide/guide.css', (request, reply) => sendFile(request, reply.header('cache-control', 'no-cache'), style))
  app.get('/guide/pictures/:locale/:file', (request: PictureRequest, reply) => {
    const picture = readPicture(request.params.locale, request.params.file)
    if (!picture) throw fault('route.not-found')
    reply.header('cache-control', 'public, max-age=3600')
    return sendFile(request, reply, servedFile(picture, 'image/webp'))
  })
  const answerPage = async (request: FastifyRequest, reply: FastifyReply, locale: string, page: string) => {
    if (!isWrittenLocale(locale)) return sendMissing(request, reply)
    if (page !== contentsPage && !isGuideChapter(page)) return sendMissing(request, reply, locale)
    return sendFile(request, reply.header('cache-control', 'no-cache'), await pageFile(locale, page))
  }
  app.get('/guide/:locale', (request: ChapterRequest, reply) =>
    answerPage(request, reply, request.params.locale, contentsPage),
  )
  app.get('/guide/:locale/:chapter', (request: ChapterRequest, reply) =>
    request.params.chapter === contentsPage
      ? sendMissing(request, reply, isWrittenLocale(request.params.locale) ? request.params.locale : undefined)
      : answerPage(request, reply, request.params.locale, request.params.chapter),
  )
  app.get('/guide/*', (request, reply) => sendMissing(request, reply))
}
