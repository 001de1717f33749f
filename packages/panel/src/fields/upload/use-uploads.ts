/** Uploads to the server: three at a time, each with its progress, and its error until it is resolved. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { findTwin, sendFile, type Upload } from './send-file.ts'
import { createQueue, createSpeedometer } from './upload-queue.ts'

export type { Upload } from './send-file.ts'

/** A file that is not a picture of the record yet. */
export interface PendingFile {
  /** Increases in the order of choice. */
  key: number
  file: File
  instead: number | undefined
  /** An object URL of the picture; undefined for other files. */
  preview: string | undefined
  /** The upload has started. */
  begun: boolean
  percent: number
  /** Bytes a second. */
  speed: number | undefined
  /** The record of the same file in the store: the user decides whether to use it. */
  twin: Entry | undefined
  /** The message of the failure. */
  refusal: string | undefined
  /** A failure that a retry cannot change. */
  final: boolean
}

interface Job {
  upload: Upload
  abort: AbortController
  /** The store was asked, and has no such file. */
  isNew: boolean
  /** Sent even if the store has it. */
  anyway: boolean
}

/** The server's message for a failed upload; a missing answer has a message of its own. */
function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.upload.title')
  return messageOfFailure(error) || t(error.status === 413 ? 'error.413.title' : 'error.upload.title')
}

const resting = { begun: false, percent: 0, speed: undefined, twin: undefined, refusal: undefined, final: false }

/**
 * Uploads chosen files.
 *
 * @param onUploaded - Called with each record, not necessarily in the order of choice.
 */
export function useUploads(onUploaded: (entry: Entry, pending: Pick<PendingFile, 'key' | 'instead'>) => void) {
  const [files, setFiles] = useState<readonly PendingFile[]>([])
  const [done, setDone] = useState(0)
  // More at a time would not be faster on a slow connection, and would delay the first picture.
  const [takeTurn] = useState(() => createQueue(3))
  const last = useRef(0)
  const jobs = useRef(new Map<number, Job>())
  const previews = useRef(new Map<number, string>())
  // A file that finishes after a re-render belongs to the current value.
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
      // A duplicate of a file that was new at the first try is our own: its answer was lost.
      if (twin && job.isNew) return finish(key, twin)
      if (twin) return change(key, { twin })
      job.isNew = true
      const speed = createSpeedometer()
      const onProgress = (sent: number, all: number) =>
        change(key, { percent: Math.round((sent / all) * 100), speed: speed({ at: performance.now(), sent }) })
      finish(key, await sendFile(upload, { signal, onProgress }))
    } catch (error) {
      if (signal.aborted) return
      // A file that the server could not read as a picture fails again.
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
    /** The number of finished uploads since the form was opened. */
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
    /** Uses the stored file instead of the chosen one. */
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
