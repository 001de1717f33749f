/**
 * Encrypts the secrets of second steps: a copy of the database alone is not enough to create codes (checklist
 * §10).
 */
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { migrationLock } from '../../db/migrate.ts'
import { isSealedSecret, readSealKeys, Seal, type SealKeys } from '../../domain/accounts/seal.ts'

/** Seals and opens secrets of second steps, each for its account. */
export class TwoStepSeal {
  readonly #seal: Seal

  /**
   * Creates the seal of second-step secrets.
   *
   * @param keys - Its keys.
   */
  constructor(keys: SealKeys) {
    this.#seal = new Seal(keys, 'dala two-step secrets')
  }

  /**
   * Encrypts (seals) the two-step secret of one account; it cannot be opened for another one.
   *
   * @param user - The account.
   * @param secret - The secret in Base32.
   */
  seal(user: number, secret: string): string {
    return this.#seal.seal(sealContextOf(user), secret)
  }

  /**
   * Opens a sealed secret of a second step.
   *
   * @returns The secret, and whether the first key sealed it; `undefined` when no key of this server opens
   * it.
   */
  open(user: number, sealedSecret: string): { secret: string; isCurrent: boolean } | undefined {
    return this.#seal.open(sealContextOf(user), sealedSecret)
  }
}

const sealContextOf = (user: number) => `two-step:${user}`

/**
 * Reads the keys of second steps.
 *
 * @param configuredKeys - Keys of the settings.
 * @param dataDir - The data folder, where a key is created if the settings have none.
 */
export function readTwoStepSeal(configuredKeys: readonly string[] | undefined, dataDir: string): TwoStepSeal {
  return new TwoStepSeal(readSealKeys(configuredKeys, dataDir))
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
    let [sealedCount, unreadableCount] = [0, 0]
    for (const { user, stored } of rows) {
      const openedSecret = isSealedSecret(stored)
        ? twoStepSeal.open(user, stored)
        : { secret: stored, isCurrent: false }
      if (!openedSecret) unreadableCount += 1
      if (!openedSecret || openedSecret.isCurrent) continue
      await trx.query(
        sql`update two_step set secret = ${twoStepSeal.seal(user, openedSecret.secret)} where user_id = ${user}`,
      )
      sealedCount += 1
    }
    return { sealed: sealedCount, unreadable: unreadableCount }
  })
}
