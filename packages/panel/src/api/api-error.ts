/** What a failed call throws, whatever went wrong. */
import type { ErrorBody, FaultParams, WireIssue } from '@dala/model'

/** The call never came back with an answer. */
export type Unanswered = 'timeout' | 'network'

/** Seconds to wait when the server does not say. */
const usualWait = 10

export class ApiError extends Error {
  /** Status of the answer; 0 when there was none. */
  readonly status: number
  readonly code: string | undefined
  readonly issues: readonly WireIssue[]
  readonly details: Readonly<Record<string, unknown>>
  /** What the words of the code speak of: limits, names. */
  readonly params: FaultParams
  readonly unanswered: Unanswered | undefined
  /** Asked too often: not before this moment, in milliseconds. */
  readonly retryAt: number | undefined

  constructor(status: number, body: ErrorBody['error'] | undefined, unanswered?: Unanswered, retryAfter?: number) {
    super(body?.message ?? '')
    this.name = body?.name ?? 'ApiError'
    this.status = status
    this.code = body?.code
    this.details = body?.details ?? {}
    this.params = body?.details.params ?? {}
    this.issues = body?.details.errors ?? []
    this.unanswered = unanswered
    this.retryAt = status === 429 ? Date.now() + (retryAfter ?? usualWait) * 1000 : undefined
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    typeof value.error === 'object' &&
    value.error !== null
  )
}

/** The error of an answer that is not 2xx; a body in another shape (a proxy's page) leaves the status alone to speak. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const wait = response.headers.get('Retry-After') ?? ''
  const retryAfter = /^\d{1,6}$/.test(wait) ? Number(wait) : undefined
  if (!isErrorBody(body)) return new ApiError(response.status, undefined, undefined, retryAfter)
  return new ApiError(response.status, { ...body.error, details: body.error.details ?? {} }, undefined, retryAfter)
}
