/** Creates and parses names of stored files: random, whatever the client calls the file (checklist §4). */
import { randomBytes } from 'node:crypto'

/** Extension and type of the accepted kinds of pictures, by the kind that their content shows. */
export const imageKinds = {
  jpeg: { ext: '.jpg', mime: 'image/jpeg' },
  png: { ext: '.png', mime: 'image/png' },
  webp: { ext: '.webp', mime: 'image/webp' },
  gif: { ext: '.gif', mime: 'image/gif' },
} as const
export type ImageKind = keyof typeof imageKinds

/**
 * Maximum sizes of the smaller copies (contract §10), the largest first: each can be made from the one
 * before.
 */
export const formatBoxes = {
  large: { width: 1_000, height: 1_000 },
  medium: { width: 750, height: 750 },
  small: { width: 500, height: 500 },
  thumbnail: { width: 245, height: 156 },
} as const
export type FormatName = keyof typeof formatBoxes
const formatNames = Object.keys(formatBoxes) as FormatName[]

/** Pattern of stored names for routes and look-ups: nothing else ever reaches a file system. */
export const storedNamePattern = '^(?:(?:large|medium|small|thumbnail)_)?[0-9a-f]{32}[.](?:jpg|png|webp|gif)$'
const storedName = new RegExp(storedNamePattern)
const nameParts = /^(?:([a-z]+)_)?([0-9a-f]{32})([.][a-z]+)$/

/** Creates a name for a file: 128 random bits, hexadecimal. */
export const newHash = (): string => randomBytes(16).toString('hex')

/** Returns the hash of a copy, which is also its name without extension. */
export const hashOf = (hash: string, format?: FormatName): string => (format ? `${format}_${hash}` : hash)

/** Parts of the name of a stored file. */
export interface StoredName {
  hash: string
  ext: string
  mime: string
  /** Whether the name is of a smaller copy, which may be WebP for a picture of another kind. */
  isCopy: boolean
  /** Name of the smaller copy; undefined for the picture itself. */
  format: FormatName | undefined
}

/** Parses a stored name; undefined for any other text. */
export function readStoredName(name: string): StoredName | undefined {
  const [, prefix, hash, ext] = storedName.test(name) ? (nameParts.exec(name) ?? []) : []
  const kind = Object.values(imageKinds).find((known) => known.ext === ext)
  return hash !== undefined && kind
    ? { hash, ...kind, isCopy: prefix !== undefined, format: formatNames.find((format) => format === prefix) }
    : undefined
}
