/** Sends a file in pieces, which continue after a lost connection and after a reload (contract §10). */
import type { FileRecord, Locale, UploadPurpose } from '@dala/model'
import { type DetailedError, type HttpResponse, Upload } from 'tus-js-client'
import { ApiError, toApiError } from '../../api/api-error.ts'
import { authorization, callServer, refuseWhileViewing } from '../../api/client.ts'

const uploadEndpoint = '/api/upload/resumable'
/** Bytes of a request: less than a minute on a connection of 1.5 Mbit/s. */
const pieceSize = 8 * 1_048_576
/** Milliseconds before each try after a failure; they start anew after each piece that arrives. */
const retryPauses = [0, 1_000, 3_000, 5_000, 10_000, 20_000]

export interface ResumableEvents {
  /** Called when the server has an address for the upload, at which it continues. */
  onCreated?: (url: string) => void
  onProgress: (sentBytes: number) => void
  onStored: (record: FileRecord) => void
  onFailed: (error: unknown) => void
}

/** A resumable upload that has started. */
export interface ResumableUpload {
  pause: () => void
  resumeUpload: () => void
  /** Ends the upload and removes what has arrived. */
  cancel: () => void
}

/** The lesson that a file is for, and the language of its form: the lesson waits for the upload. */
export interface UploadTarget {
  lesson: number
  language: Locale
}

/** Starts a resumable upload. */
export type StartResumable = (
  file: File,
  purpose: UploadPurpose,
  events: ResumableEvents,
  target?: UploadTarget,
) => ResumableUpload

const isDetailedError = (error: Error): error is DetailedError => 'originalResponse' in error

async function toFailure(error: Error): Promise<unknown> {
  const answer = isDetailedError(error) ? error.originalResponse : null
  if (!answer || answer.getStatus() === 0) return new ApiError(0, undefined, 'network')
  return toApiError(new Response(answer.getBody(), { status: answer.getStatus() }))
}

/** Reads the record from the last answer: a client that lost the answer of the last piece gets the id. */
async function recordOf(answer: HttpResponse, url: string): Promise<FileRecord> {
  const body = answer.getBody()
  if (body) return readFirstFile(JSON.parse(body))
  const id = answer.getHeader('Upload-File')
  if (id) return callServer<FileRecord>('GET', `/upload/files/${id}`)
  // All bytes have arrived, but the server was stopped before it stored the file.
  const secondResponse = await fetch(url, {
    method: 'PATCH',
    headers: {
      ...authorization(),
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': answer.getHeader('Upload-Offset') ?? '',
      'Content-Type': 'application/offset+octet-stream',
    },
  })
  if (!secondResponse.ok) throw await toApiError(secondResponse)
  return readFirstFile(await secondResponse.json())
}

function readFirstFile(list: unknown): FileRecord {
  const [record] = list as FileRecord[]
  if (!record) throw new ApiError(200, undefined)
  return record
}

/**
 * Starts the resumable upload of a file. An upload of the same file that was begun before in this browser
 * continues.
 *
 * @param file - The file.
 * @param purpose - Its purpose, which decides on kinds and sizes.
 * @param events - Called with the progress, the stored record or the failure.
 * @param target - The stored lesson that the file is for.
 */
export const startResumable: StartResumable = (
  file,
  purpose,
  { onCreated, onProgress, onStored, onFailed },
  target,
) => {
  refuseWhileViewing('POST', '/upload/resumable')
  const reportFailure = (error: Error) => void toFailure(error).then(onFailed)
  let isCancelled = false
  const metadata: Record<string, string> = {
    filename: file.name,
    filetype: file.type,
    purpose,
    ...(target && { lesson: String(target.lesson) }),
    ...(target && purpose === 'subtitles' && { locale: target.language }),
  }
  const tusUpload: Upload = new Upload(file, {
    endpoint: uploadEndpoint,
    chunkSize: pieceSize,
    retryDelays: retryPauses,
    metadata,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => {
      for (const [name, value] of Object.entries(authorization())) request.setHeader(name, value)
    },
    onShouldRetry: ({ originalResponse }) => {
      const status = originalResponse?.getStatus() ?? 0
      return status === 0 || status === 409 || status === 429 || (status >= 500 && status !== 507)
    },
    onUploadUrlAvailable: () => {
      if (tusUpload.url) onCreated?.(new URL(tusUpload.url, location.href).pathname)
    },
    onProgress,
    onError: reportFailure,
    onSuccess: ({ lastResponse }) => void recordOf(lastResponse, tusUpload.url ?? '').then(onStored, onFailed),
  })
  const start = async () => {
    const [previousUpload] = (await tusUpload.findPreviousUploads()).filter((formerUpload) =>
      ['purpose', 'lesson', 'locale'].every((key) => formerUpload.metadata[key] === metadata[key]),
    )
    if (isCancelled) return
    if (previousUpload) tusUpload.resumeFromPreviousUpload(previousUpload)
    tusUpload.start()
  }
  void start()
  return {
    pause: () => void tusUpload.abort(),
    resumeUpload: () => tusUpload.start(),
    cancel: () => {
      isCancelled = true
      // An upload that cannot be removed now is removed by the server after a day.
      tusUpload.abort(true).catch(() => undefined)
    },
  }
}
