/** Pictures on their way to the server: each is uploaded by a call of its own and can fail by itself. */
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import type { Attachment } from './chat-data.ts'

export interface Upload {
  key: string
  file: File
  /** Why it failed, in words; absent while it is on its way. */
  reason?: string
}

export function useUploads(onDone: (attachment: Attachment) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const remove = (key: string) => setUploads((all) => all.filter((each) => each.key !== key))

  const start = async ({ key, file }: Upload) => {
    const body = new FormData()
    body.append('files', file)
    try {
      const [record] = await call<{ url: string }[]>('POST', '/upload', { body })
      if (record) onDone({ url: record.url, name: file.name })
      remove(key)
    } catch (error) {
      const reason = wordsOfFailure(error)
      setUploads((all) => all.map((each) => (each.key === key ? { ...each, reason } : each)))
    }
  }

  return {
    uploads,
    add: (files: readonly File[]) => {
      // Images only (spec §5): what else is dropped here is not taken.
      const images = files.filter(({ type }) => type.startsWith('image/'))
      const added = images.map((file): Upload => ({ key: crypto.randomUUID(), file }))
      setUploads((all) => [...all, ...added])
      for (const upload of added) void start(upload)
    },
    retry: ({ key, file }: Upload) => {
      setUploads((all) => all.map((each) => (each.key === key ? { key, file } : each)))
      void start({ key, file })
    },
    remove,
  }
}
