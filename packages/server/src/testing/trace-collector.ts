/** A collector of traces that runs in a test and reads OTLP as JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

const attribute = z.object({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
    z.strictObject({ intValue: z.union([z.number(), z.string()]) }).transform(({ intValue }) => Number(intValue)),
  ]),
})
const attributes = z
  .array(attribute)
  .transform((list): Record<string, string | number> => Object.fromEntries(list.map(({ key, value }) => [key, value])))

const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().transform(BigInt),
  endTimeUnixNano: z.string().transform(BigInt),
  attributes,
  events: z.array(z.unknown()).optional(),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }),
})

/** A span as a collector receives it. */
export type ReceivedSpan = z.output<typeof span>

const delivery = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

export interface TraceCollector {
  endpoint: string
  /** Received bodies, as they were sent. */
  texts: string[]
  /** Addresses and headers of the deliveries. */
  requests: { url: string | undefined; headers: Record<string, unknown> }[]
  spans: () => ReceivedSpan[]
  /** Attributes of the installation that sent the first delivery. */
  resource: () => Record<string, string | number> | undefined
  close: () => Promise<void>
}

/** Starts a collector on this machine. */
export async function startCollector(): Promise<TraceCollector> {
  const texts: string[] = []
  const requests: TraceCollector['requests'] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      requests.push({ url: `${request.method} ${request.url}`, headers: request.headers })
      texts.push(Buffer.concat(parts).toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const deliveries = () => texts.flatMap((text) => delivery.parse(JSON.parse(text)).resourceSpans)
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    requests,
    spans: () => deliveries().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => deliveries()[0]?.resource.attributes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
