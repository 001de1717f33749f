/** Sends files and reports the progress, which `fetch` cannot. */
import type { Entry } from '@dala/model'
import { ApiError, toApiError } from './api-error.ts'
import { authorization, callTimeout, refuseWhileViewing } from './client.ts'

export interface SendOptions {
  signal: AbortSignal
  /** Called during an upload with the share of bytes that is sent, 0 to 1. */
  onProgress: (share: number) => void
  headers?: Readonly<Record<string, string>>
}

export interface UploadOptions extends SendOptions {
  /** Description of the file: the form part `fileInfo`. */
  info?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Sends a form with files.
 *
 * @returns The JSON of the answer.
 * @throws ApiError as `call` does; a call that its signal aborts throws an `AbortError`.
 */
export function sendForm(path: string, form: FormData, options: SendOptions): Promise<unknown> {
  const { signal, onProgress, headers } = options
  return new Promise((resolve, reject: (reason: unknown) => void) => {
    refuseWhileViewing('POST', path)
    const request = new XMLHttpRequest()
    const end = () => request.abort()
    request.open('POST', `/api${path}`)
    request.timeout = callTimeout
    const start = performance.now()
    for (const [name, value] of Object.entries({ ...headers, ...authorization() }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      // The time-out of an upload restarts with each progress: a large file on a slow connection is not
      // aborted half-way.
      request.timeout = performance.now() - start + callTimeout
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const answer = new Response(request.responseText, { status: request.status })
      jsonOf(answer).then(resolve, reject)
    })
    request.addEventListener('error', () => reject(new ApiError(0, undefined, 'network')))
    request.addEventListener('timeout', () => reject(new ApiError(0, undefined, 'timeout')))
    request.addEventListener('abort', () => reject(makeAbortError()))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', end))
    if (signal.aborted) return reject(makeAbortError())
    signal.addEventListener('abort', end)
    request.send(form)
  })
}

/**
 * Uploads a file to the file store (contract §10).
 *
 * @returns Its record.
 * @throws ApiError as `sendForm` does.
 */
export async function uploadFile(file: File, { info, ...options }: UploadOptions): Promise<Entry> {
  const form = new FormData()
  if (info) form.append('fileInfo', JSON.stringify(info))
  form.append('files', file)
  const [record] = (await sendForm('/upload', form, options)) as Entry[]
  if (!record) throw new ApiError(200, undefined)
  return record
}

const makeAbortError = () => new DOMException('The upload was stopped', 'AbortError')

async function jsonOf(answer: Response): Promise<unknown> {
  if (!answer.ok) throw await toApiError(answer)
  return await answer.json()
}
