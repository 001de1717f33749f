/** What happened to a record, and the way back (ours beside the contract): history, revert, uses, trash, restore. */
import type { Entry, Locale, Resource } from '@dala/model'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export { hasTrash } from '@dala/model'

/** Somebody as a card shows him. */
type PersonCard = unknown

/** A linked record of a change, or of a use: as it is called in the reader's language. */
export interface Named {
  id: number
  name: string
}

export interface Revision {
  id: number
  at: string
  by: PersonCard
  operation: string
  locale: Locale | null
  /** The step of a bulk job that it belongs to. */
  job: string | null
  changes: Readonly<Record<string, { before: unknown; after: unknown }>>
}

interface Paged<T> {
  data: T[]
  meta: { pagination: { page: number; pageSize: number; total?: number } }
}

export interface Use {
  /** Name of the resource on the wire. */
  resource: string
  field: string | null
  count: number
  rule: 'restrict' | 'detach' | 'cascade'
  records: Named[]
}

export interface Deleted {
  resource: string
  id: number
  /** Null where the reader does not see it. */
  name: string | null
  at: string
  by: PersonCard
  /** Until when it can come back. */
  until: string
  locales: Locale[]
}

const pageSize = 20

/** The revisions of an entry, newest first; of one field only, where one is named. */
export const historyQuery = ({ wire, name }: Resource, id: number, locale: Locale, field?: string) =>
  infiniteQueryOptions({
    queryKey: ['resource', name, 'history', id, locale, field],
    queryFn: ({ pageParam, signal }) =>
      call<Paged<Revision>>('GET', `/${wire}/${id}/history`, {
        query: { field, locale, pagination: { page: pageParam, pageSize } },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page * pagination.pageSize < (pagination.total ?? 0) ? pagination.page + 1 : undefined,
    staleTime: 0,
    meta: { inPlace: true },
  })

/** The newest revision of an entry. */
export const lastRevision = async ({ wire }: Resource, id: number): Promise<Revision | undefined> => {
  const query = { pagination: { page: 1, pageSize: 1 } }
  const { data } = await call<Paged<Revision>>('GET', `/${wire}/${id}/history`, { query })
  return data[0]
}

interface Revert {
  revision: number
  to: 'before' | 'after'
  fields?: readonly string[]
  version?: number
}

/** Writes a record, or some of its fields, as they were before or after a revision. */
export const revert = async ({ wire, unwrapped }: Resource, id: number, data: Revert): Promise<Entry> => {
  const answer = await call<{ data: { id: number; attributes?: object } } | Entry>('POST', `/${wire}/${id}/revert`, {
    body: { data },
  })
  const entry = unwrapped || !('data' in answer) ? answer : answer.data
  const { attributes, ...own } = { attributes: {}, ...(entry as { id: number; attributes?: object }) }
  return { ...attributes, ...own }
}

/** What points at a record; what refuses its delete comes first. */
export const usesQuery = ({ wire, name }: Resource, id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['resource', name, 'uses', id, locale],
    queryFn: async ({ signal }) =>
      (await call<{ data: Use[] }>('GET', `/${wire}/${id}/uses`, { query: { locale }, signal })).data,
    staleTime: 0,
    meta: { inPlace: true },
  })

/** What was deleted in the last 30 days and can come back. */
export const trashQuery = (resource: string | undefined, page: number, locale: Locale, size: number) =>
  queryOptions({
    queryKey: ['resource', 'trash', resource, page, locale],
    queryFn: ({ signal }) =>
      call<Paged<Deleted>>('GET', '/trash', {
        query: { resource, locale, pagination: { page, pageSize: size } },
        signal,
      }),
    meta: { inPlace: true },
  })

/** Brings a deleted record back, with all that went in the same delete. */
export const restore = (wire: string, id: number) => call('POST', `/${wire}/${id}/restore`)
