/** The SHA-256 of a file, by which the store recognises a file that it already has. */

/**
 * Computes the SHA-256 hash of a file.
 *
 * @returns Hexadecimal digits; undefined where the browser has no `crypto.subtle`, as on an address without
 *   https.
 */
export async function hashOf(file: Blob): Promise<string | undefined> {
  // Pages without https have no `crypto.subtle`, although TypeScript declares that it always exists.
  const subtleCrypto = 'subtle' in crypto ? crypto.subtle : undefined
  if (subtleCrypto === undefined) return undefined
  const digest = await subtleCrypto.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
