/** Queries and mutations of imports, with their keys. */
import {
  type Entry,
  fromWire,
  type ImportAnswer,
  type ImportAttributes,
  type ImportCommit,
  type ImportCorrection,
  type ImportFilter,
  type ImportMapping,
  type Locale,
  resources,
  type WrittenLocale,
} from '@dala/model'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { callServer } from '../../api/client.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callFile, callRoute } from '../../api/route.ts'
import { type SendOptions, sendForm } from '../../api/upload-file.ts'
import { fileOf, saveFile } from '../../resource/list/file.ts'

/** Import, as the panel uses it: its record with the author, flat. */
export type Import = Omit<ImportAttributes, 'mapping'> & {
  id: number
  /** Mapping of the file's columns; null until the file has been read. */
  mapping: ImportMapping | null
  /** Day of the rows that was given with the file. */
  date: string | undefined
  author: Entry | null
}

const path = '/insert_excel'
const importKey = (id: number) => ['resource', 'insert_excel', 'import', id] as const

const isMapping = (mapping: ImportAttributes['mapping']): mapping is ImportMapping =>
  mapping !== null && 'columns' in mapping

function importOf({ data }: ImportAnswer): Import {
  const { attributes, id } = data
  const { author } = fromWire({ id, attributes: { ...attributes } })
  const { mapping } = attributes
  return {
    ...attributes,
    id,
    mapping: isMapping(mapping) ? mapping : null,
    date: mapping?.date,
    author: typeof author === 'object' && author !== null && 'id' in author ? (author as Entry) : null,
  }
}

/** Returns whether the import is reading the file or writing rows. */
const isUnderWay = ({ state }: Pick<Import, 'state'>): boolean => state === 'parsing' || state === 'committing'

/** Polling interval of an import in progress, in milliseconds. */
const pollInterval = 1_000

/** Query of one import; polled while the import is in progress. */
export const importQuery = (id: number) =>
  queryOptions({
    queryKey: importKey(id),
    queryFn: async ({ signal }) =>
      importOf(await callServer<ImportAnswer>('GET', `${path}/${id}`, { query: { populate: ['author'] }, signal })),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? pollInterval : false),
    meta: { inPlace: true },
  })

/** Filter, page and search for the shown rows of an import. */
export interface RowsRequest {
  filter: ImportFilter
  search: string
  page: number
}

export const rowsPageSize = 50

/** One page of an import's rows: errors first, then warnings, changed, new and unchanged ones. */
export const rowsQuery = (id: number, { filter, search, page }: RowsRequest, pageSize = rowsPageSize) =>
  queryOptions({
    queryKey: [...importKey(id), 'rows', { filter, search, page, pageSize }],
    queryFn: ({ signal }) =>
      callRoute('GET /api/insert_excel/:id/rows', {
        params: { id },
        query: {
          filter,
          ...(search !== '' && { _q: search }),
          pagination: { start: (page - 1) * pageSize, limit: pageSize },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

/** Query of the number of prices that an import has filled in each district. */
export const districtsQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: [...importKey(id), 'districts', locale],
    queryFn: ({ signal }) =>
      callRoute('GET /api/insert_excel/:id/districts', { params: { id }, query: { locale }, signal }),
    meta: { inPlace: true },
  })

/** Earlier imports, the latest first; of one kind, or of all kinds that the user may see. */
export const previousImportsQuery = (kind: string | undefined, page: number) =>
  resourceQueries(resources.insert_excel).list({
    ...(kind !== undefined && { filters: { kind: { $eq: kind } } }),
    populate: ['author'],
    sort: 'createdAt:desc',
    pagination: { page, pageSize: previousPageSize },
  })
export const previousPageSize = 12

/** Replaces the cached import by a response. */
const cacheImport = (cache: QueryClient, answer: ImportAnswer): Import => {
  const cachedKinds = cache.getQueryData<Import>(importKey(answer.data.id))
  const answeredImport = importOf(answer)
  // The response of a write to an import may lack its author.
  const mergedImport = { ...answeredImport, author: answeredImport.author ?? cachedKinds?.author ?? null }
  cache.setQueryData(importKey(answeredImport.id), mergedImport)
  return mergedImport
}

/** Sends corrections, columns and names; resolves when the affected rows have been loaded again. */
export async function correctRows(cache: QueryClient, id: number, data: ImportCorrection): Promise<Import> {
  const answer = await callRoute('PUT /api/insert_excel/:id', { params: { id }, body: { data } })
  const updatedImport = cacheImport(cache, answer)
  await cache.invalidateQueries({ queryKey: [...importKey(id), 'rows'] })
  return updatedImport
}

/** Writes the rows of an import. `key` lets the server answer a repeated call with its first answer. */
export async function commitImport(cache: QueryClient, id: number, data: ImportCommit, key: string): Promise<Import> {
  const answer = await callRoute('POST /api/insert_excel/:id/commit', {
    params: { id },
    body: { data },
    headers: { 'Idempotency-Key': key },
  })
  return cacheImport(cache, answer)
}

/** Undoes an import that has been written. */
export async function undoImport(cache: QueryClient, id: number): Promise<Import> {
  return cacheImport(cache, await callRoute('POST /api/insert_excel/:id/revert', { params: { id } }))
}

/** Reloads an import and its rows. */
export const refetchImport = (cache: QueryClient, id: number): Promise<void> =>
  cache.invalidateQueries({ queryKey: importKey(id) })

export interface SheetToSend {
  file: File
  kind: string
  date?: string | undefined
  locale: Locale
}

/** Uploads a sheet and returns the import that reads it. */
export async function sendSheet({ file, kind, date, locale }: SheetToSend, options: SendOptions): Promise<Import> {
  const form = new FormData()
  form.append('kind', kind)
  form.append('locale', locale)
  if (date !== undefined) form.append('date', date)
  form.append('files', file)
  return importOf((await sendForm(path, form, options)) as ImportAnswer)
}

/** Downloads the empty sheet for an import of a kind, with headings in a language. */
export async function saveTemplate(kind: string, locale: WrittenLocale, date?: string): Promise<void> {
  const query = { kind, locale, ...(date !== undefined && { date }) }
  saveFile(await callFile('GET /api/insert_excel/template', { query }, fileOf))
}

/** Downloads the rows with errors as a sheet that can be imported after correction. */
export async function saveErrors(id: number, locale: WrittenLocale): Promise<void> {
  saveFile(await callFile('GET /api/insert_excel/:id/errors', { params: { id }, query: { locale } }, fileOf))
}
