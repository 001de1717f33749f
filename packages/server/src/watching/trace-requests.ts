/** Records requests as spans, by the template of their route; never by path, which contains ids and typed texts. */
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onSignal } from '../signals.ts'
import { methodOf } from './request-labels.ts'
import type { Traces } from './traces.ts'

/**
 * Adds the hooks that record the requests of an application. Each request begins a trace: a header `traceparent` comes
 * from the client also behind a proxy, which passes it on unread. The span of a request is active until its answer.
 */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const { active } = traces
  const spans = new WeakMap<FastifyRequest, Span>()
  const endSpan = (request: FastifyRequest, status: number | undefined) => {
    const span = spans.get(request)
    if (!span) return
    spans.delete(request)
    if (status === undefined) span.setAttribute('error.type', 'aborted')
    else span.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    traces.end(span)
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
    const span = traces.begin(name, { kind: SpanKind.SERVER, attributes })
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
