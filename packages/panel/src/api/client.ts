/** Makes every call to the server: base path, time-out, token, query and errors (requirements §7). */
import { trackCall } from '../lib/quiet.ts'
import { readStorage, storageKeys } from '../lib/storage-keys.ts'
import { ApiError, toApiError } from './api-error.ts'
import { type Query, toQueryString } from './query-string.ts'
import { viewedRole } from './viewing.ts'

/** Milliseconds after which an API call is aborted (requirements §7). */
export const callTimeout = 120_000

export interface CallOptions {
  query?: Query | undefined
  /** Body of the request, sent as JSON; a FormData is sent unchanged. */
  body?: unknown
  /** Signal that aborts the call when the screen no longer needs it. */
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
  /** The call outlives the page; its body has at most 64 KB. */
  keepalive?: boolean | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const jsonOf = async (answer: Response): Promise<unknown> => answer.json()

/**
 * Calls the API and returns its parsed answer.
 *
 * @param parseResponse - Reads the answer; its JSON by default.
 * @returns The value that `parseResponse` returns.
 * @throws ApiError with the status and the body of contract §1 for an answer that is not 2xx, and with
 *   `unansweredReason` for a time-out or a lost connection. A call that its own signal aborts throws the signal's
 *   reason.
 */
export async function callServer<T>(
  method: Method,
  path: string,
  options: CallOptions = {},
  parseResponse: (answer: Response) => Promise<unknown> = jsonOf,
): Promise<T> {
  refuseWhileViewing(method, path)
  const timeout = AbortSignal.timeout(callTimeout)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  let response: Response
  try {
    const address = `/api${path}${toQueryString(options.query)}`
    response = await trackCall(
      fetch(address, { method, signal, ...toContent(options), ...(options.keepalive && { keepalive: true }) }),
    )
    if (response.ok) return (await parseResponse(response)) as T
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ApiError(0, undefined, timeout.aborted ? 'timeout' : 'network')
  }
  throw await toApiError(response)
}

/** Headers of a call with the caller's token and the role the panel is viewed as; none without a session. */
export function authorization(): Readonly<Record<string, string>> {
  const token = readStorage(storageKeys.token)
  const role = viewedRole()
  return token ? { Authorization: `Bearer ${token}`, ...(role && { 'X-View-As': role }) } : {}
}

/**
 * Refuses every call except reads and signing out while the panel is viewed as another role. Without a
 * session there is no such role: the storage of a tab may outlive a session that ended in another tab.
 *
 * @throws ApiError the one that the server would answer with.
 */
export function refuseWhileViewing(method: Method, path: string): void {
  if (method === 'GET' || path === '/auth/logout' || !viewedRole() || !readStorage(storageKeys.token)) return
  throw new ApiError(403, { status: 403, name: 'ForbiddenError', message: '', code: 'access.viewing', details: {} })
}

function toContent({ body, headers }: CallOptions): { headers: Headers; body?: BodyInit } {
  const allHeaders = new Headers({ ...headers, ...authorization() })
  if (body === undefined) return { headers: allHeaders }
  if (body instanceof FormData) return { headers: allHeaders, body }
  allHeaders.set('Content-Type', 'application/json')
  return { headers: allHeaders, body: JSON.stringify(body) }
}

/**
 * The address of a file: a relative address gets the prefix of the API's host, which is our own (requirements
 * §7).
 */
export function fileAddress(path: string | null | undefined): string | undefined {
  if (!path) return undefined
  return path.startsWith('https://') || path.startsWith('http://') ? path : `/${path.replace(/^\/+/, '')}`
}
