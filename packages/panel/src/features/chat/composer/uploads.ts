/**
 * Uploads of pictures and documents: each is sent on its own, continues when the user opens another room, and
 * can fail on its own.
 */
import type { Entry } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { isDocument } from '../../../fields/upload/file-kind.tsx'
import { t } from '../../../lib/i18n.ts'
import { onSessionEnd } from '../../../lib/session-end.ts'
import { sendDocument } from './send-document.ts'

export interface Upload {
  key: string
  file: File
  percent: number
  /** Reason of a failed upload, as text for the user; absent while the upload is in progress. */
  reason?: string
  /** Whether another attempt of the upload would fail in the same way. */
  isFinal?: boolean
}

const isPicture = ({ type }: File) => type.startsWith('image/')

const noUploads: readonly Upload[] = []
/** Picture uploads by the key of their draft. */
const uploads = new Map<string, readonly Upload[]>()
const abortControllers = new Map<string, AbortController>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function updateUploads(draft: string, update: (uploadList: readonly Upload[]) => readonly Upload[]): void {
  uploads.set(draft, update(uploads.get(draft) ?? noUploads))
  for (const listener of listeners) listener()
}

const patchUpload = (draft: string, key: string, patch: Partial<Upload>) =>
  updateUploads(draft, (uploadList) =>
    uploadList.map((listedUpload) => (listedUpload.key === key ? { ...listedUpload, ...patch } : listedUpload)),
  )

function remove(draft: string, key: string): void {
  abortControllers.get(key)?.abort()
  abortControllers.delete(key)
  updateUploads(draft, (uploadList) => uploadList.filter((listedUpload) => listedUpload.key !== key))
}

onSessionEnd(() => {
  for (const controller of abortControllers.values()) controller.abort()
  abortControllers.clear()
  uploads.clear()
})

export interface Uploads {
  uploads: readonly Upload[]
  add: (files: readonly File[]) => void
  retry: (upload: Upload) => void
  remove: (key: string) => void
}

/**
 * Uploads the pictures and documents of a chat draft.
 *
 * @param draft - Key of the draft that the files belong to.
 * @param onDone - Called for each uploaded file, also after the user has left the room.
 */
export function useUploads(draft: string, onDone: (file: File, record: Entry) => void): Uploads {
  const draftUploads = useSyncExternalStore(subscribe, () => uploads.get(draft) ?? noUploads)

  const start = async (key: string, file: File) => {
    const controller = new AbortController()
    abortControllers.set(key, controller)
    try {
      const onProgress = (fraction: number) => patchUpload(draft, key, { percent: Math.round(fraction * 100) })
      const send = isPicture(file) ? uploadFile : sendDocument
      const record = await send(file, { signal: controller.signal, onProgress })
      onDone(file, record)
      remove(draft, key)
    } catch (error) {
      if (controller.signal.aborted) return
      // A file with other content than its name says, or with macros, is refused again.
      const isFinal = error instanceof ApiError && (error.status === 422 || error.status === 413)
      patchUpload(draft, key, { reason: messageOfFailure(error), isFinal })
    }
  }

  return {
    uploads: draftUploads,
    add: (files) => {
      for (const file of files) {
        const key = crypto.randomUUID()
        // Dropped files that a message cannot contain are reported as failed instead of being ignored.
        const isTaken = isPicture(file) || isDocument(file)
        const rejection = isTaken ? {} : { reason: t('chat.fileKinds'), isFinal: true }
        updateUploads(draft, (uploadList) => [...uploadList, { key, file, percent: 0, ...rejection }])
        if (isTaken) void start(key, file)
      }
    },
    retry: ({ key, file }) => {
      updateUploads(draft, (uploadList) =>
        uploadList.map((listedUpload) => (listedUpload.key === key ? { key, file, percent: 0 } : listedUpload)),
      )
      void start(key, file)
    },
    remove: (key) => remove(draft, key),
  }
}
