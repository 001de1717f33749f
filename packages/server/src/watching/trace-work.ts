/** Records statements, and jobs and letters with theirs, as spans. */
import type { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import { nameOfStatement } from '../db/statement-names.ts'
import { followWork, type FollowedWork, onSignal } from '../signals.ts'
import { errorClassOf, operationOf } from './statement-labels.ts'

/** Statements of one request, job or letter that have a span; further ones are only counted. */
const maxStatements = 128

/**
 * Records the statements of requests, jobs and letters. The text of a statement is left out, because a filter can be
 * in it; its name leads from a span to the prepared statement of the database.
 *
 * @param active - The span that is being worked on.
 * @returns The function that ends the recording.
 */
export function traceStatements(tracer: Tracer, active: AsyncLocalStorage<Span>): () => void {
  const counts = new WeakMap<Span, number>()
  return onSignal('statement', ({ sql, seconds, error }) => {
    const parent = active.getStore()
    // A timer that a request has set outlives its span.
    if (parent?.isRecording() !== true) return
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    parent.setAttribute('dala.statements', count)
    if (count > maxStatements) return
    const endTime = performance.now()
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operationOf(sql),
      'dala.statement': nameOfStatement(sql),
      ...(error !== undefined && { 'error.type': errorClassOf(error) }),
    }
    const options = { kind: SpanKind.CLIENT, startTime: endTime - seconds * 1_000, attributes }
    const span = tracer.startSpan(`statement ${operationOf(sql)}`, options, trace.setSpan(ROOT_CONTEXT, parent))
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  })
}

/** Returns the code or the name of an error; its message could name a person. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' && /^\w{1,40}$/u.test(error.code) ? error.code : error.name
}

/**
 * Records jobs and letters, each as the root of a trace of its own.
 *
 * @param active - Gets the span while the work is done.
 * @returns The function that ends the recording.
 */
export function traceWork(tracer: Tracer, active: AsyncLocalStorage<Span>): () => void {
  const spans = new WeakMap<FollowedWork, Span>()
  const begin = (work: FollowedWork): Span => {
    const span = tracer.startSpan(`${work.kind} ${work.name}`, { root: true, kind: SpanKind.CONSUMER }, ROOT_CONTEXT)
    spans.set(work, span)
    return span
  }
  const end = (work: FollowedWork) => {
    const span = spans.get(work)
    if ('error' in work) {
      span?.setAttribute('error.type', errorTypeOf(work.error))
      span?.setStatus({ code: SpanStatusCode.ERROR })
    }
    span?.end()
  }
  return followWork(active, begin, end)
}
