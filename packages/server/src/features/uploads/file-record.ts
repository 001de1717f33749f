/** Maps a stored file and the client's details to its record, and the record to the wire (contract §10). */
import {
  type Caller,
  fallbackOrder,
  type FileAddresses,
  type FileRecord,
  type Issue,
  rankOfRole,
  validationFault,
  type VideoDetails,
} from '@dala/model'
import { parseJson } from '../../http/json.ts'
import { isObject } from '../../resources/read/context.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { toLabel } from './label.ts'
import type { Picture, ProcessedImage, SmallerCopy } from './process-image.ts'
import type { FileStorage } from './storage/storage.ts'
import {
  type FileKind,
  fileKinds,
  formatBoxes,
  type FormatName,
  hashOf,
  imageKinds,
  readStoredName,
} from './stored-names.ts'

type Draft = Record<string, unknown>

/** Uploaded file before it is stored: its final name and the temporary file. */
export interface NamedFile {
  name: string
  file: string
  mime: string
  bytes: number
}

/** Converts a number of bytes to thousands of bytes with two decimals. */
const toKilobytes = (bytes: number) => Math.round(bytes / 10) / 100
const urlOf = (name: string) => `/uploads/${name}`
const nameOf = (url: unknown) => (typeof url === 'string' ? url.slice(url.lastIndexOf('/') + 1) : '')

/**
 * Lists the files of a picture and the fields of its record that describe them.
 *
 * @param image - The picture.
 * @param hash - Its new hash.
 * @param label - Its label.
 * @param provider - Its store.
 * @returns The files and the fields.
 */
export function describeFile(
  { kind, mainPicture, formats, likenessHash }: ProcessedImage,
  hash: string,
  label: string,
  provider: FileStorage['provider'],
): { files: NamedFile[]; fields: Draft } {
  const { ext, mime } = imageKinds[kind]
  const files: NamedFile[] = []
  const addressOf = ({ file, bytes }: Picture, format?: FormatName, as = imageKinds[kind]) => {
    const name = `${hashOf(hash, format)}${as.ext}`
    files.push({ name, file, mime: as.mime, bytes })
    return urlOf(name)
  }
  const copyName = (format: FormatName, webp: Picture) => ({
    ...imageKinds.webp,
    size: toKilobytes(webp.bytes),
    url: addressOf(webp, format, imageKinds.webp),
  })
  const url = addressOf(mainPicture)
  const copies = Object.entries(formats) as [FormatName, SmallerCopy][]
  const describedCopies = copies.map(([format, picture]) => {
    const { width, height, bytes, webp } = picture
    const copy = { name: `${format}_${label}`, hash: hashOf(hash, format), ext, mime, width, height }
    const copyRecord = { ...copy, size: toKilobytes(bytes), url: addressOf(picture, format), path: null }
    return [format, { ...copyRecord, ...(webp && { webp: copyName(format, webp) }) }]
  })
  const { width, height, bytes } = mainPicture
  return {
    files,
    fields: {
      width,
      height,
      formats: describedCopies.length > 0 ? Object.fromEntries(describedCopies) : null,
      hash,
      ext,
      mime,
      size: toKilobytes(bytes),
      url,
      provider,
      likeness: likenessHash,
    },
  }
}

/**
 * Returns the fields of the record of a file that is stored as it was received.
 *
 * @param file - Its kind, bytes, and details if it is a video.
 * @param hash - Its new hash.
 * @param provider - Its store.
 */
export function describeReceivedFile(
  { kind, bytes, video }: { kind: FileKind; bytes: number; video?: VideoDetails },
  hash: string,
  provider: FileStorage['provider'],
): Draft {
  const { ext, mime } = fileKinds[kind]
  const { width = null, height = null } = video ?? {}
  const url = urlOf(`${hash}${ext}`)
  return {
    width,
    height,
    formats: null,
    hash,
    ext,
    mime,
    size: toKilobytes(bytes),
    url,
    provider,
    video: video ?? null,
  }
}

/** Returns the names of the files of a record. */
export function filesOf(record: { url: unknown; formats: unknown }): string[] {
  const copies = isObject(record.formats) ? Object.values(record.formats).filter(isObject) : []
  const urls = copies.flatMap(({ url, webp }) => [url, isObject(webp) ? webp.url : undefined])
  return [record.url, ...urls].map(nameOf).filter((name) => readStoredName(name) !== undefined)
}

/**
 * Finds the file of a record that is closest to a former name.
 *
 * @param record - The present addresses of the record.
 * @param copy - The requested smaller copy and the kind of file; the picture itself without a copy.
 * @returns The stored name: the same copy, else the next larger one, else the picture itself.
 */
export function nearestFile(
  record: { url: unknown; formats: unknown },
  { format, ext }: { format: FormatName | undefined; ext: string },
): string {
  const copies = isObject(record.formats) ? record.formats : {}
  // Smaller copies of a picture are sorted by size, so that larger ones replace a missing copy.
  const names = Object.keys(formatBoxes)
  const fittingNames = format === undefined ? [] : names.slice(0, names.indexOf(format) + 1).toReversed()
  const copy = fittingNames.map((name) => copies[name]).find(isObject)
  const webp = copy && ext === imageKinds.webp.ext && isObject(copy.webp) ? copy.webp.url : undefined
  return nameOf(webp ?? copy?.url ?? record.url)
}

/**
 * Returns the addresses of a file with a query behind each.
 *
 * @param record - The file's record.
 * @param query - The text behind the `?`; none when empty.
 * @returns The address of the file and of its smaller copies, by the name of the size.
 */
export function addressesOf(
  record: { url: unknown; formats: unknown },
  query: string,
): Pick<FileAddresses, 'url' | 'formats'> {
  const address = (url: unknown) => (typeof url === 'string' ? `${url}${query === '' ? '' : `?${query}`}` : null)
  const copies = isObject(record.formats) ? Object.entries(record.formats) : []
  const formats: Draft = {}
  for (const [name, copy] of copies) {
    if (!isObject(copy)) continue
    formats[name] = { url: address(copy.url), ...(isObject(copy.webp) && { webp: { url: address(copy.webp.url) } }) }
  }
  return { url: address(record.url), formats: copies.length > 0 ? formats : null }
}

/** Fields of a file's record that a client may set. */
const changeableFields = [
  'alternativeText',
  'caption',
  'alt',
  'captions',
  'folder',
  'focal',
  'original',
  'crop',
] as const
/** Pairs of a text field of a file and the field with its other languages (content-model §9). */
const pairs = [
  ['alternativeText', 'alt'],
  ['caption', 'captions'],
] as const

/**
 * Parses the `fileInfo` parts of an upload's form: one object each, or one list.
 *
 * @param parts - The parts.
 * @returns One object for each file, in order.
 * @throws 400 for anything but JSON objects.
 */
export function readFileInfo(parts: readonly unknown[]): Draft[] {
  return parts.flatMap((infoPart) => {
    let value: unknown = infoPart
    if (typeof infoPart === 'string') {
      try {
        value = parseJson(Buffer.from(infoPart))
      } catch {
        throw badInfo()
      }
    }
    const items: unknown[] = Array.isArray(value) ? value : [value ?? {}]
    return items.map((item) => {
      if (!isObject(item)) throw badInfo()
      return { ...item }
    })
  })
}

/** Returns the English text of a multilingual object, else its first text. */
function firstText(texts: unknown): string | null {
  if (typeof texts === 'string') return texts
  const foundTexts = isObject(texts) ? fallbackOrder('en').map((locale) => texts[locale]) : []
  return foundTexts.find((text): text is string => typeof text === 'string' && text !== '') ?? null
}

const badInfo = () => {
  const issue: Issue = { path: ['fileInfo'], code: 'validation.json', params: { field: 'fileInfo' } }
  return validationFault([issue])
}

/**
 * Normalises a folder, a label with slashes between its levels: no blank levels, no spaces around one.
 *
 * @param text - The folder as typed.
 * @returns The folder; null for none.
 */
export function toFolder(text: string): string | null {
  const levels = text.split('/').map((level) => level.trim())
  return levels.filter((level) => level !== '').join('/') || null
}

/**
 * Checks the focal point and the crop of a picture.
 *
 * @throws 400 for a point outside the picture (in shares of its width and height), and for a crop that is no
 * object.
 */
function checkShape({ focal, crop }: Draft): void {
  const wrongFields: string[] = []
  const shares = isObject(focal) ? [focal.x, focal.y] : [focal]
  const isFraction = (share: unknown) => typeof share === 'number' && share >= 0 && share <= 1
  if (focal !== undefined && focal !== null && !(shares.length === 2 && shares.every(isFraction)))
    wrongFields.push('focal')
  if (crop !== undefined && crop !== null && !isObject(crop)) wrongFields.push('crop')
  if (wrongFields.length === 0) return
  throw validationFault(wrongFields.map((field) => ({ path: [field], code: 'validation.json', params: { field } })))
}

/**
 * Maps the client's details to the fields of a record. Writing a plain text also writes the English text of
 * its multilingual object, and vice versa.
 *
 * @param infoDraft - The details.
 * @param currentDraft - The present record.
 * @returns The fields to write.
 */
export function toDraft(infoDraft: Draft, currentDraft: Draft = {}): Draft {
  const draft: Draft = {}
  for (const name of changeableFields) if (infoDraft[name] !== undefined) draft[name] = infoDraft[name]
  // An empty name in the details leaves the label of the file unchanged.
  if (typeof infoDraft.name !== 'string') draft.name = infoDraft.name ?? undefined
  else if (infoDraft.name.trim() !== '') draft.name = toLabel(infoDraft.name)
  if (draft.name === undefined) delete draft.name
  if (typeof draft.folder === 'string') draft.folder = toFolder(draft.folder)
  checkShape(draft)
  for (const [plainField, translatedField] of pairs) {
    const [text, texts] = [draft[plainField], draft[translatedField]]
    if (texts !== undefined) {
      draft[plainField] = firstText(texts)
    } else if (typeof text === 'string' || text === null) {
      const currentTexts = isObject(currentDraft[translatedField]) ? currentDraft[translatedField] : {}
      const nextTexts: Draft = { ...currentTexts, en: text ?? undefined }
      if (text === null || text === '') delete nextTexts.en
      draft[translatedField] = Object.keys(nextTexts).length > 0 ? nextTexts : null
    }
  }
  return draft
}

/**
 * Keys of a file's record on the wire, in the order of contract §10, followed by those of the content model.
 */
const shownKeys = [
  'id',
  'name',
  'alternativeText',
  'caption',
  'alt',
  'captions',
  'folder',
  'focal',
  'width',
  'height',
  'formats',
  'hash',
  'ext',
  'mime',
  'size',
  'url',
  'previewUrl',
  'provider',
  'provider_metadata',
  'sha256',
  'original',
  'crop',
  'private',
  'createdAt',
  'updatedAt',
] as const

/**
 * Links that a read must populate for the flat record of a file. Only staff see the name of another file.
 */
export const shownLinks = ({ role }: Caller) => ({
  original: { fields: rankOfRole(role) >= rankOfRole('admin') ? ['id', 'name'] : ['id'] },
})

/** Returns the id of a link to one record that a query populated, or null. */
function idOfLink(link: unknown): number | null {
  const target = isObject(link) ? link.data : null
  return isObject(target) && typeof target.id === 'number' ? target.id : null
}

/**
 * Returns the flat record of an uploaded file in the form of contract §10.
 *
 * @param record - The record with its `shownLinks`.
 */
export function presentFile(record: FlatEntry): FileRecord {
  const presentValue = (key: (typeof shownKeys)[number]) =>
    key === 'original' ? idOfLink(record.original) : record[key]
  const fields = Object.fromEntries(shownKeys.map((key) => [key, presentValue(key)]))
  return { ...fields, ...(isObject(record.video) && { video: record.video }) } as FileRecord
}

/** Returns the name of the original of a cut, if the caller may see it: cuts are named by their size. */
export function originalNameOf({ original }: FlatEntry): string | undefined {
  const target = isObject(original) ? original.data : null
  const values = isObject(target) ? target.attributes : null
  return isObject(values) && typeof values.name === 'string' ? values.name : undefined
}
