/** Key and fetcher of every call to a resource, together: lists, single records and writes (contract §4, §8, §9). */
import {
  type Entry,
  fromWire,
  type Locale,
  type PagePagination,
  type Resource,
  type WireEntry,
  type WireSingle,
} from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'
import type { Query } from './query-string.ts'

export interface Page {
  entries: Entry[]
  total: number
}

interface WirePage {
  data: WireEntry[]
  meta: { pagination: PagePagination }
}

/** A body of a write; which keys it may have is the declaration's business. */
export type Draft = Readonly<Record<string, unknown>>

const everything = { populate: '*' } as const

/** Queries and writes of one resource; invalidate `all` after a write. */
export function resourceQueries(resource: Resource) {
  const path = `/${resource.wire}`
  const all = ['resource', resource.name] as const

  const write = async (method: 'POST' | 'PUT' | 'DELETE', to: string, draft: Draft | undefined, query: Query = {}) => {
    const { data } = await call<WireSingle>(method, to, { query, ...(draft && { body: { data: draft } }) })
    return fromWire(data)
  }

  return {
    all,
    /** One page of a list. */
    list: (query: Query) =>
      queryOptions({
        queryKey: [...all, 'list', query],
        queryFn: async ({ signal }): Promise<Page> => {
          const { data, meta } = await call<WirePage>('GET', path, { query, signal })
          return { entries: data.map(fromWire), total: meta.pagination.total ?? data.length }
        },
        placeholderData: keepPreviousData,
        meta: { inPlace: true },
      }),
    /** How many records match the filters and the search. */
    count: (narrowed: Query, locale: Locale) =>
      queryOptions({
        queryKey: [...all, 'count', narrowed, locale],
        queryFn: async ({ signal }) => {
          const query = { ...languageOf(resource, locale), ...narrowed, fields: ['id'], pagination: { pageSize: 1 } }
          const { meta } = await call<WirePage>('GET', path, { query, signal })
          return meta.pagination.total ?? 0
        },
        placeholderData: keepPreviousData,
        meta: { inPlace: true },
      }),
    /** One record with all its links and languages. */
    one: (id: number, locale: Locale) =>
      queryOptions({
        queryKey: [...all, 'one', id, locale],
        queryFn: async ({ signal }): Promise<Entry> => {
          const { data } = await call<WireSingle>('GET', `${path}/${id}`, { query: { ...everything, locale }, signal })
          return fromWire(data)
        },
        meta: { inPlace: true },
      }),
    /** The record of a single type in any language; null while nothing is stored (contract §9). */
    single: (locale: Locale) =>
      queryOptions({
        queryKey: [...all, 'single', locale],
        queryFn: async ({ signal }): Promise<Entry | null> => findSingle(path, locale, signal),
        meta: { inPlace: true },
      }),
    create: (draft: Draft) => write('POST', path, draft, everything),
    update: (id: number, draft: Draft) => write('PUT', `${path}/${id}`, draft, everything),
    /** Adds a language to the family of `id`; the answer comes flat (contract §8). */
    translate: (id: number, draft: Draft) => call<Entry>('POST', `${path}/${id}/localizations`, { body: draft }),
    /** Writes one language of a single type. */
    saveSingle: (locale: Locale, draft: Draft) => write('PUT', path, draft, { ...everything, locale }),
    remove: (id: number, languages: 'one' | 'all') =>
      write('DELETE', `${path}/${id}`, undefined, languages === 'all' ? { locale: 'all' } : {}),
  }
}

/** The languages of a single type are tried until one is stored. */
async function findSingle(path: string, locale: Locale, signal: AbortSignal): Promise<Entry | null> {
  const order: Locale[] = [locale, 'en', 'ru', 'uz', 'kaa']
  for (const language of new Set(order)) {
    try {
      const { data } = await call<WireSingle>('GET', path, { query: { ...everything, locale: language }, signal })
      return fromWire(data)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  return null
}

/** The query's language: localized lists show each document once, in its best language (contract §8). */
export function languageOf(resource: Resource, locale: Locale): Query {
  return resource.localized ? { locale, fallback: true } : { locale }
}
