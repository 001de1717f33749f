/**
 * Uploads of lessons that were started in this browser and did not end: the file must be chosen again, and
 * the server has what was sent before (contract §10).
 */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { authorization } from '../../../../api/client.ts'
import { meQuery } from '../../../../api/session.ts'
import { createDraft, parseList } from '../../../../lib/drafts/draft-store.ts'
import { isObject } from '../../../../lib/is-object.ts'

/** The lesson and the field of an uploaded file. */
export interface UploadPlace {
  course: number
  lesson: number
  /** Title of the lesson. */
  title: string
  purpose: string
}

export interface UnfinishedUpload extends UploadPlace {
  /** Address at which the upload continues on the server. */
  url: string
  /** Name and size in bytes of the uploaded file. */
  name: string
  size: number
}

function isUnfinished(value: unknown): value is UnfinishedUpload {
  if (!isObject(value)) return false
  const { course, lesson, title, purpose, url, name, size } = value
  const areAllNumbers = [course, lesson, size].every((fieldValue) => typeof fieldValue === 'number')
  return areAllNumbers && [title, purpose, url, name].every((fieldValue) => typeof fieldValue === 'string')
}

const storedUploads = (user: number) => createDraft(`draft/upload/${user}`, parseList(isUnfinished))
const isUploadAt =
  ({ lesson, purpose }: Pick<UploadPlace, 'lesson' | 'purpose'>) =>
  (storedUpload: UnfinishedUpload) =>
    storedUpload.lesson === lesson && storedUpload.purpose === purpose

/** Query of the uploads that stopped; an upload that runs in this tab is not among them. */
const stoppedQuery = (user: number) =>
  queryOptions({
    queryKey: ['uploads', 'stopped', user],
    queryFn: () => storedUploads(user).read() ?? [],
    networkMode: 'always',
    staleTime: Infinity,
    enabled: user > 0,
  })

/** Query of the number of bytes that the server has of an upload; null when the upload is deleted there. */
const sentBytesQuery = (url: string) =>
  queryOptions({
    queryKey: ['uploads', 'sent', url],
    queryFn: async ({ signal }): Promise<number | null> => {
      const answer = await fetch(url, { method: 'HEAD', headers: tusHeaders(), signal })
      const uploadOffset = Number(answer.headers.get('Upload-Offset') ?? Number.NaN)
      if (answer.ok && Number.isFinite(uploadOffset)) return uploadOffset
      if (answer.status === 404 || answer.status === 410) return null
      throw new Error(`An upload was answered with ${answer.status}`)
    },
    retry: false,
    meta: { inPlace: true },
  })

const tusHeaders = () => ({ ...authorization(), 'Tus-Resumable': '1.0.0' })

/** Removes an upload from the server, which would delete the upload after a day without this call. */
const removeUpload = (url: string) => fetch(url, { method: 'DELETE', headers: tusHeaders() }).catch(() => undefined)

/**
 * Reads the user's uploads that stopped before their end.
 *
 * @returns The uploads, and functions that store and forget an upload.
 */
export function useUnfinishedUploads() {
  const cache = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const user = me?.id ?? 0
  const query = stoppedQuery(user)
  const { data: uploads = [] } = useQuery(query)
  const write = (change: (allUploads: UnfinishedUpload[]) => UnfinishedUpload[]) => {
    const changedUploads = change(storedUploads(user).read() ?? [])
    if (changedUploads.length > 0) storedUploads(user).write(changedUploads)
    else storedUploads(user).clear()
  }
  const hideUpload = (uploadTarget: UploadPlace): void => {
    cache.setQueryData(query.queryKey, (allUploads = []) =>
      allUploads.filter((storedUpload) => !isUploadAt(uploadTarget)(storedUpload)),
    )
  }
  return {
    uploads,
    /** Stores an upload that has started; the panel shows the upload once it stops. */
    rememberUpload: (upload: UnfinishedUpload): void => {
      hideUpload(upload)
      write((allUploads) => [...allUploads.filter((storedUpload) => !isUploadAt(upload)(storedUpload)), upload])
    },
    hideUpload,
    /** Shows the stored uploads anew, because one of them has stopped. */
    refreshUploads: (): void => {
      void cache.invalidateQueries({ queryKey: query.queryKey })
    },
    forgetUpload: (uploadTarget: UploadPlace): void => {
      write((allUploads) => allUploads.filter((storedUpload) => !isUploadAt(uploadTarget)(storedUpload)))
      hideUpload(uploadTarget)
    },
    discardUpload: (upload: UnfinishedUpload): void => {
      write((allUploads) => allUploads.filter((storedUpload) => !isUploadAt(upload)(storedUpload)))
      hideUpload(upload)
      void removeUpload(upload.url)
    },
  }
}

/**
 * Share of a stopped upload in per cent: undefined while the server has not answered, null when the upload is
 * deleted.
 */
export function useSentPercent({ url, size }: UnfinishedUpload): number | null | undefined {
  const { data } = useQuery(sentBytesQuery(url))
  return data === undefined || data === null ? data : Math.floor((data / Math.max(1, size)) * 100)
}

export type UnfinishedUploads = ReturnType<typeof useUnfinishedUploads>
