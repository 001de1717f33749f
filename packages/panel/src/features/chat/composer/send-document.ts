/** Uploads a document of a message in pieces, as lessons do: a lost connection does no harm. */
import type { Entry } from '@dala/model'
import type { SendOptions } from '../../../api/upload-file.ts'
import { retryUntilOnline } from '../../../ui/lazy-part.ts'

/**
 * Uploads the document of a chat message.
 *
 * @param file - The document.
 * @param options - Its progress as a share, and the signal that cancels it and removes what has arrived.
 * @returns The record of the stored file.
 * @throws ApiError for a refusal; an `AbortError` when the signal aborts.
 */
export async function sendDocument(file: File, { signal, onProgress }: SendOptions): Promise<Entry> {
  const { startResumable } = await retryUntilOnline(() => import('../../../fields/upload/resumable.ts'))
  signal.throwIfAborted()
  return new Promise((resolve, reject: (reason: unknown) => void) => {
    const upload = startResumable(file, 'document', {
      onProgress: (sentBytes) => onProgress(sentBytes / Math.max(1, file.size)),
      onStored: (record) => resolve({ ...record }),
      onFailed: reject,
    })
    signal.addEventListener('abort', () => {
      upload.cancel()
      reject(new DOMException('The upload was stopped', 'AbortError'))
    })
  })
}
