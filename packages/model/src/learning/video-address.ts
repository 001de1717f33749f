/** Finds the player of a video's address: the browser itself, or the player of one of two known sites. */

/** A video on a known site: the address of its player, and the address of its page. */
export interface SiteVideo {
  kind: 'player'
  site: 'YouTube' | 'Vimeo'
  src: string
  page: string
}

export type Video = { kind: 'file'; src: string } | SiteVideo

const youTubeHosts: ReadonlySet<string> = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
])
const vimeoHosts: ReadonlySet<string> = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'])

function youTubeId({ hostname, pathname, searchParams }: URL): string | undefined {
  const [, firstPart = '', secondPart = ''] = pathname.split('/')
  const id =
    hostname === 'youtu.be'
      ? firstPart
      : firstPart === 'watch'
        ? searchParams.get('v')
        : ['embed', 'shorts', 'live'].includes(firstPart)
          ? secondPart
          : null
  return id && /^[\w-]{11}$/.test(id) ? id : undefined
}

/** Reads the number of a Vimeo video, and the key of an unlisted video. */
function vimeoId({ hostname, pathname, searchParams }: URL): { id: string; key: string | undefined } | undefined {
  const parts = pathname.split('/').filter((pathPart) => pathPart !== '')
  const [id = '', key = searchParams.get('h')] =
    hostname === 'player.vimeo.com' ? (parts[0] === 'video' ? parts.slice(1) : []) : parts
  if (!/^\d{1,12}$/.test(id)) return undefined
  return { id, key: key && /^[0-9a-f]{6,40}$/.test(key) ? key : undefined }
}

/**
 * Finds the way to show a video by its address; null for every address that is not a known video. The
 * addresses of player and page are built from the video's number alone: no other part of the typed address
 * reaches a frame or a request.
 */
export function videoOf(address: string): Video | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '') return null
  if (url.hostname === 'youtu.be' || youTubeHosts.has(url.hostname)) {
    const id = youTubeId(url)
    if (!id) return null
    const src = `https://www.youtube-nocookie.com/embed/${id}`
    return { kind: 'player', site: 'YouTube', src, page: `https://www.youtube.com/watch?v=${id}` }
  }
  if (vimeoHosts.has(url.hostname)) {
    const video = vimeoId(url)
    if (!video) return null
    const [key, path] = video.key ? [`&h=${video.key}`, `/${video.key}`] : ['', '']
    const src = `https://player.vimeo.com/video/${video.id}?dnt=1${key}`
    return { kind: 'player', site: 'Vimeo', src, page: `https://vimeo.com/${video.id}${path}` }
  }
  return /\.(mp4|webm)$/i.test(url.pathname) ? { kind: 'file', src: url.href } : null
}
