/** The files behind a picture field: the smallest that is sharp enough is chosen by the browser. */
import { fileAddress } from '../api/client.ts'
import type { GalleryPicture } from '../ui/gallery-props.ts'

export interface Picture {
  /** The smallest file, for browsers and places that need no choice. */
  src: string
  srcSet: string
}

interface File {
  url: string
  width: number
}

function fileOf(value: unknown): File | undefined {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string')
    return undefined
  const url = fileAddress(value.url)
  if (url === undefined) return undefined
  return { url, width: 'width' in value && typeof value.width === 'number' ? value.width : Infinity }
}

/** The picture of a populated field; undefined when there is none. The server keeps smaller sizes in `formats`. */
export function pictureOf(value: unknown): Picture | undefined {
  const original = fileOf(value)
  if (!original || typeof value !== 'object' || value === null) return undefined
  const formats = 'formats' in value && typeof value.formats === 'object' ? Object.values(value.formats ?? {}) : []
  const files = [...formats.map(fileOf).filter((file) => file !== undefined), original].toSorted(
    (left, right) => left.width - right.width,
  )
  const sized = files.filter(({ width }) => Number.isFinite(width))
  return {
    src: files[0]?.url ?? original.url,
    srcSet: sized.length > 1 ? sized.map(({ url, width }) => `${url} ${width}w`).join(', ') : '',
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** A populated picture as the gallery shows it, with its words; undefined when there is none. */
export function galleryPictureOf(value: unknown, alt: string, caption?: string): GalleryPicture | undefined {
  const original = fileOf(value)
  if (!original || typeof value !== 'object' || value === null) return undefined
  return {
    src: original.url,
    thumbnail: pictureOf(value)?.src,
    alt,
    caption,
    width: 'width' in value ? numberOf(value.width) : undefined,
    height: 'height' in value ? numberOf(value.height) : undefined,
  }
}
