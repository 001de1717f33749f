/**
 * Encrypts the secrets of second steps: a copy of the database alone is not enough to create codes (checklist
 * §10).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { migrationLock } from '../../db/migrate.ts'
import { storedKey } from '../../domain/accounts/signing-key.ts'

const algorithm = 'aes-256-gcm'
/** Prefix of every sealed secret; Base32 has no full stop. */
const prefix = 'v1.'
const [ivBytes, tagBytes] = [12, 16]

/** Seals and opens secrets. The first key seals; the others open secrets that they sealed before. */
export class TwoStepSeal {
  readonly #keys: readonly [Buffer, ...Buffer[]]

  /**
   * Creates the seal of second-step secrets from its keys.
   *
   * @param texts - The keys as configured or stored; each is stretched to the 256 bits of the cipher.
   */
  constructor(texts: readonly [string, ...string[]]) {
    const [first, ...others] = texts
    this.#keys = [deriveSealKey(first), ...others.map(deriveSealKey)]
  }

  /**
   * Encrypts (seals) the two-step secret of one account; it cannot be opened for another one.
   *
   * @param user - The account.
   * @param secret - The secret in Base32.
   * @returns `v1.` and the Base64 of nonce, ciphertext and tag.
   */
  seal(user: number, secret: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, this.#keys[0], iv).setAAD(sealContextOf(user))
    const sealedBytes = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return prefix + sealedBytes.toString('base64url')
  }

  /**
   * Opens a sealed secret of a second step.
   *
   * @returns The secret, and whether the first key sealed it; `undefined` when no key of this server opens
   * it.
   */
  open(user: number, sealed: string): { secret: string; isCurrent: boolean } | undefined {
    if (!isSealedSecret(sealed)) return undefined
    const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
    if (bytes.length <= ivBytes + tagBytes) return undefined
    for (const [index, key] of this.#keys.entries()) {
      try {
        const decipherer = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
          .setAAD(sealContextOf(user))
          .setAuthTag(bytes.subarray(-tagBytes))
        const secret = Buffer.concat([decipherer.update(bytes.subarray(ivBytes, -tagBytes)), decipherer.final()])
        return { secret: secret.toString('utf8'), isCurrent: index === 0 }
      } catch {
        // The secret was sealed with another key, or changed by hand: the next key is tried.
      }
    }
    return undefined
  }
}

const deriveSealKey = (text: string) => Buffer.from(hkdfSync('sha256', text, '', 'dala two-step secrets', 32))
const sealContextOf = (user: number) => Buffer.from(`two-step:${user}`)
const isSealedSecret = (stored: string) => stored.startsWith(prefix)

/**
 * Reads the keys of second steps.
 *
 * @param configured - Keys of the settings.
 * @param dataDir - The data folder, where a key is created if the settings have none.
 */
export function readTwoStepSeal(configured: readonly string[] | undefined, dataDir: string): TwoStepSeal {
  const [first, ...others] = configured ?? []
  return new TwoStepSeal(first === undefined ? [storedKey(dataDir, 'two-step')] : [first, ...others])
}

/**
 * Encrypts (seals) two-step secrets that are stored in clear, and seals again those of a former key. It may
 * run at every start and on every instance.
 *
 * @returns How many secrets were sealed, and how many no key of this server opens.
 */
export function sealStoredSecrets(
  database: Database,
  twoStepSeal: TwoStepSeal,
): Promise<{ sealed: number; unreadable: number }> {
  return database.transaction(async (trx) => {
    await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`)
    const rows = await trx.query(sql<{ user: number; stored: string }>`
      select user_id as user, secret as stored from two_step order by user_id for update`)
    let [sealed, unreadable] = [0, 0]
    for (const { user, stored } of rows) {
      const openedSecret = isSealedSecret(stored)
        ? twoStepSeal.open(user, stored)
        : { secret: stored, isCurrent: false }
      if (!openedSecret) unreadable += 1
      if (!openedSecret || openedSecret.isCurrent) continue
      await trx.query(
        sql`update two_step set secret = ${twoStepSeal.seal(user, openedSecret.secret)} where user_id = ${user}`,
      )
      sealed += 1
    }
    return { sealed, unreadable }
  })
}
