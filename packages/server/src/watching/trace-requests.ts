/** Records requests as spans, by the template of their route; never by path, which contains ids and typed texts. */
import type { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onSignal } from '../signals.ts'
import { methodOf } from './request-labels.ts'

/**
 * Adds the hooks that record the requests of an application. Each request begins a trace: a header `traceparent` comes
 * from the client also behind a proxy, which passes it on unread.
 *
 * @param active - Gets the span of a request until its answer.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer, active: AsyncLocalStorage<Span>): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const endSpan = (request: FastifyRequest, status: number | undefined) => {
    const span = spans.get(request)
    spans.delete(request)
    if (status === undefined) span?.setAttribute('error.type', 'aborted')
    else span?.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  app.addHook('onRequest', (request, reply, done) => {
    const method = methodOf(request)
    const route = request.is404 ? undefined : request.routeOptions.url
    const attributes = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'dala.request_id': request.id,
    }
    const name = route === undefined ? method : `${method} ${route}`
    const span = tracer.startSpan(name, { root: true, kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
    spans.set(request, span)
    // An answer that the client did not wait for is closed without being finished.
    reply.raw.once('close', () => endSpan(request, undefined))
    active.run(span, done)
  })
  // A body arrives in events of the connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) active.run(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply.statusCode)
    done()
  })
  const endRefusals = onSignal('refusal', ({ code }) => active.getStore()?.setAttribute('dala.refusal', code))
  app.addHook('onClose', endRefusals)
}
