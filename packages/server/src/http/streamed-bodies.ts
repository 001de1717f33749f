/**
 * Bodies that a route streams itself: forms, pictures and pieces of files. Other routes answer them with 415.
 */
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Kinds of streamed bodies. `parts`: multipart/form-data; `image`: image/*; `piece`: the bytes of a resumable
 * upload from an offset.
 */
export type StreamedBody = 'parts' | 'image' | 'piece'

/** Media type of a piece of a resumable upload. */
const pieceType = 'application/offset+octet-stream'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Kinds of bodies that the route accepts besides JSON and reads from `request.raw`. */
    bodies?: readonly StreamedBody[]
  }
}

/** Milliseconds for which a refused client may continue to send, so that it reads the answer. */
const closeDelayMs = 1_000
/**
 * Bytes that a refused client may send in that time: enough for a form that is slightly too large, not for an
 * endless one.
 */
const maxDiscardedBytes = 16 * 1_048_576

/** Returns the kind of a streamed body; undefined for JSON and for none. */
export function streamedBodyOf({ headers }: FastifyRequest): StreamedBody | undefined {
  const type = headers['content-type'] ?? ''
  if (/^multipart\/form-data[ \t]*(;|$)/i.test(type)) return 'parts'
  if (type.trim().toLowerCase() === pieceType) return 'piece'
  return /^image\//i.test(type) ? 'image' : undefined
}

/**
 * Leaves streamed bodies unread for the routes that accept them, and cuts the connection of a refused one.
 */
export function registerStreamedBodies(app: FastifyInstance): void {
  const leaveStream = (request: FastifyRequest, _payload: unknown, done: (error: Error | null) => void) => {
    const body = streamedBodyOf(request)
    const isTaken = body !== undefined && request.routeOptions.config.bodies?.includes(body) === true
    // An unknown route answers 404 with any body (contract §1).
    done(isTaken || request.is404 ? null : fault('request.media-type'))
  }
  app.addContentTypeParser('multipart/form-data', leaveStream)
  app.addContentTypeParser(/^image\//, leaveStream)
  app.addContentTypeParser(pieceType, leaveStream)

  app.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request
    if (streamedBodyOf(request) && !raw.complete && !raw.readableEnded) {
      let takenBytes = 0
      raw.on('data', (chunk: Buffer) => {
        takenBytes += chunk.length
        if (takenBytes > maxDiscardedBytes) raw.destroy()
      })
      const closeTimer = setTimeout(() => raw.destroy(), closeDelayMs).unref()
      raw.once('close', () => clearTimeout(closeTimer))
    }
    done()
  })
}
