/** The state of the library in the address: kind, folder, search, filters, order and page. */
import { extensionsOf, isLocale, type Locale } from '@dala/model'
import type { Query } from '../../../api/query-string.ts'

export const pageSize = 40

/** Value of the folder filter for files without a folder: no folder can have this name. */
export const noFolder = '/'

/** Kinds of files that the library lists, one at a time. */
export const fileKinds = ['pictures', 'videos', 'documents', 'subtitles'] as const
export type FileKind = (typeof fileKinds)[number]

/** The part of a query that limits the list to a kind. */
const kindFilters: Readonly<Record<FileKind, Query>> = {
  pictures: { mime: { $startsWith: 'image/' } },
  videos: { mime: { $startsWith: 'video/' } },
  documents: { ext: { $in: extensionsOf.document.map((extension) => `.${extension}`) } },
  subtitles: { mime: { $eq: 'text/vtt' } },
}

export const types = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF' } as const
export type PictureType = keyof typeof types

/** Minimum file sizes that the filter offers, in kilobytes as the records have them. */
export const sizes = [200, 1000, 5000] as const

const comparedOrders = { newest: 'createdAt:desc', name: 'name:asc', size: 'size:desc' } as const
export type LibraryOrder = keyof typeof comparedOrders
export const orderNames: readonly LibraryOrder[] = ['newest', 'name', 'size']

export interface LibraryView {
  kind: FileKind
  q: string
  /** Name of the shown folder, `noFolder`, or undefined for all files. */
  folder: string
  type: PictureType | undefined
  /** Size in kB above which picture files are listed. */
  size: number | undefined
  unused: boolean
  /** Language in which the listed pictures lack alternative text. */
  missing: Locale | undefined
  sort: LibraryOrder
  page: number
}

export const wholeLibraryView: LibraryView = {
  kind: 'pictures',
  q: '',
  folder: '',
  type: undefined,
  size: undefined,
  unused: false,
  missing: undefined,
  sort: 'newest',
  page: 1,
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const isType = (value: unknown): value is PictureType => typeof value === 'string' && Object.hasOwn(types, value)

/** Reads the view of the library from an address; unknown values are dropped. */
export function viewOf(search: Readonly<Record<string, unknown>>): LibraryView {
  const { kind, q, folder, type, size, unused, missing, sort, page } = search
  const shownKind = fileKinds.find((fileKind) => fileKind === kind) ?? 'pictures'
  const isOfPictures = shownKind === 'pictures'
  return {
    kind: shownKind,
    q: textOf(q).slice(0, 200),
    folder: textOf(folder),
    // Only pictures have types and alternative texts.
    type: isOfPictures && isType(type) ? type : undefined,
    size: sizes.find((pictureSize) => String(pictureSize) === size),
    unused: unused === 'true',
    missing: isOfPictures && isLocale(missing) ? missing : undefined,
    sort: orderNames.find((orderName) => orderName === sort) ?? 'newest',
    page: Math.max(1, Math.floor(Number(page)) || 1),
  }
}

/** Search parameters for a view of the library; undefined for each default. */
export function searchOf({ kind, q, folder, type, size, unused, missing, sort, page }: LibraryView) {
  return {
    kind: kind === 'pictures' ? undefined : kind,
    q: q || undefined,
    folder: folder || undefined,
    type,
    size: size === undefined ? undefined : String(size),
    unused: unused ? 'true' : undefined,
    missing,
    sort: sort === 'newest' ? undefined : sort,
    page: page === 1 ? undefined : String(page),
  }
}

/** Returns whether a filter of the library besides the folder is set. */
export const isNarrowed = ({ q, type, size, unused, missing }: LibraryView): boolean =>
  q !== '' || type !== undefined || size !== undefined || unused || missing !== undefined

/** Filter for a folder, which includes the files of the folders inside it. */
function folderFilter(folder: string): Query {
  if (folder === '') return {}
  if (folder === noFolder) return { folder: { $null: true } }
  return { $or: [{ folder: { $eq: folder } }, { folder: { $startsWith: `${folder}/` } }] }
}

/** Server query for a view of the library; with an owner, only the files that this user has uploaded. */
export function queryOf(view: LibraryView, owner?: number): Query {
  const { kind, q, folder, type, size, unused, missing, sort, page } = view
  return {
    _q: q.trim() || undefined,
    sort: comparedOrders[sort],
    pagination: { page, pageSize },
    filters: {
      ...folderFilter(folder),
      ...(type ? { mime: { $eq: `image/${type}` } } : kindFilters[kind]),
      ...(size !== undefined && { size: { $gt: size } }),
    },
    unused: unused || undefined,
    mine: owner !== undefined || undefined,
    missing_alt: missing,
  }
}
