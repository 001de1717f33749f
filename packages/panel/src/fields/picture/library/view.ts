/** What the library shows: folder, search, filters, order and page, to and from the words of an address. */
import { isLocale, type Locale } from '@dala/model'
import type { Query } from '../../../api/query-string.ts'

export const pageSize = 40

/** Stands for the files without a folder: no folder can be called so. */
export const noFolder = '/'

export const types = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF' } as const
export type PictureType = keyof typeof types

/** Least weights on offer, in thousands of bytes as the records count them. */
export const sizes = [200, 1000, 5000] as const

const orders = { newest: 'createdAt:desc', name: 'name:asc', size: 'size:desc' } as const
export type LibraryOrder = keyof typeof orders
export const orderNames: readonly LibraryOrder[] = ['newest', 'name', 'size']

export interface LibraryView {
  q: string
  /** A folder, `noFolder`, or nothing for all of them. */
  folder: string
  type: PictureType | undefined
  /** Files heavier than this, in kB. */
  size: number | undefined
  unused: boolean
  /** Files without alternative text in this language. */
  missing: Locale | undefined
  sort: LibraryOrder
  page: number
}

export const wholeLibrary: LibraryView = {
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

/** The view of an address; what cannot be meant is left out. */
export function viewOf(search: Readonly<Record<string, unknown>>): LibraryView {
  const { q, folder, type, size, unused, missing, sort, page } = search
  return {
    q: textOf(q).slice(0, 200),
    folder: textOf(folder),
    type: isType(type) ? type : undefined,
    size: sizes.find((one) => String(one) === size),
    unused: unused === 'true',
    missing: isLocale(missing) ? missing : undefined,
    sort: orderNames.find((one) => one === sort) ?? 'newest',
    page: Math.max(1, Math.floor(Number(page)) || 1),
  }
}

/** The words of an address for a view; undefined for what is as always. */
export function searchOf({ q, folder, type, size, unused, missing, sort, page }: LibraryView) {
  return {
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

/** How much the view is narrowed beside its folder. */
export const isNarrowed = ({ q, type, size, unused, missing }: LibraryView): boolean =>
  q !== '' || type !== undefined || size !== undefined || unused || missing !== undefined

/** A folder holds what lies in the folders inside it as well. */
function folderFilter(folder: string): Query {
  if (folder === '') return {}
  if (folder === noFolder) return { folder: { $null: true } }
  return { $or: [{ folder: { $eq: folder } }, { folder: { $startsWith: `${folder}/` } }] }
}

/** The query of a view for the server; with an owner, who is the user, of what they have uploaded. */
export function queryOf({ q, folder, type, size, unused, missing, sort, page }: LibraryView, owner?: number): Query {
  return {
    _q: q.trim() || undefined,
    sort: orders[sort],
    pagination: { page, pageSize },
    filters: {
      ...folderFilter(folder),
      ...(type && { mime: { $eq: `image/${type}` } }),
      ...(size !== undefined && { size: { $gt: size } }),
    },
    unused: unused || undefined,
    mine: owner !== undefined || undefined,
    missing_alt: missing,
  }
}
