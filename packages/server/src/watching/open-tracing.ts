/**
 * Traces of requests, jobs and letters with their statements, sent to a collector by OTLP over HTTP. Loaded only when
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. Spans name what ran and how it ended: never a path, a value or a person.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import { programVersion } from '../db/backups/manifest.ts'
import { traceRequests } from './trace-requests.ts'
import { traceStatements, traceWork } from './trace-work.ts'
import { Traces } from './traces.ts'

export interface TracingOptions {
  /** Address of the collector; spans go to `/v1/traces` below it. */
  endpoint: string
  /** Headers of each delivery, as a collector asks for them. */
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** Share of the requests, jobs and letters that are traced, from 0 to 1. */
  share: number
  /** Receives the first error of deliveries that fail one after the other. */
  onFailure: (error: unknown) => void
  /** Milliseconds between two deliveries, of one with its repetitions, and of the last one of a stop. */
  limits?: Partial<typeof usualLimits>
}

export interface Tracing {
  /** Traces the requests of an application; called before its routes are registered. */
  readonly observeApp: (app: FastifyInstance) => void
  /** Ends the tracing and delivers the last spans, unless the collector is too slow. */
  close(): Promise<void>
}

/** Spans that wait for their delivery at most; further ones are dropped. */
const maxWaitingSpans = 2_048
const usualLimits = { interval: 5_000, delivery: 10_000, lastDelivery: 2_000 }

/** Reports the first of the deliveries that fail one after the other. */
function reportFailures(exporter: SpanExporter, onFailure: TracingOptions['onFailure']): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isFailing) onFailure(result.error)
        isFailing = result.error !== undefined
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/**
 * Begins to trace this process.
 *
 * @param options - Where the spans go, and how many of them.
 * @returns What is traced further, and the end.
 */
export function openTracing({
  endpoint,
  headers,
  serviceName,
  share,
  onFailure,
  limits = {},
}: TracingOptions): Tracing {
  const { interval, delivery, lastDelivery } = { ...usualLimits, ...limits }
  const url = `${endpoint.replace(/\/+$/u, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: delivery })
  const processor = new BatchSpanProcessor({
    exporter: reportFailures(exporter, onFailure),
    maxQueueSize: maxWaitingSpans,
    scheduledDelayMillis: interval,
    exportTimeoutMillis: delivery,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': programVersion() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  })
  const traces = new Traces(provider.getTracer('dala'))
  const endings = [traceStatements(traces), traceWork(traces)]
  return {
    observeApp: (app) => traceRequests(app, traces),
    close: async () => {
      for (const end of endings) end()
      const timeLimit = new AbortController()
      await Promise.race([
        // A collector that does not answer was reported already.
        provider.shutdown().catch(() => {}),
        pause(lastDelivery, undefined, { signal: timeLimit.signal }).catch(() => {}),
      ])
      timeLimit.abort()
    },
  }
}
