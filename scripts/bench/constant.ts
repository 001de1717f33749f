/**
 * Module that the bench loads before the server: it adds a route to its Fastify that answers a constant of a
 * requested size. Process, hooks and headers are the same, but there is no database and no serialiser: the
 * floor for comparisons.
 */
import { subscribe } from 'node:diagnostics_channel'

/** Part of a Fastify instance that the bench's route uses; the channel passes the instance without a type. */
interface RouteHost {
  get: (
    path: string,
    handler: (
      request: { query: { bytes?: string } },
      reply: { type: (value: string) => { send: (body: string) => unknown } },
    ) => unknown,
  ) => unknown
}

/** Returns a JSON text of exactly the given length in ASCII. */
function makeConstant(bytes: number): string {
  return JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
}

const constants = new Map<string, string>()
const visitedObjects = new WeakSet<object>()

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: RouteHost }
  if (visitedObjects.has(fastify)) return
  visitedObjects.add(fastify)
  fastify.get('/bench/constant', (request, reply) => {
    const bytes = request.query.bytes ?? '1000'
    const body = constants.get(bytes) ?? makeConstant(Number(bytes))
    constants.set(bytes, body)
    return reply.type('application/json; charset=utf-8').send(body)
  })
})
