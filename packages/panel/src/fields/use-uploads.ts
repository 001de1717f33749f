/** Files on their way to the server: one after the other, each with its progress, and what went wrong until it is put right. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { wordsOfFailure } from '../api/error-toasts.ts'
import { uploadFile } from '../api/upload-file.ts'
import { t } from '../lib/i18n.ts'

/** A file that is not a picture of the record yet. */
export interface PendingFile {
  key: string
  file: File
  /** An address of the picture in this browser; none for what is no picture. */
  preview: string | undefined
  percent: number
  /** Why it did not go through, in words. */
  refusal: string | undefined
  /** A refusal that another try cannot change. */
  final: boolean
}

/** The server's words for a failed upload; an answer that never came has words of its own. */
function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.upload.title')
  return wordsOfFailure(error) || t(error.status === 413 ? 'error.413.title' : 'error.upload.title')
}

export function useUploads(onUploaded: (entry: Entry) => void) {
  const [files, setFiles] = useState<readonly PendingFile[]>([])
  const [done, setDone] = useState(0)
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const aborts = useRef(new Map<string, AbortController>())
  const previews = useRef(new Map<string, string>())
  // A file that was sent while the form was drawn again belongs to the value of now.
  const uploaded = useRef(onUploaded)
  useEffect(() => {
    uploaded.current = onUploaded
  })

  useEffect(() => {
    const [running, shown] = [aborts.current, previews.current]
    return () => {
      for (const abort of running.values()) abort.abort()
      for (const address of shown.values()) URL.revokeObjectURL(address)
      shown.clear()
    }
  }, [])

  const change = (key: string, news: Partial<PendingFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...news } : one)))

  const drop = (key: string) => {
    const address = previews.current.get(key)
    if (address) URL.revokeObjectURL(address)
    previews.current.delete(key)
    setFiles((all) => all.filter((one) => one.key !== key))
  }

  const send = (key: string, file: File) => {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    const run = async () => {
      try {
        const onProgress = (share: number) => change(key, { percent: Math.round(share * 100) })
        const entry = await uploadFile(file, { signal: abort.signal, onProgress })
        uploaded.current(entry)
        setDone((count) => count + 1)
        drop(key)
      } catch (error) {
        if (abort.signal.aborted) return
        // What the server could not read as a picture, it will not read the second time.
        const final = error instanceof ApiError && error.status === 400
        change(key, { refusal: wordsOf(error), final })
      } finally {
        aborts.current.delete(key)
      }
    }
    // One at a time: on a weak link the first picture is there sooner.
    line.current = line.current.then(run)
  }

  return {
    files,
    /** How many went through since the form was opened. */
    done,
    add: (chosen: readonly File[]) => {
      for (const file of chosen) {
        const key = crypto.randomUUID()
        const isPicture = file.type.startsWith('image/')
        const preview = isPicture ? URL.createObjectURL(file) : undefined
        if (preview) previews.current.set(key, preview)
        const refusal = isPicture ? undefined : t('validation.imageOnly')
        setFiles((all) => [...all, { key, file, preview, percent: 0, refusal, final: !isPicture }])
        if (isPicture) send(key, file)
      }
    },
    retry: ({ key, file }: PendingFile) => {
      change(key, { percent: 0, refusal: undefined })
      send(key, file)
    },
    cancel: ({ key }: PendingFile) => {
      aborts.current.get(key)?.abort()
      drop(key)
    },
  }
}

export type Uploads = ReturnType<typeof useUploads>
