/** Errors as code throws them, and as the API answers them (contract §1). */
import { apiMessages } from './error-texts.ts'
import {
  catalogue,
  type CatalogueEntry,
  type ErrorCode,
  type ErrorStatus,
  type FaultParams,
  type Issue,
  nameOfStatus,
} from './errors.ts'

/** One item of `details.errors` on the wire (contract §1). */
export interface WireIssue {
  path: (string | number)[]
  message: string
  name: string
  code: ErrorCode
  params: FaultParams
}

/** The error body of every answer that is not 2xx (contract §1). */
export interface ErrorBody {
  data: null
  error: {
    status: number
    name: string
    message: string
    code?: ErrorCode
    details: Record<string, unknown> & { errors?: WireIssue[]; params?: FaultParams }
  }
}

/**
 * Returns the English message of an error code, with its placeholders filled in.
 *
 * @example
 * messageOf('validation.required', { field: 'title' }) // 'title must be defined.'
 */
export function messageOf(code: ErrorCode, params: FaultParams = {}): string {
  return apiMessages[code].replace(/\{(\w+)\}/g, (placeholder, key: string) => String(params[key] ?? placeholder))
}

/** The catalogue entry of an error code, typed with its optional keys. */
function entryOf(code: ErrorCode): CatalogueEntry {
  return catalogue[code]
}

/** An error that `http/errors.ts`, and nothing else, writes as a body. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly params: FaultParams
  readonly issues: readonly Issue[]
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: FaultOptions = {}) {
    super(messageOf(code, options.params))
    this.name = 'Fault'
    this.code = code
    this.status = entryOf(code).status
    this.params = options.params ?? {}
    this.issues = options.issues ?? []
    this.details = options.details ?? {}
    this.retryAfter = options.retryAfter
  }
}

export interface FaultOptions {
  params?: FaultParams
  issues?: readonly Issue[]
  details?: Record<string, unknown>
  /** Seconds for the `Retry-After` header. */
  retryAfter?: number
}

/**
 * Builds an error from the catalogue, to be thrown.
 *
 * @example
 * throw fault('access.denied') // 403
 */
export function fault(code: ErrorCode, options?: FaultOptions): Fault {
  return new Fault(code, options)
}

/**
 * Builds the error for invalid fields, all of them at once: one issue gives its own message, several give "N
 * errors occurred" (contract §1).
 *
 * @example
 * throw validationFault([{ path: ['title'], code: 'validation.required', params: { field: 'title' } }])
 */
export function validationFault(issues: readonly Issue[]): Fault {
  const [firstIssue] = issues
  if (issues.length === 1 && firstIssue)
    return new Fault(firstIssue.code, { ...(firstIssue.params && { params: firstIssue.params }), issues })
  return new Fault('validation.several', { params: { count: issues.length }, issues })
}

/**
 * Builds the error for invalid values on the routes that answer them with 422 (chat, prices, imports,
 * actions), with the message of `validationFault`.
 *
 * @example
 * throw unprocessable([{ path: ['price'], code: 'validation.required', params: { field: 'price' } }])
 */
export function unprocessableFault(issues: readonly Issue[]): Fault {
  const { message } = validationFault(issues)
  return new Fault('request.unprocessable', { params: { message }, issues })
}

/**
 * Returns the wire body of an error (contract §1).
 *
 * @example
 * toErrorBody(fault('access.denied')).error.name // 'ForbiddenError'
 */
export function toErrorBody(refusal: Fault): ErrorBody {
  const { code, status, params, issues, details } = refusal
  // Clients translate an error by its code and need the parameters that the details do not contain.
  const missingParams = Object.entries(params).filter(([name]) => !(name in details))
  const needsParams = issues.length === 0 && missingParams.length > 0
  const errors = issues.map((issue): WireIssue => ({
    path: [...issue.path],
    message: messageOf(issue.code, issue.params),
    name: entryOf(issue.code).name ?? nameOfStatus[entryOf(issue.code).status],
    code: issue.code,
    params: issue.params ?? {},
  }))
  return {
    data: null,
    error: {
      status,
      name: entryOf(code).name ?? nameOfStatus[status],
      message: messageOf(code, params),
      code,
      details: {
        ...details,
        ...(needsParams && { params: Object.fromEntries(missingParams) }),
        ...(errors.length > 0 && { errors }),
      },
    },
  }
}
