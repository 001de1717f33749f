/** The state of one resumable upload: progress, speed, pause, failure. */
import type { FileRecord, UploadPurpose } from '@dala/model'
import { use, useEffect, useRef, useState } from 'react'
import { UnderWayContext } from '../../../../fields/upload/pending-uploads.ts'
import { createSpeedometer } from '../../../../fields/upload/upload-queue.ts'
import { failureText } from '../../../../fields/upload/use-uploads.ts'
import type {
  ResumableEvents,
  ResumableUpload,
  StartResumable,
  UploadTarget,
} from '../../../../fields/upload/resumable.ts'
import type { UnfinishedUploads, UploadPlace } from './unfinished.ts'

/** An upload of a lesson's file that is not complete yet. */
export interface UploadSending {
  file: File
  state: 'sending' | 'paused' | 'failed'
  sent: number
  /** Speed of an upload in bytes a second; undefined while it is not measured yet. */
  speed: number | undefined
  /** Message of a failed upload. */
  refusal: string | undefined
}

/** The list of remembered uploads, and the lesson with the field of this upload. */
export interface RememberedUploads {
  place: UploadPlace
  all: UnfinishedUploads
}

/**
 * Uploads one file at a time. The form waits for it, unless it is paused.
 *
 * @param start - Starts an upload.
 * @param purpose - The purpose of the files.
 * @param onStored - Called with the record of a stored file.
 * @param options - The lesson of the files: `remembered` keeps an upload until it ends, `target` names the
 *   lesson to the server. Both are absent for a lesson that is not stored yet.
 */
export function useResumable(
  start: StartResumable,
  purpose: UploadPurpose,
  onStored: (record: FileRecord) => void,
  { remembered, target }: { remembered?: RememberedUploads | undefined; target?: UploadTarget | undefined } = {},
) {
  const [sending, setSending] = useState<UploadSending | undefined>()
  const uploadRef = useRef<ResumableUpload | undefined>(undefined)
  // A file whose upload ends after a re-render is passed to the current callback.
  const onStoredRef = useRef(onStored)
  const uploadMemory = useRef(remembered)
  useEffect(() => {
    onStoredRef.current = onStored
    uploadMemory.current = remembered
  })
  // Closing the form pauses its upload: choosing the same file again continues it.
  useEffect(
    () => () => {
      if (!uploadRef.current) return
      uploadRef.current.pause()
      uploadMemory.current?.all.refreshUploads()
    },
    [],
  )

  const beginUpload = use(UnderWayContext)
  const isSending = sending?.state === 'sending'
  useEffect(() => (isSending ? beginUpload?.() : undefined), [beginUpload, isSending])

  const change = (patch: Partial<UploadSending>) => setSending((now) => now && { ...now, ...patch })
  const choose = (file: File) => {
    uploadRef.current?.cancel()
    const speed = createSpeedometer()
    if (remembered) remembered.all.hideUpload(remembered.place)
    setSending({ file, state: 'sending', sent: 0, speed: undefined, refusal: undefined })
    try {
      const events: ResumableEvents = {
        onCreated: (url) => {
          const { name, size } = file
          if (remembered) remembered.all.rememberUpload({ ...remembered.place, url, name, size })
        },
        onProgress: (sentBytes) =>
          change({ sent: sentBytes, speed: speed({ at: performance.now(), sent: sentBytes }) }),
        onStored: (record) => {
          uploadRef.current = undefined
          setSending(undefined)
          if (remembered) remembered.all.forgetUpload(remembered.place)
          onStoredRef.current(record)
        },
        onFailed: (error) => change({ state: 'failed', refusal: failureText(error) }),
      }
      uploadRef.current = start(file, purpose, events, target)
    } catch (error) {
      change({ state: 'failed', refusal: failureText(error) })
    }
  }
  return {
    sending,
    choose,
    pause: () => {
      uploadRef.current?.pause()
      change({ state: 'paused', speed: undefined })
    },
    resumeUpload: () => {
      change({ state: 'sending', refusal: undefined })
      uploadRef.current?.resumeUpload()
    },
    cancel: () => {
      uploadRef.current?.cancel()
      uploadRef.current = undefined
      setSending(undefined)
      if (remembered) remembered.all.forgetUpload(remembered.place)
    },
  }
}
