/**
 * Keys by which push services recognise this installation (VAPID, RFC 8292): made once, and stored with the
 * private key sealed.
 */
import { generateKeyPairSync } from 'node:crypto'
import { sql } from '../../db/sql.ts'
import type { Database, Queries } from '../../db/database.ts'
import { readSealKeys, Seal } from '../../domain/accounts/seal.ts'
import type { Settings } from '../../settings.ts'

/** Key of the advisory lock under which the keys are made. */
const keysLock = 4_711_010
const context = 'push-keys'

export interface PushKeys {
  publicKey: string
  privateKey: string
}

/** Makes the seal of the private key from the keys that seal second steps. */
export const pushSeal = ({ twoStepKeys, dataDir }: Pick<Settings, 'twoStepKeys' | 'dataDir'>): Seal =>
  new Seal(readSealKeys(twoStepKeys, dataDir), 'dala push keys')

/** Makes new keys: a point of P-256 with 65 bytes and its secret with 32, in Base64 for addresses. */
export function makePushKeys(): PushKeys {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
    format: 'jwk',
  })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d }
}

/** Reads the stored keys; undefined without any, or when no key of this server opens the private one. */
async function storedKeys(queries: Pick<Queries, 'query'>, seal: Seal): Promise<PushKeys | undefined> {
  const [row] = await queries.query(sql<PushKeys>`
    select public_key as "publicKey", private_key as "privateKey" from push_keys`)
  const openedKey = row && seal.open(context, row.privateKey)
  if (!row || !openedKey) return undefined
  if (!openedKey.isCurrent)
    await queries.query(sql`update push_keys set private_key = ${seal.seal(context, openedKey.secret)}`)
  return { publicKey: row.publicKey, privateKey: openedKey.secret }
}

/**
 * Reads the keys of the installation. The first call makes them. Keys that cannot be opened are replaced, and
 * the subscriptions made with them are deleted: browsers subscribe anew on the next visit.
 */
export async function readPushKeys(database: Database, seal: Seal): Promise<PushKeys> {
  const existingKeys = await storedKeys(database, seal)
  if (existingKeys) return existingKeys
  return database.transaction(async (trx) => {
    await trx.query(sql`select pg_advisory_xact_lock(${sql.lit(keysLock)})`)
    const knownKeys = await storedKeys(trx, seal)
    if (knownKeys) return knownKeys
    const generatedKeys = makePushKeys()
    await trx.query(sql`delete from push_subscriptions`)
    await trx.query(sql`
      insert into push_keys (id, public_key, private_key)
      values (1, ${generatedKeys.publicKey}, ${seal.seal(context, generatedKeys.privateKey)})
      on conflict (id) do update set public_key = excluded.public_key, private_key = excluded.private_key, created_at = now()`)
    return generatedKeys
  })
}
