/** Creates and parses names of stored files: random, whatever the client calls the file (checklist §4). */
import { randomBytes } from 'node:crypto'
import { storedExtensions } from '@dala/model'

/** Extension and type of the accepted kinds of pictures, by the kind that their content shows. */
export const imageKinds = {
  jpeg: { ext: '.jpg', mime: 'image/jpeg' },
  png: { ext: '.png', mime: 'image/png' },
  webp: { ext: '.webp', mime: 'image/webp' },
  gif: { ext: '.gif', mime: 'image/gif' },
} as const
export type ImageKind = keyof typeof imageKinds

const openXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Extension and type of the other kinds of files, which are stored as they were received (contract §10). */
export const fileKinds = {
  mp4: { ext: '.mp4', mime: 'video/mp4' },
  webm: { ext: '.webm', mime: 'video/webm' },
  vtt: { ext: '.vtt', mime: 'text/vtt' },
  pdf: { ext: '.pdf', mime: 'application/pdf' },
  docx: { ext: '.docx', mime: `${openXml}.wordprocessingml.document` },
  xlsx: { ext: '.xlsx', mime: `${openXml}.spreadsheetml.sheet` },
  pptx: { ext: '.pptx', mime: `${openXml}.presentationml.presentation` },
  odt: { ext: '.odt', mime: `${openDocument}.text` },
  ods: { ext: '.ods', mime: `${openDocument}.spreadsheet` },
  odp: { ext: '.odp', mime: `${openDocument}.presentation` },
  txt: { ext: '.txt', mime: 'text/plain' },
  csv: { ext: '.csv', mime: 'text/csv' },
} as const
export type FileKind = keyof typeof fileKinds

const storedKinds = Object.values({ ...imageKinds, ...fileKinds })

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
export const storedNamePattern = `^(?:(?:large|medium|small|thumbnail)_)?[0-9a-f]{32}[.](?:${storedExtensions.join('|')})$`
const storedName = new RegExp(storedNamePattern)
const nameParts = /^(?:([a-z]+)_)?([0-9a-f]{32})([.][a-z0-9]+)$/

/** Creates a name for a file: 128 random bits, hexadecimal. */
export const newHash = (): string => randomBytes(16).toString('hex')

/** Returns the hash of a smaller copy, which is also its name without extension. */
export const hashOf = (hash: string, format?: FormatName): string => (format ? `${format}_${hash}` : hash)

/** Parts of the name of a stored file. */
export interface StoredName {
  hash: string
  ext: string
  mime: string
  /** Whether the stored name is of a smaller copy, which may be WebP for a picture of another kind. */
  isCopy: boolean
  /** Name of the smaller copy in a stored name; undefined for the picture itself. */
  format: FormatName | undefined
}

/** Parses the name of a stored file; undefined for any other text. */
export function readStoredName(name: string): StoredName | undefined {
  const [, prefix, hash, ext] = storedName.test(name) ? (nameParts.exec(name) ?? []) : []
  const kind = storedKinds.find((storedKind) => storedKind.ext === ext)
  return hash !== undefined && kind
    ? { hash, ...kind, isCopy: prefix !== undefined, format: formatNames.find((format) => format === prefix) }
    : undefined
}
