/**
 * The only module that writes an error body (contract §1):
 * handles every throw and every refusal of the framework.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, Fault, fault, toErrorBody } from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseFailure } from '../db/failures.ts'
import { emitSignal } from '../signals.ts'
import { UnavailableError } from './unavailable.ts'

/** Error codes of the HTTP framework for faults of the client. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too-large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media-type',
  FST_ERR_CTP_EMPTY_TYPE: 'request.media-type',
  FST_ERR_CTP_INVALID_TYPE: 'request.media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.body',
  FST_ERR_VALIDATION: 'request.body',
  FST_ERR_BAD_URL: 'request.header',
  FST_ERR_INVALID_URL: 'request.header',
  FST_ERR_MAX_PARAM_LENGTH: 'route.not-found',
  FST_ERR_NOT_FOUND: 'route.not-found',
  FST_ERR_CTP_INVALID_ENCODING: 'request.media-type',
}

const failures = {
  unavailable: () => fault('server.unavailable', { retryAfter: 5 }),
  busy: () => fault('server.busy', { retryAfter: 2 }),
  'disk-full': () => fault('server.disk-full'),
} as const

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Converts any thrown value to a refusal of the catalogue; undefined for unexpected errors. */
function toFault(error: unknown): Fault | undefined {
  if (error instanceof Fault) return error
  if (error instanceof UnavailableError) return failures.unavailable()
  const code = frameworkCodes[codeOf(error)]
  if (code !== undefined) return fault(code)
  const failure = databaseFailure(error)
  if (failure !== undefined) return failures[failure]()
  // Other refusals of the HTTP framework and its plugins have a status; a 4xx is a fault of the client.
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    if (error.statusCode === 404) return fault('route.not-found')
    if (error.statusCode >= 400 && error.statusCode < 500) return fault('request.header')
  }
  return undefined
}

function sendFault(refusal: Fault, reply: FastifyReply): FastifyReply {
  emitSignal('refusal', { code: refusal.code })
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  return reply
    .status(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toErrorBody(refusal)))
}

/**
 * Answers a thrown error. The answer to an unexpected error
 * contains only its request id; the log has the stack.
 */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const knownFault = toFault(error)
  if (knownFault === undefined || knownFault.status >= 500) request.log.error({ err: error }, 'request failed')
  return sendFault(knownFault ?? fault('server.internal', { details: { requestId: request.id } }), reply)
}

/** Answers requests that the router could not parse. Hooks have not run then, so the headers are set here. */
export function answerUnreadable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'`,
    'x-request-id': request.id,
  })
  void answerError(error, request, reply)
}

/** Writes a refusal on a bare response, before the application exists. */
export function writeRefusal(response: ServerResponse, refusal: Fault): void {
  const body = JSON.stringify(toErrorBody(refusal))
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
    ...(refusal.retryAfter !== undefined && { 'retry-after': String(refusal.retryAfter) }),
  })
  response.end(body)
}

/** Answers bytes that are not an HTTP request, and cuts the connection. */
export function refuseConnection(error: Error, socket: Socket): void {
  if (codeOf(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(toErrorBody(fault('request.header')))
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/**
 * Sets the handlers of thrown errors and of unknown routes. An unknown route is a 404 in this format, with
 * any method (contract §1).
 */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
}
