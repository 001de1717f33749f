/**
 * Creates short-lived, signed addresses of private files, which a reader of the record can use in an `<img>`
 * (contract §10).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../resources/read/context.ts'

/** Lifetime of a signed address in seconds. */
export const addressSeconds = 300

/**
 * Creates and checks signatures of a file's hash and an expiry. All sizes of a file share its hash, so one
 * signature covers all.
 */
export class SignedAddresses {
  readonly #keys: readonly Buffer[]

  /**
   * Derives the keys that sign addresses of private files.
   *
   * @param keys - The keys that sign sessions.
   */
  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys.map((key) => createHmac('sha256', key).update('addresses of private files').digest())
  }

  /**
   * Creates the query of the signed address of a file.
   *
   * @param hash - The hash of the file, without the name of a size.
   * @param expires - The expiry, in seconds since 1970.
   * @returns The text behind the `?` of any of the file's addresses.
   */
  queryOf(hash: string, expires: number): string {
    const [key] = this.#keys
    if (key === undefined) throw new Error('There is no signing key')
    return new URLSearchParams({
      expires: String(expires),
      signature: signatureOf(key, hash, expires).toString('base64url'),
    }).toString()
  }

  /**
   * Checks the signature in a request's query against every accepted key, in constant time.
   *
   * @param hash - The hash of the requested file.
   * @param query - The parsed query.
   * @returns Whether one of the keys signed it and it has not expired.
   */
  accepts(hash: string, query: unknown): boolean {
    const { expires, signature } = isObject(query) ? query : {}
    if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false
    const signatureBytes = Buffer.from(signature, 'base64url')
    let isSigned = false
    for (const key of this.#keys) {
      const validSignature = signatureOf(key, hash, Number(expires))
      if (signatureBytes.length === validSignature.length && timingSafeEqual(signatureBytes, validSignature))
        isSigned = true
    }
    return isSigned && Number(expires) * 1_000 > Date.now()
  }
}

const signatureOf = (key: Buffer, hash: string, expires: number): Buffer =>
  createHmac('sha256', key).update(`${hash} ${expires}`).digest()
