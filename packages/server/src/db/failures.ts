/** Classifies failures of a database, so that a request fails fast and with the right message. */

const disk = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const busy = new Set([
  '57014', // statement timeout
  '55P03', // lock timeout
  '40P01', // deadlock
  '40001', // serialization
  '25P03', // idle in transaction for too long
])
const away = new Set([
  '57P01', // ended by an administrator
  '57P02',
  '57P03', // starting up
  '57P05',
  '53300', // too many connections
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
const awayWords =
  /timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|not queryable|pool after calling end|PGlite is (closed|closing)/i

export type DatabaseFailure = 'unavailable' | 'busy' | 'disk-full'

/** The class of a database error; undefined for errors that are not about its state (checklist §11). */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (disk.has(code)) return 'disk-full'
  if (busy.has(code)) return 'busy'
  if (away.has(code) || code.startsWith('08') || awayWords.test(error.message)) return 'unavailable'
  if (error instanceof AggregateError) return error.errors.map(databaseFailure).find((found) => found !== undefined)
  return undefined
}
