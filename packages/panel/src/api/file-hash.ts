/** The SHA-256 of a file, by which the store knows a file that it has already. */

/** Out: hexadecimal; undefined where the browser offers no such thing, as on an address without https. */
export async function hashOf(file: Blob): Promise<string | undefined> {
  // Typed as always there, it is absent from insecure contexts.
  const subtle = 'subtle' in crypto ? crypto.subtle : undefined
  if (subtle === undefined) return undefined
  const digest = await subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
