/**
 * Picture uploads: each is a request of its own, continues when the user opens another room, and can fail on
 * its own.
 */
import type { Entry } from '@dala/model'
import { useSyncExternalStore } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { t } from '../../../lib/i18n.ts'
import { atSessionEnd } from '../../../lib/session-end.ts'

export interface Upload {
  key: string
  file: File
  percent: number
  /** Why the upload failed, as text for the user; absent while it is in progress. */
  reason?: string
  /** Another attempt would fail in the same way. */
  isFinal?: boolean
}

const none: readonly Upload[] = []
/** Uploads by the key of their draft. */
const uploads = new Map<string, readonly Upload[]>()
const aborts = new Map<string, AbortController>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function put(draft: string, change: (all: readonly Upload[]) => readonly Upload[]): void {
  uploads.set(draft, change(uploads.get(draft) ?? none))
  for (const listener of listeners) listener()
}

const alter = (draft: string, key: string, news: Partial<Upload>) =>
  put(draft, (all) => all.map((each) => (each.key === key ? { ...each, ...news } : each)))

function remove(draft: string, key: string): void {
  aborts.get(key)?.abort()
  aborts.delete(key)
  put(draft, (all) => all.filter((each) => each.key !== key))
}

atSessionEnd(() => {
  for (const abort of aborts.values()) abort.abort()
  aborts.clear()
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
  const own = useSyncExternalStore(subscribe, () => uploads.get(draft) ?? none)

  const start = async (key: string, file: File) => {
    const abort = new AbortController()
    aborts.set(key, abort)
    try {
      const onProgress = (share: number) => alter(draft, key, { percent: Math.round(share * 100) })
      const record = await uploadFile(file, { signal: abort.signal, onProgress })
      onDone(file, record)
      remove(draft, key)
    } catch (error) {
      if (!abort.signal.aborted) alter(draft, key, { reason: messageOfFailure(error) })
    }
  }

  return {
    uploads: own,
    add: (files) => {
      for (const file of files) {
        const key = crypto.randomUUID()
        // Images only (requirements §5): other dropped files are reported as failed instead of being ignored.
        const isImage = file.type.startsWith('image/')
        const refused = isImage ? {} : { reason: t('validation.imageOnly'), isFinal: true }
        put(draft, (all) => [...all, { key, file, percent: 0, ...refused }])
        if (isImage) void start(key, file)
      }
    },
    retry: ({ key, file }) => {
      put(draft, (all) => all.map((each) => (each.key === key ? { key, file, percent: 0 } : each)))
      void start(key, file)
    },
    remove: (key) => remove(draft, key),
  }
}
