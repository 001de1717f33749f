/** Loads one address for a while and reports the requests a second. */
import { execFileSync } from 'node:child_process'
import autocannon from 'autocannon'

export interface Load {
  url: string
  method: 'GET' | 'POST' | 'PUT'
  /** Address that the load requests; several addresses are requested in turn. */
  path: string | readonly string[]
  body?: string
  token: string
  connections: number
  seconds: number
}

export interface LoadFigures {
  requestsPerSecond: number
  p50: number
  p99: number
  /** Number of answers other than 2xx during the load, and of broken connections. */
  errors: number
}

/** Loads an address after a short warm-up, in which statements are prepared and code is compiled. */
export async function measure(load: Load): Promise<LoadFigures> {
  await run({ ...load, seconds: 0.5 })
  return run(load)
}

async function run({ url, method, path, body, token, connections, seconds }: Load): Promise<LoadFigures> {
  const paths = typeof path === 'string' ? [path] : path
  let requestCount = 0
  /**
   * Returns the next address to load. All connections share one counter, so that no two request one address
   * in step.
   */
  const nextRequest = (request: autocannon.Request) => ({ ...request, path: paths[(requestCount += 1) % paths.length] })
  const { requests, latency, non2xx, errors } = await autocannon({
    url: paths.length === 1 ? url + paths[0] : url,
    ...(paths.length > 1 && { requests: [{ setupRequest: nextRequest }] }),
    method,
    connections,
    duration: seconds,
    sampleInt: 250,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body, idReplacement: true }),
  })
  return { requestsPerSecond: requests.total / seconds, p50: latency.p50, p99: latency.p99, errors: non2xx + errors }
}

/** Returns the memory that a process uses, in MiB; undefined on systems without `ps`. */
export function memoryOf(pid: number | undefined): number | undefined {
  try {
    return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024)
  } catch {
    return undefined
  }
}
