/** Counts requests by route, method and class of status; never by path, which contains ids and typed texts. */
import type { FastifyInstance } from 'fastify'
import type { Instruments } from './instruments.ts'
import { methodOf } from './request-labels.ts'

/** Adds the hook that counts the requests of an application. */
export function watchRequests(app: FastifyInstance, instruments: Instruments): void {
  const addRequest = instruments.histogram('dala_http_request_duration_seconds')
  app.addHook('onResponse', (request, reply, done) => {
    addRequest(reply.elapsedTime / 1_000, {
      route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
      method: methodOf(request),
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    })
    done()
  })
}
