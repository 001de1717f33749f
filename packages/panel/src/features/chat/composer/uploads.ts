/**
 * Picture uploads: each is a request of its own, continues when the user opens another room, and can fail on
 * its own.
 */
import type { Entry } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { t } from '../../../lib/i18n.ts'
import { onSessionEnd } from '../../../lib/session-end.ts'

export interface Upload {
  key: string
  file: File
  percent: number
  /** Reason of a failed upload, as text for the user; absent while the upload is in progress. */
  reason?: string
  /** Whether another attempt of the upload would fail in the same way. */
  isFinal?: boolean
}

const noUploads: readonly Upload[] = []
/** Picture uploads by the key of their draft. */
const uploads = new Map<string, readonly Upload[]>()
const abortControllers = new Map<string, AbortController>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function updateUploads(draft: string, update: (all: readonly Upload[]) => readonly Upload[]): void {
  uploads.set(draft, update(uploads.get(draft) ?? noUploads))
  for (const listener of listeners) listener()
}

const patchUpload = (draft: string, key: string, patch: Partial<Upload>) =>
  updateUploads(draft, (all) => all.map((each) => (each.key === key ? { ...each, ...patch } : each)))

function remove(draft: string, key: string): void {
  abortControllers.get(key)?.abort()
  abortControllers.delete(key)
  updateUploads(draft, (all) => all.filter((each) => each.key !== key))
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
 * Uploads the pictures of a draft.
 *
 * @param draft - Key of the draft that the pictures belong to.
 * @param onDone - Called for each uploaded picture, also after the user has left the room.
 */
export function useUploads(draft: string, onDone: (file: File, record: Entry) => void): Uploads {
  const draftUploads = useSyncExternalStore(subscribe, () => uploads.get(draft) ?? noUploads)

  const start = async (key: string, file: File) => {
    const controller = new AbortController()
    abortControllers.set(key, controller)
    try {
      const onProgress = (fraction: number) => patchUpload(draft, key, { percent: Math.round(fraction * 100) })
      const record = await uploadFile(file, { signal: controller.signal, onProgress })
      onDone(file, record)
      remove(draft, key)
    } catch (error) {
      if (!controller.signal.aborted) patchUpload(draft, key, { reason: messageOfFailure(error) })
    }
  }

  return {
    uploads: draftUploads,
    add: (files) => {
      for (const file of files) {
        const key = crypto.randomUUID()
        // Images only (requirements §5): other dropped files are reported as failed instead of being ignored.
        const isImage = file.type.startsWith('image/')
        const rejection = isImage ? {} : { reason: t('validation.imageOnly'), isFinal: true }
        updateUploads(draft, (all) => [...all, { key, file, percent: 0, ...rejection }])
        if (isImage) void start(key, file)
      }
    },
    retry: ({ key, file }) => {
      updateUploads(draft, (all) => all.map((each) => (each.key === key ? { key, file, percent: 0 } : each)))
      void start(key, file)
    },
    remove: (key) => remove(draft, key),
  }
}
