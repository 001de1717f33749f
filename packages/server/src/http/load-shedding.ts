/** Refuses requests of the API before they fill the memory of an instance or wait too long for its database. */
import { fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyLimit } from './json.ts'
import { streamedBodyOf } from './streamed-bodies.ts'

/** Bounds of the requests that an instance works on at once. */
interface LoadBounds {
  requests: number
  /** Bytes of the JSON bodies of these requests. */
  bodyBytes: number
}

/** An instance answers a thousand requests of lists in one to three seconds. */
const usualBounds: LoadBounds = { requests: 1_000, bodyBytes: 64 * 1_048_576 }

/** Returns the bytes of a JSON body; a body without a length counts as the longest one. */
function bytesOfBody(request: FastifyRequest): number {
  if (request.body === undefined || streamedBodyOf(request) !== undefined) return 0
  return Number(request.headers['content-length'] ?? bodyLimit)
}

/**
 * Answers requests of the API above the bounds with 503 and Retry-After. A request counts from the arrival of its whole
 * body to the end of its answer, so that clients who send slowly take no place of others.
 */
export function registerLoadShedding(app: FastifyInstance, bounds = usualBounds): void {
  let openRequests = 0
  let openBytes = 0
  app.addHook('preValidation', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return
    const bytes = bytesOfBody(request)
    if (openRequests >= bounds.requests || openBytes + bytes > bounds.bodyBytes)
      throw fault('server.busy', { retryAfter: 2 })
    openRequests += 1
    openBytes += bytes
    reply.raw.once('close', () => {
      openRequests -= 1
      openBytes -= bytes
    })
  })
}
