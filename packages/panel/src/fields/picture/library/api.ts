/** Every call of the library: its pages, folders and files, and what is done with them. */
import type { Entry } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { FolderCount } from './folder-names.ts'
import { type LibraryView, queryOf } from './view.ts'

/** What begins with `resource` is asked for again after any write. */
const all = ['resource', 'uploads', 'library'] as const

interface Page {
  data: Entry[]
  /** `originals`: names of the files that cuts were made from, by the ids of the cuts. */
  meta: { pagination: { total: number }; originals?: Readonly<Record<string, string>> }
}

/** A record that shows a file. */
export interface FileUse {
  /** Name of the resource on the wire. */
  resource: string
  id: number
  field: string
  /** Null where the reader may not know it. */
  name: string | null
}

export interface RefusedFile {
  id: number
  name: string
  uses: readonly FileUse[]
}

/** `owner` narrows it to the pictures of one account. */
export const libraryQuery = (view: LibraryView, owner?: number) =>
  queryOptions({
    queryKey: [...all, 'page', view, owner],
    queryFn: async ({ signal }) => {
      const { data, meta } = await call<Page>('GET', '/upload/library', { query: queryOf(view, owner), signal })
      const { originals = {}, pagination } = meta
      const entries = data.map((file): Entry => ({ ...file, original_name: originals[file.id] ?? null }))
      return { entries, total: pagination.total }
    },
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

export const foldersQuery = queryOptions({
  queryKey: [...all, 'folders'],
  queryFn: async ({ signal }) => (await call<{ data: FolderCount[] }>('GET', '/upload/folders', { signal })).data,
  meta: { inPlace: true },
})

export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: [...all, 'file', id],
    queryFn: ({ signal }) => call<Entry>('GET', `/upload/files/${id}`, { signal }),
    meta: { inPlace: true },
  })

export const fileUsesQuery = (id: number) =>
  queryOptions({
    queryKey: [...all, 'uses', id],
    queryFn: async ({ signal }) => {
      const answer = await call<{ data: FileUse[]; meta: { total: number } }>('GET', `/upload/files/${id}/uses`, {
        signal,
      })
      return { uses: answer.data, total: answer.meta.total }
    },
    meta: { inPlace: true },
  })

/** Changes what is said of a file; what is not named stays. */
export const saveFile = (id: number, fileInfo: Readonly<Record<string, unknown>>) =>
  call<Entry>('POST', '/upload', { query: { id }, body: { fileInfo } })

/** Puts another picture in the place of a file: its id stays, so all records show the new one. */
export function replaceFile(id: number, file: File): Promise<Entry> {
  const body = new FormData()
  body.append('files', file)
  return call<Entry>('POST', '/upload', { query: { id }, body })
}

/** Deletes a file that nothing uses. Throws 409 `file.in-use` with `details.uses`. */
export const removeFile = (id: number) => call<Entry>('DELETE', `/upload/files/${id}`, { query: { if_unused: true } })

/** As many as one call takes. */
const most = 100

function inParts(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / most) }, (_, index) => ids.slice(index * most, (index + 1) * most))
}

export async function moveFiles(ids: readonly number[], folder: string | null): Promise<number> {
  let moved = 0
  for (const part of inParts(ids)) {
    const body = { data: { ids: part, folder } }
    moved += (await call<{ data: { moved: number[] } }>('POST', '/upload/move', { body })).data.moved.length
  }
  return moved
}

export async function removeFiles(ids: readonly number[]): Promise<{ removed: number[]; refused: RefusedFile[] }> {
  const removed: number[] = []
  const refused: RefusedFile[] = []
  for (const part of inParts(ids)) {
    const body = { data: { ids: part } }
    const { data } = await call<{ data: { removed: number[]; refused: RefusedFile[] } }>('POST', '/upload/remove', {
      body,
    })
    removed.push(...data.removed)
    refused.push(...data.refused)
  }
  return { removed, refused }
}
