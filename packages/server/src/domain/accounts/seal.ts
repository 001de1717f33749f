/**
 * Encrypts small secrets before they are stored: a copy of the database alone does not contain them (checklist
 * §10).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { storedKey } from './signing-key.ts'

const algorithm = 'aes-256-gcm'
/** Prefix of every sealed secret; neither Base32 nor Base64 for addresses has a full stop. */
const prefix = 'v1.'
const [ivBytes, tagBytes] = [12, 16]

/** Keys as configured or stored: the first seals, the others open what they sealed before. */
export type SealKeys = readonly [string, ...string[]]

/** Seals and opens secrets of one purpose. */
export class Seal {
  readonly #keys: readonly Buffer[]
  readonly #first: Buffer

  /**
   * Creates a seal.
   *
   * @param texts - The keys; each is stretched to the 256 bits of the cipher.
   * @param purpose - The kind of secrets; a seal of another purpose cannot open them.
   */
  constructor([firstKey, ...otherKeys]: SealKeys, purpose: string) {
    const deriveKey = (text: string) => Buffer.from(hkdfSync('sha256', text, '', purpose, 32))
    this.#first = deriveKey(firstKey)
    this.#keys = [this.#first, ...otherKeys.map(deriveKey)]
  }

  /**
   * Encrypts (seals) a secret.
   *
   * @param context - Its owner; the sealed secret cannot be opened for another one.
   * @param secret - The secret.
   * @returns `v1.` and the Base64 of nonce, ciphertext and tag.
   */
  seal(context: string, secret: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, this.#first, iv).setAAD(Buffer.from(context))
    const sealedBytes = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return prefix + sealedBytes.toString('base64url')
  }

  /**
   * Opens a sealed secret.
   *
   * @returns The secret, and whether the first key sealed it; `undefined` when no key of this server opens
   * it.
   */
  open(context: string, sealedText: string): { secret: string; isCurrent: boolean } | undefined {
    if (!isSealedSecret(sealedText)) return undefined
    const bytes = Buffer.from(sealedText.slice(prefix.length), 'base64url')
    if (bytes.length <= ivBytes + tagBytes) return undefined
    for (const [index, key] of this.#keys.entries()) {
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes))
        const secret = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
        return { secret: secret.toString('utf8'), isCurrent: index === 0 }
      } catch {
        // The secret was sealed with another key, or changed by hand: the next key is tried.
      }
    }
    return undefined
  }
}

/** Tells whether a stored secret is sealed. */
export const isSealedSecret = (storedSecret: string): boolean => storedSecret.startsWith(prefix)

/**
 * Reads the keys of seals.
 *
 * @param configuredKeys - Keys of the settings.
 * @param dataDir - The data folder, where a key is created if the settings have none.
 */
export function readSealKeys(configuredKeys: readonly string[] | undefined, dataDir: string): SealKeys {
  const [firstKey, ...otherKeys] = configuredKeys ?? []
  return firstKey === undefined ? [storedKey(dataDir, 'two-step')] : [firstKey, ...otherKeys]
}
