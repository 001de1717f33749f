/** Every call of the picture library: its pages, folders and files, and their changes. */
import { type Entry, type FileRecord, maxFilesTogether, type RefusedFile } from '@dala/model'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { callRoute } from '../../../api/route.ts'
import { type LibraryView, queryOf } from './view.ts'

/** Query keys of the library begin with `resource`, so that they are refetched after any write. */
const libraryKey = ['resource', 'uploads', 'library'] as const

/** `owner` limits the list to the files of one account. */
export const libraryQuery = (view: LibraryView, owner?: number) =>
  queryOptions({
    queryKey: [...libraryKey, 'page', view, owner],
    queryFn: async ({ signal }) => {
      const { data, meta } = await callRoute('GET /api/upload/library', { query: queryOf(view, owner), signal })
      const { originals, pagination } = meta
      const entries = data.map((file): Entry => ({ ...file, original_name: originals[file.id] ?? null }))
      return { entries, total: pagination.total ?? entries.length }
    },
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })

export const foldersQuery = queryOptions({
  queryKey: [...libraryKey, 'folders'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/upload/folders', { signal })).data,
  meta: { inPlace: true },
})

/** The space for files that the user has used, and the most that they may use. */
export const usageQuery = queryOptions({
  queryKey: [...libraryKey, 'usage'],
  queryFn: async ({ signal }) => (await callRoute('GET /api/upload/usage', { signal })).data,
  meta: { inPlace: true },
})

export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: [...libraryKey, 'file', id],
    queryFn: ({ signal }): Promise<Entry> => callRoute('GET /api/upload/files/:id', { params: { id }, signal }),
    meta: { inPlace: true },
  })

export const fileUsesQuery = (id: number) =>
  queryOptions({
    queryKey: [...libraryKey, 'uses', id],
    queryFn: async ({ signal }) => {
      const answer = await callRoute('GET /api/upload/files/:id/uses', { params: { id }, signal })
      return { uses: answer.data, total: answer.meta.total }
    },
    meta: { inPlace: true },
  })

/** Picture file that a call changed, as a record. */
function singleFile(answer: FileRecord | FileRecord[]): Entry {
  const [firstFile] = [answer].flat()
  if (!firstFile) throw new ApiError(200, undefined)
  return firstFile
}

/** Changes the details of a picture file; properties that are not given stay. */
export const saveFile = (id: number, fileInfo: Readonly<Record<string, unknown>>) =>
  callRoute('POST /api/upload', { query: { id }, body: { fileInfo } }).then(singleFile)

/** Replaces the picture of a file: its id stays, so all records show the new one. */
export function replaceFile(id: number, file: File): Promise<Entry> {
  const body = new FormData()
  body.append('files', file)
  return callRoute('POST /api/upload', { query: { id }, body }).then(singleFile)
}

/**
 * Deletes a picture file that nothing uses.
 *
 * @throws ApiError 409 `file.in-use` with `details.uses`.
 */
export const removeFile = (id: number) =>
  callRoute('DELETE /api/upload/files/:id', { params: { id }, query: { if_unused: true } })

function splitIntoBatches(ids: readonly number[]): number[][] {
  const batchSize = maxFilesTogether
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  )
}

export async function moveFiles(ids: readonly number[], folder: string | null): Promise<number> {
  let movedCount = 0
  for (const batch of splitIntoBatches(ids)) {
    const body = { data: { ids: batch, folder } }
    movedCount += (await callRoute('POST /api/upload/move', { body })).data.moved.length
  }
  return movedCount
}

export async function removeFiles(ids: readonly number[]): Promise<{ removed: number[]; refused: RefusedFile[] }> {
  const removedFiles: number[] = []
  const refusedFiles: RefusedFile[] = []
  for (const batch of splitIntoBatches(ids)) {
    const body = { data: { ids: batch } }
    const { data } = await callRoute('POST /api/upload/remove', { body })
    removedFiles.push(...data.removed)
    refusedFiles.push(...data.refused)
  }
  return { removed: removedFiles, refused: refusedFiles }
}
