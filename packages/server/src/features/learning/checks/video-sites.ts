/** Asks the sites of linked videos whether they can be played elsewhere, by oEmbed. */
import type { SiteVideo } from '@dala/model'
import { isObject } from '../../../resources/read/context.ts'

/** Sends a request, as the global function does. */
export type Fetch = (address: URL, options: RequestInit) => Promise<Response>

/** `unknown` means that the site gave no answer about the video. */
export type VideoAnswer = 'reachable' | 'unreachable' | 'unknown'

/** The only addresses that are asked, and the statuses by which a site refuses a private, removed or unknown video. */
const sites: Readonly<Record<SiteVideo['site'], { address: string; refusals: ReadonlySet<number> }>> = {
  YouTube: { address: 'https://www.youtube.com/oembed', refusals: new Set([400, 401, 403, 404]) },
  Vimeo: { address: 'https://vimeo.com/api/oembed.json', refusals: new Set([403, 404]) },
}

const timeLimit = 5_000
const maxBytes = 65_536

/** Reads a JSON body; undefined when it is too long or something else. */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (!body) return undefined
  const received: AsyncIterable<Uint8Array> = body
  for await (const chunk of received) {
    bytes += chunk.length
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

/**
 * Asks the site of a video.
 *
 * @param video - The video.
 * @param fetchFrom - Sends the request.
 * @param stop - Ends the request early.
 * @returns `unreachable` only when the site itself refuses the video.
 */
export async function askSite({ site, page }: SiteVideo, fetchFrom: Fetch, stop: AbortSignal): Promise<VideoAnswer> {
  const { address, refusals } = sites[site]
  const url = new URL(address)
  url.search = new URLSearchParams({ format: 'json', url: page }).toString()
  try {
    const answer = await fetchFrom(url, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeLimit)]),
    })
    if (answer.status === 200) {
      const details = await readJson(answer)
      return isObject(details) && details.type === 'video' && typeof details.html === 'string' ? 'reachable' : 'unknown'
    }
    await answer.body?.cancel()
    return refusals.has(answer.status) ? 'unreachable' : 'unknown'
  } catch {
    return 'unknown'
  }
}
