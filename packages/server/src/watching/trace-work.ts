/** Records statements, and jobs and letters with theirs, as spans. */
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { nameOfStatement } from '../db/statement-names.ts'
import { followWork, type FollowedWork, onSignal } from '../signals.ts'
import { errorClassOf, operationOf } from './statement-labels.ts'
import type { Traces } from './traces.ts'

/** Statements of one request, job or letter that have a span; further ones are only counted. */
const maxStatements = 128

/**
 * Records the statements of requests, jobs and letters. The text of a statement is left out, because a filter can be
 * in it; its name leads from a span to the prepared statement of the database.
 *
 * @returns The function that ends the recording.
 */
export function traceStatements(traces: Traces): () => void {
  const counts = new WeakMap<Span, number>()
  return onSignal('statement', ({ sql, seconds, error }) => {
    const parent = traces.active.getStore()
    // A timer that a request has set outlives its span.
    if (parent?.isRecording() !== true) return
    const count = (counts.get(parent) ?? 0) + 1
    counts.set(parent, count)
    parent.setAttribute('dala.statements', count)
    if (count > maxStatements) return
    traces.addStatement(parent, `statement ${operationOf(sql)}`, seconds, (span) => {
      span.setAttributes({
        'db.system.name': 'postgresql',
        'db.operation.name': operationOf(sql),
        'dala.statement': nameOfStatement(sql),
      })
      if (error === undefined) return
      span.setAttribute('error.type', errorClassOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
    })
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
 * @returns The function that ends the recording.
 */
export function traceWork(traces: Traces): () => void {
  const spans = new WeakMap<FollowedWork, Span>()
  const begin = (work: FollowedWork): Span => {
    const span = traces.begin(`${work.kind} ${work.name}`, { kind: SpanKind.CONSUMER })
    spans.set(work, span)
    return span
  }
  const end = (work: FollowedWork) => {
    const span = spans.get(work)
    if (!span) return
    if ('error' in work) {
      span.setAttribute('error.type', errorTypeOf(work.error))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    traces.end(span)
  }
  return followWork(traces.active, begin, end)
}
