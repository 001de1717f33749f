/** Files on their way to the server: three at a time, each with its progress, and what went wrong until it is put right. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { findTwin, sendFile, type Upload } from './send-file.ts'
import { createLine, createSpeedometer } from './upload-line.ts'

export type { Upload } from './send-file.ts'

/** A file that is not a picture of the record yet. */
export interface PendingFile {
  /** It grows with the order of choice. */
  key: number
  file: File
  instead: number | undefined
  /** An address of the picture in this browser; none for what is no picture. */
  preview: string | undefined
  /** Its turn has come. */
  begun: boolean
  percent: number
  /** Bytes a second. */
  speed: number | undefined
  /** The record of the same file, which the store has already: somebody has to say whether it will do. */
  twin: Entry | undefined
  /** Why it did not go through, in words. */
  refusal: string | undefined
  /** A refusal that another try cannot change. */
  final: boolean
}

interface Job {
  upload: Upload
  abort: AbortController
  /** It was looked for, and the store had nothing like it. */
  isNew: boolean
  /** It is sent even if the store has it. */
  anyway: boolean
}

/** The server's words for a failed upload; an answer that never came has words of its own. */
function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.upload.title')
  return wordsOfFailure(error) || t(error.status === 413 ? 'error.413.title' : 'error.upload.title')
}

const resting = { begun: false, percent: 0, speed: undefined, twin: undefined, refusal: undefined, final: false }

/** `onUploaded` hears each record, which need not come in the order of choice. */
export function useUploads(onUploaded: (entry: Entry, pending: Pick<PendingFile, 'key' | 'instead'>) => void) {
  const [files, setFiles] = useState<readonly PendingFile[]>([])
  const [done, setDone] = useState(0)
  // More at a time would not be quicker on a weak link, and the first picture would be there later.
  const [takeTurn] = useState(() => createLine(3))
  const last = useRef(0)
  const jobs = useRef(new Map<number, Job>())
  const previews = useRef(new Map<number, string>())
  // A file that was sent while the form was drawn again belongs to the value of now.
  const uploaded = useRef(onUploaded)
  useEffect(() => {
    uploaded.current = onUploaded
  })

  useEffect(() => {
    const [running, shown] = [jobs.current, previews.current]
    return () => {
      for (const { abort } of running.values()) abort.abort()
      for (const address of shown.values()) URL.revokeObjectURL(address)
      shown.clear()
    }
  }, [])

  const change = (key: number, news: Partial<PendingFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...news } : one)))

  const drop = (key: number) => {
    const address = previews.current.get(key)
    if (address) URL.revokeObjectURL(address)
    previews.current.delete(key)
    jobs.current.delete(key)
    setFiles((all) => all.filter((one) => one.key !== key))
  }

  const finish = (key: number, entry: Entry) => {
    uploaded.current(entry, { key, instead: jobs.current.get(key)?.upload.instead })
    setDone((count) => count + 1)
    drop(key)
  }

  const run = async (key: number, job: Job) => {
    const { upload, abort, anyway } = job
    const { signal } = abort
    const endTurn = await takeTurn()
    try {
      if (signal.aborted) return
      change(key, { begun: true })
      const twin = anyway ? undefined : await findTwin(upload.file, signal)
      if (signal.aborted) return
      // What was new at the first try came from here: its answer was lost on the way back.
      if (twin && job.isNew) return finish(key, twin)
      if (twin) return change(key, { twin })
      job.isNew = true
      const speed = createSpeedometer()
      const onProgress = (sent: number, all: number) =>
        change(key, { percent: Math.round((sent / all) * 100), speed: speed({ at: performance.now(), sent }) })
      finish(key, await sendFile(upload, { signal, onProgress }))
    } catch (error) {
      if (signal.aborted) return
      // What the server could not read as a picture, it will not read the second time.
      const final = error instanceof ApiError && error.status === 400
      change(key, { refusal: wordsOf(error), final })
    } finally {
      endTurn()
    }
  }

  const start = (key: number, upload: Upload, known: Partial<Job> = {}) => {
    const job = { isNew: false, anyway: false, ...known, upload, abort: new AbortController() }
    jobs.current.set(key, job)
    void run(key, job)
  }
  const again = (key: number, known: Partial<Job>) => {
    const job = jobs.current.get(key)
    if (!job) return
    change(key, resting)
    start(key, job.upload, { ...job, ...known })
  }

  return {
    files,
    /** How many went through since the form was opened. */
    done,
    add: (chosen: readonly Upload[]) => {
      for (const upload of chosen) {
        const { file, instead } = upload
        last.current += 1
        const key = last.current
        const isPicture = file.type.startsWith('image/')
        const preview = isPicture ? URL.createObjectURL(file) : undefined
        if (preview) previews.current.set(key, preview)
        const refused = isPicture ? {} : { refusal: t('validation.imageOnly'), final: true }
        setFiles((all) => [...all, { ...resting, key, file, instead, preview, ...refused }])
        if (isPicture) start(key, { ...upload })
      }
    },
    retry: ({ key }: PendingFile) => again(key, {}),
    /** The store's own file takes the place of the chosen one. */
    take: ({ key, twin }: PendingFile) => {
      if (twin) finish(key, twin)
    },
    sendAnyway: ({ key }: PendingFile) => again(key, { anyway: true }),
    cancel: ({ key }: PendingFile) => {
      jobs.current.get(key)?.abort.abort()
      drop(key)
    },
  }
}

export type Uploads = ReturnType<typeof useUploads>
