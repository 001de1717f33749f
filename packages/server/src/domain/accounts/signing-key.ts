/**
 * Keys of the program: from the settings, or generated at the first start and stored in the data folder,
 * outside its backups.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Keys for tokens: the first signs, the others are still accepted. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]]

const encoder = new TextEncoder()

/**
 * Reads the signing keys.
 *
 * @param configuredKeys - The keys of the settings.
 * @param dataDir - The data folder, which otherwise stores a key of 256 random bits with mode 600.
 * @returns The keys.
 */
export function readSigningKeys(configuredKeys: readonly string[] | undefined, dataDir: string): SigningKeys {
  const [firstKey, ...otherKeys] = configuredKeys ?? [storedKey(dataDir, 'jwt')]
  if (firstKey === undefined) throw new Error('There is no signing key')
  return [encoder.encode(firstKey), ...otherKeys.map((key) => encoder.encode(key))]
}

/**
 * Reads a key from the data folder; the first call generates it: 256 random bits, mode 600.
 *
 * @param dataDir - The data folder.
 * @param name - The name of its file below `secrets`.
 */
export function storedKey(dataDir: string, name: 'jwt' | 'two-step'): string {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  // The whole key file is linked into place, so that a crash leaves no partial key and one start wins.
  const draft = join(folder, `${name}.${process.pid}`)
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}
