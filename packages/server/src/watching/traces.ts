/** Traces of this process: the spans that begin them, and the statements below. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace, type Tracer } from '@opentelemetry/api'

/**
 * Spans of requests, jobs and letters, each of which begins a trace. Within a trace the steady clock counts from the
 * time of day at its beginning. So a statement lies within its request, also when the system corrects the time of day
 * meanwhile.
 */
export class Traces {
  readonly #tracer: Tracer
  /** Milliseconds between the steady clock and the time of day at the beginning of a trace, by its first span. */
  readonly #offsets = new WeakMap<Span, number>()
  /** The span of the request, job or letter that is being worked on. */
  readonly active = new AsyncLocalStorage<Span>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  #now(span: Span): number {
    return (this.#offsets.get(span) ?? performance.timeOrigin) + performance.now()
  }

  /** Begins a trace and returns its first span. */
  begin(name: string, options: SpanOptions): Span {
    const startTime = Date.now()
    const span = this.#tracer.startSpan(name, { ...options, root: true, startTime }, ROOT_CONTEXT)
    this.#offsets.set(span, startTime - performance.now())
    return span
  }

  /** Ends the first span of a trace. */
  end(span: Span): void {
    span.end(this.#now(span))
  }

  /**
   * Adds a statement that has just ended.
   *
   * @param parent - The first span of its trace.
   * @param name - The name of the new span.
   * @param seconds - The duration of the statement.
   * @param finish - Receives the new span before its end.
   */
  addStatement(parent: Span, name: string, seconds: number, finish: (span: Span) => void): void {
    const endTime = this.#now(parent)
    const options = { kind: SpanKind.CLIENT, startTime: endTime - seconds * 1_000 }
    const span = this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent))
    finish(span)
    span.end(endTime)
  }
}
