/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes. */
import { createHash } from 'node:crypto'
import { foldCase } from '@dala/model'
import { Secret, TOTP } from 'otpauth'

const shape = { issuer: 'Dala', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Number of periods by which the clocks of a telephone and the server may differ. */
const allowedPeriods = 1
const recoveryCount = 10
const maxCodeLength = 64

/** Creates a secret of the second step from 160 random bits, in the Base32 that apps accept. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Builds the URI of the QR code that an app reads. */
export function uriOf(secret: string, account: string): string {
  return new TOTP({ ...shape, secret, label: account }).toString()
}

/**
 * Normalises a code of the second step: apps and users add spaces and hyphens.
 *
 * @returns `undefined` for a value that cannot be a code.
 */
export function readCode(rawCode: unknown): string | undefined {
  if (typeof rawCode !== 'string' || rawCode.length > maxCodeLength) return undefined
  return foldCase(rawCode.replace(/[\s-]/g, ''))
}

/** Tells whether a normalised code has the form of an app's code, not of a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/**
 * Finds the 30-second period of an app's code, at most one period away from now.
 *
 * @param secret - The secret in Base32.
 * @param code - A normalised code.
 * @param now - The time in milliseconds.
 * @returns `undefined` for a wrong code.
 */
export function periodOfCode(secret: string, code: string, now: number): number | undefined {
  if (!isAppCode(code)) return undefined
  const totp = new TOTP({ ...shape, secret })
  const delta = totp.validate({ token: code, timestamp: now, window: allowedPeriods })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}

/** Creates ten recovery codes of 80 random bits each, in groups of four: `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () =>
    foldCase(new Secret({ size: 10 }).base32).replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** Computes the stored hash of a normalised recovery code, which has enough random bits for a plain hash. */
export function recoveryHash(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
