/** Finds out why a video does not play. */

/** The file does not exist, the browser refuses its format, or the connection is broken. */
export type MediaFailure = 'missing' | 'refused' | 'broken'

/** `MediaError.MEDIA_ERR_DECODE`. */
const decodeError = 3

/**
 * Asks for the file once more, because the element reports a missing file, a foreign format and a broken
 * connection with the same code.
 *
 * @param source - Address of the file.
 * @param code - Code of the element's error.
 */
export async function findFailure(source: string, code: number | undefined): Promise<MediaFailure> {
  if (!navigator.onLine) return 'broken'
  if (code === decodeError) return 'refused'
  // Files of other hosts cannot be asked for: the content policy allows them as media only.
  if (!source.startsWith('/')) return 'refused'
  try {
    const { ok, status } = await fetch(source, { method: 'HEAD', cache: 'no-store' })
    if (status === 404 || status === 410) return 'missing'
    return ok && code !== undefined && code > decodeError ? 'refused' : 'broken'
  } catch {
    return 'broken'
  }
}
