/** Uploads to the server: three at a time, each with its progress, and its error until it is resolved. */
import type { Entry } from '@dala/model'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { findDuplicate, sendFile, type Upload } from './send-file.ts'
import { createQueue, createSpeedometer } from './upload-queue.ts'

export type { Upload } from './send-file.ts'

/** Pending file: a chosen file that is not a picture of the record yet. */
export interface PendingFile {
  /** Key of the upload, which increases in the order of choice. */
  key: number
  file: File
  replacedId: number | undefined
  /** Object URL of the picture being uploaded; undefined for other files. */
  preview: string | undefined
  /** Whether the upload of the file has started. */
  isStarted: boolean
  percent: number
  /** Speed of the upload in bytes a second. */
  speed: number | undefined
  /** Record of the same file in the store: the user decides whether the stored file is used. */
  duplicate: Entry | undefined
  /** Message about the failed upload. */
  refusal: string | undefined
  /** Whether the upload has failed in a way that a retry cannot change. */
  isFinal: boolean
}

interface Job {
  upload: Upload
  controller: AbortController
  /** Whether the store has answered that it has no such file. */
  isNew: boolean
  /** Whether the file is sent even if the store has it. */
  sendsDuplicate: boolean
}

/** Text for a failed upload: the server's message, or a message of its own when no answer arrived. */
export function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.upload.title')
  return messageOfFailure(error) || t(error.status === 413 ? 'error.413.title' : 'error.upload.title')
}

const idleState = {
  isStarted: false,
  percent: 0,
  speed: undefined,
  duplicate: undefined,
  refusal: undefined,
  isFinal: false,
}

/**
 * Uploads the files that the user has chosen.
 *
 * @param onUploaded - Called with each record, not necessarily in the order of choice.
 */
export function useUploads(onUploaded: (entry: Entry, pendingFile: Pick<PendingFile, 'key' | 'replacedId'>) => void) {
  const [files, setFiles] = useState<readonly PendingFile[]>([])
  const [doneCount, setDoneCount] = useState(0)
  // More than three uploads at a time would not be faster on a slow connection, and would delay the first
  // picture.
  const [acquireSlot] = useState(() => createQueue(3))
  const lastId = useRef(0)
  const jobs = useRef(new Map<number, Job>())
  const previews = useRef(new Map<number, string>())
  // The latest `onUploaded` is called, because an upload may end after a render and belongs to the current
  // value.
  const onUploadedRef = useRef(onUploaded)
  useEffect(() => {
    onUploadedRef.current = onUploaded
  })

  useEffect(() => {
    const [runningJobs, previewUrls] = [jobs.current, previews.current]
    return () => {
      for (const { controller } of runningJobs.values()) controller.abort()
      for (const address of previewUrls.values()) URL.revokeObjectURL(address)
      previewUrls.clear()
    }
  }, [])

  const change = (key: number, patch: Partial<PendingFile>) =>
    setFiles((formerFiles) =>
      formerFiles.map((listedFile) => (listedFile.key === key ? { ...listedFile, ...patch } : listedFile)),
    )

  const remove = (key: number) => {
    const address = previews.current.get(key)
    if (address) URL.revokeObjectURL(address)
    previews.current.delete(key)
    jobs.current.delete(key)
    setFiles((formerFiles) => formerFiles.filter((listedFile) => listedFile.key !== key))
  }

  const finishUpload = (key: number, entry: Entry) => {
    onUploadedRef.current(entry, { key, replacedId: jobs.current.get(key)?.upload.replacedId })
    setDoneCount((count) => count + 1)
    remove(key)
  }

  const run = async (key: number, job: Job) => {
    const { upload, controller, sendsDuplicate } = job
    const { signal } = controller
    const releaseSlot = await acquireSlot()
    try {
      if (signal.aborted) return
      change(key, { isStarted: true })
      const duplicate = sendsDuplicate ? undefined : await findDuplicate(upload.file, signal)
      if (signal.aborted) return
      // A duplicate of a file that was new at the first attempt is our own upload, whose response was lost.
      if (duplicate && job.isNew) return finishUpload(key, duplicate)
      if (duplicate) return change(key, { duplicate })
      job.isNew = true
      const speed = createSpeedometer()
      const onProgress = (sentBytes: number, totalBytes: number) =>
        change(key, {
          percent: Math.round((sentBytes / totalBytes) * 100),
          speed: speed({ at: performance.now(), sent: sentBytes }),
        })
      finishUpload(key, await sendFile(upload, { signal, onProgress }))
    } catch (error) {
      if (signal.aborted) return
      // A retry is useless for a file that the server could not read as a picture.
      const isFinal = error instanceof ApiError && error.status === 400
      change(key, { refusal: failureText(error), isFinal })
    } finally {
      releaseSlot()
    }
  }

  const start = (key: number, fileUpload: Upload, options: Partial<Job> = {}) => {
    const job = {
      isNew: false,
      sendsDuplicate: false,
      ...options,
      upload: fileUpload,
      controller: new AbortController(),
    }
    jobs.current.set(key, job)
    void run(key, job)
  }
  const restartUpload = (key: number, options: Partial<Job>) => {
    const job = jobs.current.get(key)
    if (!job) return
    change(key, idleState)
    start(key, job.upload, { ...job, ...options })
  }

  return {
    files,
    /** Number of finished uploads since the form was opened. */
    done: doneCount,
    add: (addedUploads: readonly Upload[]) => {
      for (const fileUpload of addedUploads) {
        const { file, replacedId } = fileUpload
        lastId.current += 1
        const key = lastId.current
        const isPicture = file.type.startsWith('image/')
        const preview = isPicture ? URL.createObjectURL(file) : undefined
        if (preview) previews.current.set(key, preview)
        const rejection = isPicture ? {} : { refusal: t('validation.imageOnly'), isFinal: true }
        setFiles((formerFiles) => [...formerFiles, { ...idleState, key, file, replacedId, preview, ...rejection }])
        if (isPicture) start(key, { ...fileUpload })
      }
    },
    retry: ({ key }: PendingFile) => restartUpload(key, {}),
    /** Uses the duplicate that the store has instead of the chosen file. */
    takeDuplicate: ({ key, duplicate }: PendingFile) => {
      if (duplicate) finishUpload(key, duplicate)
    },
    sendDuplicate: ({ key }: PendingFile) => restartUpload(key, { sendsDuplicate: true }),
    cancel: ({ key }: PendingFile) => {
      jobs.current.get(key)?.controller.abort()
      remove(key)
    },
  }
}

export type Uploads = ReturnType<typeof useUploads>
