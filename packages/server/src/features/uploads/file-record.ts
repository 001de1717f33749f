/** The record of a file: from what was written to disk and what the client says of it, to the wire (contract §10). */
import {
  type Caller,
  fallbackOrder,
  type FileAddresses,
  type FileRecord,
  type Issue,
  rankOf,
  validationFault,
} from '@dala/model'
import { parseJson } from '../../http/json.ts'
import { isObject } from '../../resources/read/context.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import { toLabel } from './label.ts'
import type { Picture, ProcessedImage, SmallerCopy } from './process-image.ts'
import type { FileStorage } from './storage/storage.ts'
import { formatBoxes, type FormatName, hashOf, imageKinds, readStoredName } from './stored-names.ts'

type Draft = Record<string, unknown>

/** A file on its way into the storage: its name there, and the temporary file. */
export interface NamedFile {
  name: string
  file: string
  mime: string
  bytes: number
}

/** Thousands of bytes with two decimals. */
const toKilobytes = (bytes: number) => Math.round(bytes / 10) / 100
const urlOf = (name: string) => `/uploads/${name}`
const nameOf = (url: unknown) => (typeof url === 'string' ? url.slice(url.lastIndexOf('/') + 1) : '')

/** The files of a picture and the fields of its record that tell of them. In: its new hash, its label and its store. */
export function describe(
  { kind, main, formats, likeness }: ProcessedImage,
  hash: string,
  label: string,
  provider: FileStorage['provider'],
): { files: NamedFile[]; fields: Draft } {
  const { ext, mime } = imageKinds[kind]
  const files: NamedFile[] = []
  const place = ({ file, bytes }: Picture, format?: FormatName, as = imageKinds[kind]) => {
    const name = `${hashOf(hash, format)}${as.ext}`
    files.push({ name, file, mime: as.mime, bytes })
    return urlOf(name)
  }
  const beside = (format: FormatName, webp: Picture) => ({
    ...imageKinds.webp,
    size: toKilobytes(webp.bytes),
    url: place(webp, format, imageKinds.webp),
  })
  const url = place(main)
  const copies = Object.entries(formats) as [FormatName, SmallerCopy][]
  const described = copies.map(([format, picture]) => {
    const { width, height, bytes, webp } = picture
    const copy = { name: `${format}_${label}`, hash: hashOf(hash, format), ext, mime, width, height }
    const own = { ...copy, size: toKilobytes(bytes), url: place(picture, format), path: null }
    return [format, { ...own, ...(webp && { webp: beside(format, webp) }) }]
  })
  const { width, height, bytes } = main
  return {
    files,
    fields: {
      width,
      height,
      formats: described.length > 0 ? Object.fromEntries(described) : null,
      hash,
      ext,
      mime,
      size: toKilobytes(bytes),
      url,
      provider,
      likeness,
    },
  }
}

/** Names of the files a record stands for. */
export function filesOf(record: { url: unknown; formats: unknown }): string[] {
  const copies = isObject(record.formats) ? Object.values(record.formats).filter(isObject) : []
  const urls = copies.flatMap(({ url, webp }) => [url, isObject(webp) ? webp.url : undefined])
  return [record.url, ...urls].map(nameOf).filter((name) => readStoredName(name) !== undefined)
}

/**
 * Finds the file of a record that comes nearest to what a former name stood for.
 *
 * @param record - The addresses of the record as it is now.
 * @param wanted - The smaller copy that was asked for, and the kind of file; the picture itself when there is none.
 * @returns The stored name: the same copy, else the next larger one, else the picture itself.
 */
export function nearestFile(
  record: { url: unknown; formats: unknown },
  { format, ext }: { format: FormatName | undefined; ext: string },
): string {
  const copies = isObject(record.formats) ? record.formats : {}
  // Largest first: what is asked for stands after all that may take its place.
  const names = Object.keys(formatBoxes)
  const fitting = format === undefined ? [] : names.slice(0, names.indexOf(format) + 1).toReversed()
  const copy = fitting.map((name) => copies[name]).find(isObject)
  const webp = copy && ext === imageKinds.webp.ext && isObject(copy.webp) ? copy.webp.url : undefined
  return nameOf(webp ?? copy?.url ?? record.url)
}

/**
 * The addresses of a file with a query behind each.
 *
 * @param record The file's record.
 * @param query The text behind the `?`; none when empty.
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

/** What a client may say of a file. */
const told = ['alternativeText', 'caption', 'alt', 'captions', 'folder', 'focal', 'original', 'crop'] as const
/** A text and the object with its other languages (content-model §9). */
const pairs = [
  ['alternativeText', 'alt'],
  ['caption', 'captions'],
] as const

/**
 * Reads the parts `fileInfo`: one object each, or one list. Out: one object for each file, in order.
 * Throws 400 for what is no JSON object.
 */
export function readFileInfo(parts: readonly unknown[]): Draft[] {
  return parts.flatMap((part) => {
    let value: unknown = part
    if (typeof part === 'string') {
      try {
        value = parseJson(Buffer.from(part))
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

/** The English text of an object with all languages, else the first there is. */
function firstText(texts: unknown): string | null {
  if (typeof texts === 'string') return texts
  const found = isObject(texts) ? fallbackOrder('en').map((locale) => texts[locale]) : []
  return found.find((text): text is string => typeof text === 'string' && text !== '') ?? null
}

const badInfo = () => {
  const issue: Issue = { path: ['fileInfo'], code: 'validation.json', params: { field: 'fileInfo' } }
  return validationFault([issue])
}

/** A folder is a label with slashes between its levels; null for none. Out: no blank levels, no space around one (ours). */
export function toFolder(text: string): string | null {
  const levels = text.split('/').map((level) => level.trim())
  return levels.filter((level) => level !== '').join('/') || null
}

/** Throws 400 for what is no point within the picture (shares of its width and height), and for a crop that is no object. */
function checkShape({ focal, crop }: Draft): void {
  const wrong: string[] = []
  const shares = isObject(focal) ? [focal.x, focal.y] : [focal]
  const isShare = (share: unknown) => typeof share === 'number' && share >= 0 && share <= 1
  if (focal !== undefined && focal !== null && !(shares.length === 2 && shares.every(isShare))) wrong.push('focal')
  if (crop !== undefined && crop !== null && !isObject(crop)) wrong.push('crop')
  if (wrong.length === 0) return
  throw validationFault(wrong.map((field) => ({ path: [field], code: 'validation.json', params: { field } })))
}

/**
 * The part of a record that a client sets. In: what he says, and the record as it is.
 * The plain texts and the English ones of the objects with all languages are the same text: writing one writes both.
 */
export function toDraft(info: Draft, current: Draft = {}): Draft {
  const draft: Draft = {}
  for (const name of told) if (info[name] !== undefined) draft[name] = info[name]
  // A name that is empty leaves the one there is.
  if (typeof info.name !== 'string') draft.name = info.name ?? undefined
  else if (info.name.trim() !== '') draft.name = toLabel(info.name)
  if (draft.name === undefined) delete draft.name
  if (typeof draft.folder === 'string') draft.folder = toFolder(draft.folder)
  checkShape(draft)
  for (const [plain, translated] of pairs) {
    const [text, texts] = [draft[plain], draft[translated]]
    if (texts !== undefined) {
      draft[plain] = firstText(texts)
    } else if (typeof text === 'string' || text === null) {
      const known = isObject(current[translated]) ? current[translated] : {}
      const next: Draft = { ...known, en: text ?? undefined }
      if (text === null || text === '') delete next.en
      draft[translated] = Object.keys(next).length > 0 ? next : null
    }
  }
  return draft
}

/** Keys of the record on the wire, in the order of contract §10, and what the content model adds. */
const shown = [
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

/** What a read must populate for the flat record. Only staff, who see all files, see the name of another file. */
export const shownLinks = ({ role }: Caller) => ({
  original: { fields: rankOf(role) >= rankOf('admin') ? ['id', 'name'] : ['id'] },
})

/** The id of a populated link to one record, or null. */
function idOfLink(link: unknown): number | null {
  const target = isObject(link) ? link.data : null
  return isObject(target) && typeof target.id === 'number' ? target.id : null
}

/** The flat record of contract §10. In: the entry with `shownLinks`. */
export function presentFile(record: FlatEntry): FileRecord {
  const present = (key: (typeof shown)[number]) => (key === 'original' ? idOfLink(record.original) : record[key])
  return Object.fromEntries(shown.map((key) => [key, present(key)])) as FileRecord
}

/** The name of the file that a file was cut from, if the reader may know it: cuts are named by their size. */
export function originalNameOf({ original }: FlatEntry): string | undefined {
  const target = isObject(original) ? original.data : null
  const values = isObject(target) ? target.attributes : null
  return isObject(values) && typeof values.name === 'string' ? values.name : undefined
}
