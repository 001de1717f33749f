/** Sends one file to the file store (contract §10) and tells how far it is, which `fetch` cannot. */
import type { Entry } from '@dala/model'
import { ApiError, toApiError } from './api-error.ts'
import { authorization, callTimeout, refuseWhileViewing } from './client.ts'

export interface UploadOptions {
  signal: AbortSignal
  /** What is said of the file: the part `fileInfo`. */
  info?: Readonly<Record<string, unknown>> | undefined
  /** Hears the share that is sent, 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Uploads a file and gives its record.
 *
 * Throws `ApiError` as `call` does; an upload ended by its signal throws an `AbortError`.
 */
export function uploadFile(file: File, { signal, info, onProgress }: UploadOptions): Promise<Entry> {
  const form = new FormData()
  if (info) form.append('fileInfo', JSON.stringify(info))
  form.append('files', file)
  return new Promise((resolve, reject: (reason: unknown) => void) => {
    refuseWhileViewing('POST', '/upload')
    const request = new XMLHttpRequest()
    const end = () => request.abort()
    request.open('POST', '/api/upload')
    request.timeout = callTimeout
    const start = performance.now()
    for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      // The time is up when nothing moves any more: a large file on a weak link is not cut off on its way.
      request.timeout = performance.now() - start + callTimeout
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const answer = new Response(request.responseText, { status: request.status })
      recordOf(answer).then(resolve, reject)
    })
    request.addEventListener('error', () => reject(new ApiError(0, undefined, 'network')))
    request.addEventListener('timeout', () => reject(new ApiError(0, undefined, 'timeout')))
    request.addEventListener('abort', () => reject(ended()))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', end))
    if (signal.aborted) return reject(ended())
    signal.addEventListener('abort', end)
    request.send(form)
  })
}

const ended = () => new DOMException('The upload was stopped', 'AbortError')

/** The record of the one file that was sent. */
async function recordOf(answer: Response): Promise<Entry> {
  if (!answer.ok) throw await toApiError(answer)
  const [record] = (await answer.json()) as Entry[]
  if (!record) throw new ApiError(answer.status, undefined)
  return record
}
