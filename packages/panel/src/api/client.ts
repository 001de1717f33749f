/** Every call to the server goes through here: base path, time-out, token, query and errors (requirements §7). */
import { countAsWork } from '../lib/quiet.ts'
import { readStorage, storageKeys } from '../lib/storage-keys.ts'
import { ApiError, toApiError } from './api-error.ts'
import { type Query, toQueryString } from './query-string.ts'
import { viewedRole } from './viewing.ts'

/** Calls are given up after this time (requirements §7). */
export const callTimeout = 120_000

export interface CallOptions {
  query?: Query | undefined
  /** Sent as JSON; a FormData goes as it is. */
  body?: unknown
  /** Ends the call when the screen no longer wants it. */
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const jsonOf = async (answer: Response): Promise<unknown> => answer.json()

/**
 * Calls the API and gives the answer's JSON, or what `read` makes of the answer.
 *
 * Throws `ApiError`: with the status and the body of contract §1 for an answer that is not 2xx, with
 * `unanswered` for a time-out or a lost connection. A call ended by its own signal throws the signal's reason.
 */
export async function call<T>(
  method: Method,
  path: string,
  options: CallOptions = {},
  read: (answer: Response) => Promise<unknown> = jsonOf,
): Promise<T> {
  refuseWhileViewing(method, path)
  const timeout = AbortSignal.timeout(callTimeout)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  let response: Response
  try {
    const address = `/api${path}${toQueryString(options.query)}`
    response = await countAsWork(fetch(address, { method, signal, ...toContent(options) }))
    if (response.ok) return (await read(response)) as T
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ApiError(0, undefined, timeout.aborted ? 'timeout' : 'network')
  }
  throw await toApiError(response)
}

/** The headers that say who calls, and as which role he looks; none without a session. */
export function authorization(): Readonly<Record<string, string>> {
  const token = readStorage(storageKeys.token)
  const viewed = viewedRole()
  return token ? { Authorization: `Bearer ${token}`, ...(viewed && { 'X-View-As': viewed }) } : {}
}

/**
 * While the panel is seen as another role nothing leaves the browser but what reads, and the way out. Without a
 * session nobody is seen as anybody: the storage of a tab may outlive one that ended in another tab.
 *
 * Throws the `ApiError` the server would answer with.
 */
export function refuseWhileViewing(method: Method, path: string): void {
  if (method === 'GET' || path === '/auth/logout' || !viewedRole() || !readStorage(storageKeys.token)) return
  throw new ApiError(403, { status: 403, name: 'ForbiddenError', message: '', code: 'access.viewing', details: {} })
}

function toContent({ body, headers }: CallOptions): { headers: Headers; body?: BodyInit } {
  const sent = new Headers({ ...headers, ...authorization() })
  if (body === undefined) return { headers: sent }
  if (body instanceof FormData) return { headers: sent, body }
  sent.set('Content-Type', 'application/json')
  return { headers: sent, body: JSON.stringify(body) }
}

/** Relative addresses of files are prefixed by the API's host, full ones stay (requirements §7); the host is our own. */
export function fileAddress(path: string | null | undefined): string | undefined {
  if (!path) return undefined
  return path.startsWith('https://') || path.startsWith('http://') ? path : `/${path.replace(/^\/+/, '')}`
}
