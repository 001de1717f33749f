/** Files of a picture field, of which the browser chooses the smallest that is sharp enough. */
import { fileAddress } from '../../api/client.ts'
import type { GalleryPicture } from '../../ui/overlays/gallery-props.ts'

export interface Picture {
  /** Address of the smallest file of the picture, for uses that do not choose by size. */
  src: string
  srcSet: string
  /** Part of the picture that stays visible in other proportions, as CSS `object-position`. */
  position: string
}

export interface FocalPoint {
  /** Focal point of a picture in shares of the width and the height, 0 to 1. */
  x: number
  y: number
}

export const centre: FocalPoint = { x: 0.5, y: 0.5 }

interface File {
  url: string
  width: number
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The point of a picture that thumbnails keep visible; null where nobody has chosen one. */
export function focalOf({ focal }: Readonly<Record<string, unknown>>): FocalPoint | null {
  if (!isObject(focal)) return null
  const [x, y] = [numberOf(focal['x']), numberOf(focal['y'])]
  return x === undefined || y === undefined ? null : { x, y }
}

/** Focal point of the picture as CSS `object-position`. */
const positionOf = (focal: FocalPoint | null): string => {
  const { x, y } = focal ?? centre
  return `${x * 100}% ${y * 100}%`
}

/** Address of a picture file, as WebP where that format exists: it has fewer bytes. */
function fileOf(value: unknown): File | undefined {
  if (!isObject(value)) return undefined
  const { webp, url: ownUrl, width } = value
  const url = isObject(webp) && typeof webp['url'] === 'string' ? webp['url'] : ownUrl
  const address = typeof url === 'string' ? fileAddress(url) : undefined
  return address === undefined ? undefined : { url: address, width: numberOf(width) ?? Infinity }
}

/**
 * The picture of a populated field; undefined when the field is empty. The server stores smaller sizes in
 * `formats`.
 */
export function pictureOf(value: unknown): Picture | undefined {
  const originalPicture = fileOf(value)
  if (!originalPicture || !isObject(value)) return undefined
  const copies = isObject(value['formats']) ? Object.values(value['formats']) : []
  const files = [...copies.map(fileOf).filter((file) => file !== undefined), originalPicture].toSorted(
    (left, right) => left.width - right.width,
  )
  const filesWithWidth = files.filter(({ width }) => Number.isFinite(width))
  return {
    src: files[0]?.url ?? originalPicture.url,
    srcSet: filesWithWidth.length > 1 ? filesWithWidth.map(({ url, width }) => `${url} ${width}w`).join(', ') : '',
    position: positionOf(focalOf(value)),
  }
}

/** Entry of the gallery for a populated picture, with its texts; undefined when the field is empty. */
export function galleryPictureOf(value: unknown, alt: string, caption?: string): GalleryPicture | undefined {
  const originalPicture = fileOf(value)
  if (!originalPicture || !isObject(value)) return undefined
  return {
    src: originalPicture.url,
    thumbnail: pictureOf(value)?.src,
    alt,
    caption,
    width: numberOf(value['width']),
    height: numberOf(value['height']),
  }
}
