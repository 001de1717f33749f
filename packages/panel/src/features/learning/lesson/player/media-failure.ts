/** Finds out why a video does not play. */

/** Reason why a video does not play: missing file, format that the browser refuses, or broken connection. */
export type MediaFailure = 'missing' | 'refused' | 'broken'

/** Value of `MediaError.MEDIA_ERR_DECODE`: the browser cannot decode the file. */
const decodeError = 3

/**
 * Requests a video file once more to find its failure: the video element reports a missing file, a foreign
 * format and a broken connection with the same code.
 *
 * @param source - Address of the video file.
 * @param code - Code of the element's error.
 */
export async function findFailure(source: string, code: number | undefined): Promise<MediaFailure> {
  if (!navigator.onLine) return 'broken'
  if (code === decodeError) return 'refused'
  // Video files of other hosts cannot be requested: the content policy allows them as media only.
  if (!source.startsWith('/')) return 'refused'
  try {
    const { ok, status } = await fetch(source, { method: 'HEAD', cache: 'no-store' })
    if (status === 404 || status === 410) return 'missing'
    return ok && code !== undefined && code > decodeError ? 'refused' : 'broken'
  } catch {
    return 'broken'
  }
}
