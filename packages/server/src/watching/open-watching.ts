/** Metrics for Prometheus on a port of their own. Loaded only when METRICS_PORT is set. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import type { WorkQueue } from '../db/work-queue.ts'
import { Instruments } from './instruments.ts'
import { watchDatabase, watchSignals } from './watch-database.ts'
import { watchProcess } from './watch-process.ts'
import { watchRequests } from './watch-requests.ts'

export interface WatchingOptions {
  port: number
  host: string
  /** Folder on the disk whose free space is measured. */
  dataDir: string
}

export interface Watching {
  readonly port: number
  /** Counts the requests of an application; called before its routes are registered. */
  readonly observeApp: (app: FastifyInstance) => void
  /** Measures the database and its queue of work at every scrape. */
  watchDatabase(database: Database, queue: WorkQueue): void
  /** Closes the port and ends the measurements. */
  close(): Promise<void>
}

/** Milliseconds of a connection to the port of metrics. */
const limits = { headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 65_000 }

const isScrape = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && (url.split('?', 1)[0] ?? '') === '/metrics'

/**
 * Opens the port of metrics and begins to measure the process.
 *
 * @param options - The address of the port, and the measured folder.
 * @returns What is measured further, and the end.
 * @throws The system's error when the port is taken or not allowed.
 */
export async function openWatching({ port, host, dataDir }: WatchingOptions): Promise<Watching> {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const instruments = new Instruments(provider.getMeter('dala'))

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isScrape(request)) return exporter.getMetricsRequestHandler(request, response)
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('Only GET /metrics is here\n')
  }
  const server = createServer(limits, answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const endings = [watchProcess(instruments, dataDir), watchSignals(instruments)]
  return {
    port: (server.address() as AddressInfo).port,
    observeApp: (app) => watchRequests(app, instruments),
    watchDatabase: (database, queue) => watchDatabase(database, queue, instruments),
    close: async () => {
      for (const end of endings) end()
      const closedSignal = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closedSignal
      await provider.shutdown()
    },
  }
}
