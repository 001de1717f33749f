/** Asks the sites of linked videos whether they can be played elsewhere, by oEmbed. */
import type { SiteVideo } from '@dala/model'
import { isObject } from '../../../resources/read/context.ts'

/** Function that sends a request as the global `fetch` does. */
export type FetchFunction = (address: URL, options: RequestInit) => Promise<Response>

/** Answer of a video site; `unknown` means that it gave none about the video. */
export type VideoAnswer = 'reachable' | 'unreachable' | 'unknown'

/**
 * Addresses of video sites that are asked, and statuses with which a site refuses a private, removed or
 * unknown video.
 */
const sites: Readonly<Record<SiteVideo['site'], { address: string; refusals: ReadonlySet<number> }>> = {
  YouTube: { address: 'https://www.youtube.com/oembed', refusals: new Set([400, 401, 403, 404]) },
  Vimeo: { address: 'https://vimeo.com/api/oembed.json', refusals: new Set([403, 404]) },
}

const timeLimit = 5_000
const maxBytes = 65_536

/** Reads the JSON body of a site's answer; undefined when it is too long or is no JSON. */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (!body) return undefined
  const receivedChunks: AsyncIterable<Uint8Array> = body
  for await (const chunk of receivedChunks) {
    bytes += chunk.length
    // Leaving the loop over the chunks cancels the rest of the body.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

/**
 * Asks a video site whether it plays a video elsewhere.
 *
 * @param video - The video.
 * @param fetchFrom - Sends the request.
 * @param abortSignal - Ends the request early.
 * @returns `unreachable` only when the site itself refuses the video.
 */
export async function askSite(
  { site, page }: SiteVideo,
  fetchFrom: FetchFunction,
  abortSignal: AbortSignal,
): Promise<VideoAnswer> {
  const { address, refusals } = sites[site]
  const url = new URL(address)
  url.search = new URLSearchParams({ format: 'json', url: page }).toString()
  try {
    const answer = await fetchFrom(url, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([abortSignal, AbortSignal.timeout(timeLimit)]),
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
