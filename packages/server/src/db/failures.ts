/** Classifies failures of a database, so that a request fails fast and with the right message. */

const diskCodes = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const busyCodes = new Set([
  '57014', // code of a statement timeout
  '55P03', // code of a lock timeout
  '40P01', // code of a deadlock
  '40001', // code of a failed serialization
  '25P03', // code of a session that was idle in a transaction for too long
])
const connectionLossCodes = new Set([
  '57P01', // code of a session that an administrator ended
  '57P02',
  '57P03', // code of a server that is starting up
  '57P05',
  '53300', // code of a server with too many connections
  '28P01',
  '28000',
  '3D000',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
])
// Messages of errors that the pool and the client throw without a code.
const connectionLossPattern =
  /timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|not queryable|pool after calling end|PGlite is (closed|closing)/i

export type DatabaseFailure = 'unavailable' | 'busy' | 'disk-full'

/** The class of a database error; undefined for errors that are not about its state (checklist §11). */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (diskCodes.has(code)) return 'disk-full'
  if (busyCodes.has(code)) return 'busy'
  if (connectionLossCodes.has(code) || code.startsWith('08') || connectionLossPattern.test(error.message))
    return 'unavailable'
  if (error instanceof AggregateError)
    return error.errors.map(databaseFailure).find((foundFailure) => foundFailure !== undefined)
  return undefined
}
