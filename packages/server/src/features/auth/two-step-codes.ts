/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, half a minute), and those for a lost app. */
import { createHash } from 'node:crypto'
import { foldCase } from '@dala/model'
import { Secret, TOTP } from 'otpauth'

const shape = { issuer: 'Dala', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps that the clocks of a telephone and of the server may be apart. */
const window = 1
const recoveryCount = 10
const maxCodeLength = 64

/** A secret of 160 random bits, in the Base32 that apps take. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The address behind the QR code that an app reads. */
export function uriOf(secret: string, account: string): string {
  return new TOTP({ ...shape, secret, label: account }).toString()
}

/** A code as it is compared: apps and people put spaces and hyphens into it. Undefined for what can be none. */
export function readCode(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > maxCodeLength) return undefined
  return foldCase(given.replace(/[\s-]/g, ''))
}

/** Whether a read code has the form of one of the app, and not of a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/** The step a code belongs to, at most one from now. In: a read code, milliseconds. Out: undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  if (!isAppCode(code)) return undefined
  const totp = new TOTP({ ...shape, secret })
  const delta = totp.validate({ token: code, timestamp: now, window })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}

/** Ten codes of 80 random bits each, in groups of four: `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () =>
    foldCase(new Secret({ size: 10 }).base32).replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** What is kept of a read recovery code. It is as long as random bits have to be, so a plain hash is enough. */
export function recoveryHash(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
