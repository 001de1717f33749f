/** Pictures on their way to the server: each is uploaded by a call of its own and can fail by itself. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { uploadFile } from '../../api/upload-file.ts'
import { t } from '../../lib/i18n.ts'

export interface Upload {
  key: string
  file: File
  percent: number
  /** Why it failed, in words; absent while it is on its way. */
  reason?: string
  /** A failure that another try cannot change. */
  isFinal?: boolean
}

/** `onDone` hears each picture that is on the server, with its record. */
export function useUploads(onDone: (file: File, record: Entry) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
    }
  }, [])

  const change = (key: string, news: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...news } : each)))
  const remove = (key: string) => {
    aborts.current.get(key)?.abort()
    aborts.current.delete(key)
    setUploads((all) => all.filter((each) => each.key !== key))
  }

  const start = async (key: string, file: File) => {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    try {
      const onProgress = (share: number) => change(key, { percent: Math.round(share * 100) })
      const record = await uploadFile(file, { signal: abort.signal, onProgress })
      onDone(file, record)
      remove(key)
    } catch (error) {
      if (!abort.signal.aborted) change(key, { reason: wordsOfFailure(error) })
    }
  }

  return {
    uploads,
    add: (files: readonly File[]) => {
      for (const file of files) {
        const key = crypto.randomUUID()
        // Images only (spec §5): what else is dropped here says so instead of vanishing.
        const isImage = file.type.startsWith('image/')
        const refused = isImage ? {} : { reason: t('validation.imageOnly'), isFinal: true }
        setUploads((all) => [...all, { key, file, percent: 0, ...refused }])
        if (isImage) void start(key, file)
      }
    },
    retry: ({ key, file }: Upload) => {
      setUploads((all) => all.map((each) => (each.key === key ? { key, file, percent: 0 } : each)))
      void start(key, file)
    },
    remove,
  }
}

export type Uploads = ReturnType<typeof useUploads>
