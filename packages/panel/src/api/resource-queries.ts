/**
 * Key and fetcher of every call to a resource, together: lists, single records and writes (contract §4, §8,
 * §9).
 */
import {
  defaultPageSize,
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
import { callServer } from './client.ts'
import type { Query } from './query-string.ts'

/** Number of records that match the query of the list. */
export interface RowTotal {
  total: number
  /** Whether the total is an estimate of the server. */
  isEstimate?: true
}

export interface Page extends RowTotal {
  entries: Entry[]
  /** The number of rows that match each of the list's own filters, where the answer has it. */
  counts?: Readonly<Record<string, number>>
}

/**
 * A list of records on the wire: wrapped, flat with a count (users), or flat in `results` (chat). Contract
 * §3, §4, §11.
 */
interface WirePage {
  data?: (WireEntry | Entry)[]
  results?: Entry[]
  count?: number
  meta?: { pagination: PagePagination; counts?: Record<string, number> }
  pagination?: PagePagination
}

function pageOf({ data, results, count, meta, pagination }: WirePage): Page {
  const entries = results ?? (data ?? []).map(recordOf)
  const pageInfo = meta?.pagination ?? pagination
  const total = count ?? pageInfo?.total ?? entries.length
  return {
    entries,
    total,
    ...(pageInfo?.estimated && { isEstimate: true }),
    ...(meta?.counts && { counts: meta.counts }),
  }
}

/** The page of a query in the resource's own parameters: users page by `start` and `limit` (contract §3). */
function pagedAs(resource: Resource, query: Query): Query {
  const { pagination, ...otherOptions } = query
  if (!resource.unwrapped || typeof pagination !== 'object' || pagination === null || Array.isArray(pagination))
    return query
  const { page, pageSize } = pagination as { page?: number; pageSize?: number }
  const limit = pageSize ?? defaultPageSize
  return { ...otherOptions, start: ((page ?? 1) - 1) * limit, limit }
}

const isWireEntry = (value: WireEntry | Entry): value is WireEntry => 'attributes' in value
const isEnvelope = (value: WireSingle | Entry): value is WireSingle => 'data' in value

/** Record in a list on the wire: wrapped, or flat. */
function recordOf(entry: WireEntry | Entry): Entry {
  return isWireEntry(entry) ? fromWire(entry) : entry
}

/** Single record on the wire: in an envelope, or flat. */
function singleOf(answer: WireSingle | Entry): Entry {
  return isEnvelope(answer) ? fromWire(answer.data) : answer
}

/** Body of a request that writes a record; the declaration decides which keys it may have. */
export type Draft = Readonly<Record<string, unknown>>

const idempotencyHeader = (key: string | undefined) => key !== undefined && { headers: { 'Idempotency-Key': key } }

const populateAll = { populate: '*' } as const

/** Queries and writes of one resource; invalidate `all` after a write. */
export function resourceQueries(resource: Resource) {
  const path = `/${resource.wire}`
  const resourceKey = ['resource', resource.name] as const

  const write = async (
    method: 'POST' | 'PUT' | 'DELETE',
    targetPath: string,
    draft: Draft | undefined,
    query: Query = {},
    key?: string,
  ) => {
    const body = resource.unwrapped ? draft : { data: draft }
    return singleOf(
      await callServer<WireSingle | Entry>(method, targetPath, {
        query,
        ...(draft && { body }),
        ...idempotencyHeader(key),
      }),
    )
  }

  return {
    all: resourceKey,
    /** Query of one page of a list. */
    list: (query: Query) =>
      queryOptions({
        queryKey: [...resourceKey, 'list', query],
        queryFn: async ({ signal }): Promise<Page> => {
          return pageOf(await callServer<WirePage>('GET', path, { query: pagedAs(resource, query), signal }))
        },
        placeholderData: keepPreviousData,
        meta: { inPlace: true },
      }),
    /** Query of the number of records that match the filters and the search. */
    count: (conditions: Query, locale: Locale) =>
      queryOptions({
        queryKey: [...resourceKey, 'count', conditions, locale],
        queryFn: async ({ signal }): Promise<RowTotal> => {
          const query = { ...languageOf(resource, locale), ...conditions, fields: ['id'], pagination: { pageSize: 1 } }
          const page = await callServer<WirePage>('GET', path, { query: pagedAs(resource, query), signal })
          const { total, isEstimate } = pageOf(page)
          return isEstimate ? { total, isEstimate } : { total }
        },
        placeholderData: keepPreviousData,
        meta: { inPlace: true },
      }),
    /** Query of one record with all its links and languages. */
    one: (id: number, locale: Locale) =>
      queryOptions({
        queryKey: [...resourceKey, 'one', id, locale],
        queryFn: async ({ signal }): Promise<Entry> => {
          const query = { ...populateAll, locale }
          const address = resource.recordPath ? `/${resource.recordPath}` : `${path}/${id}`
          return singleOf(await callServer<WireSingle | Entry>('GET', address, { query, signal }))
        },
        meta: { inPlace: true },
      }),
    /** The record of a single type in any language; null when none is stored (contract §9). */
    single: (locale: Locale) =>
      queryOptions({
        queryKey: [...resourceKey, 'single', locale],
        queryFn: async ({ signal }): Promise<Entry | null> => findSingleRecord(path, locale, signal),
        meta: { inPlace: true },
      }),
    /** Creates a record; `key` lets the server answer a repeated call with its first answer (contract §4). */
    create: (draft: Draft, key?: string) => write('POST', path, draft, populateAll, key),
    update: (id: number, draft: Draft) => write('PUT', `${path}/${id}`, draft, populateAll),
    /** Adds a language to the document of `id`; the answer is flat (contract §8). */
    translate: (id: number, draft: Draft, key?: string) =>
      callServer<Entry>('POST', `${path}/${id}/localizations`, { body: draft, ...idempotencyHeader(key) }),
    /** Writes one language of a single type. */
    saveSingleType: (locale: Locale, draft: Draft) => write('PUT', path, draft, { ...populateAll, locale }),
    remove: (id: number, languages: 'one' | 'all') =>
      write('DELETE', `${path}/${id}`, undefined, languages === 'all' ? { locale: 'all' } : {}),
  }
}

/** Tries the languages of a single type until a stored one is found. */
async function findSingleRecord(path: string, locale: Locale, signal: AbortSignal): Promise<Entry | null> {
  const order: Locale[] = [locale, 'en', 'ru', 'uz', 'kaa']
  for (const language of new Set(order)) {
    try {
      const { data } = await callServer<WireSingle>('GET', path, {
        query: { ...populateAll, locale: language },
        signal,
      })
      return fromWire(data)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  return null
}

/**
 * Language parameter of a query: localized lists show each document once, in its best language (contract §8).
 */
export function languageOf(resource: Resource, locale: Locale): Query {
  return resource.localized ? { locale, fallback: true } : { locale }
}
