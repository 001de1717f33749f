/** Bodies that a route reads itself, as they come in: forms of parts and pictures. Other routes answer them with 415. */
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** `parts`: multipart/form-data; `image`: image/*. */
export type StreamedBody = 'parts' | 'image'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies the route takes beside JSON; it reads them from `request.raw`. */
    bodies?: readonly StreamedBody[]
  }
}

/** How long a client that was refused in the middle may go on sending, so that it comes to read the answer. */
const linger = 1_000
/** Bytes it may send in that time: a form that is somewhat too large, and no endless one. */
const lingerBytes = 16 * 1_048_576

/** What kind of body comes; undefined for JSON and for none. */
export function streamedBodyOf({ headers }: FastifyRequest): StreamedBody | undefined {
  const type = headers['content-type'] ?? ''
  if (/^multipart\/form-data[ \t]*(;|$)/i.test(type)) return 'parts'
  return /^image\//i.test(type) ? 'image' : undefined
}

/** Leaves such bodies unread for the routes that ask for them, and cuts the connection of a refused one. */
export function registerStreamedBodies(app: FastifyInstance): void {
  const leave = (request: FastifyRequest, _payload: unknown, done: (error: Error | null) => void) => {
    const body = streamedBodyOf(request)
    const isTaken = body !== undefined && request.routeOptions.config.bodies?.includes(body) === true
    // An unknown route says that it is none, whatever was sent to it (contract §1).
    done(isTaken || request.is404 ? null : fault('request.media-type'))
  }
  app.addContentTypeParser('multipart/form-data', leave)
  app.addContentTypeParser(/^image\//, leave)

  app.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request
    if (streamedBodyOf(request) && !raw.complete && !raw.readableEnded) {
      let taken = 0
      raw.on('data', (chunk: Buffer) => {
        taken += chunk.length
        if (taken > lingerBytes) raw.destroy()
      })
      const cut = setTimeout(() => raw.destroy(), linger).unref()
      raw.once('close', () => clearTimeout(cut))
    }
    done()
  })
}
