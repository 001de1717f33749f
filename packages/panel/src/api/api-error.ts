/** Error that every failed API call throws. */
import type { ErrorBody, FaultParams, WireIssue } from '@dala/model'

/** Reason why an API call got no response. */
export type UnansweredReason = 'timeout' | 'network'

/** Seconds to wait before a call is retried when the server sends no number. */
const defaultRetrySeconds = 10

export class ApiError extends Error {
  /** HTTP status of the API's response; 0 without a response. */
  readonly status: number
  readonly code: string | undefined
  readonly issues: readonly WireIssue[]
  readonly details: Readonly<Record<string, unknown>>
  /** Values that the message of the error code contains: limits, names. */
  readonly params: FaultParams
  readonly unansweredReason: UnansweredReason | undefined
  /** After a 429: the moment, in milliseconds, before which the call must not be repeated. */
  readonly retryTime: number | undefined

  constructor(
    status: number,
    body: ErrorBody['error'] | undefined,
    reasonWithoutAnswer?: UnansweredReason,
    retryAfter?: number,
  ) {
    super(body?.message ?? '')
    this.name = body?.name ?? 'ApiError'
    this.status = status
    this.code = body?.code
    this.details = body?.details ?? {}
    this.params = body?.details.params ?? {}
    this.issues = body?.details.errors ?? []
    this.unansweredReason = reasonWithoutAnswer
    this.retryTime = status === 429 ? Date.now() + (retryAfter ?? defaultRetrySeconds) * 1000 : undefined
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

/**
 * The error for an answer that is not 2xx. A body in another shape, such as a proxy's page, leaves only the
 * status.
 */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const retryHeader = response.headers.get('Retry-After') ?? ''
  const retryAfter = /^\d{1,6}$/.test(retryHeader) ? Number(retryHeader) : undefined
  if (!isErrorBody(body)) return new ApiError(response.status, undefined, undefined, retryAfter)
  return new ApiError(response.status, { ...body.error, details: body.error.details ?? {} }, undefined, retryAfter)
}
