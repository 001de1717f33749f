/** The state of one resumable upload: progress, speed, pause, failure. */
import type { FileRecord, UploadPurpose } from '@dala/model'
import { use, useEffect, useRef, useState } from 'react'
import { UnderWayContext } from '../../../../fields/upload/pending-uploads.ts'
import { createSpeedometer } from '../../../../fields/upload/upload-queue.ts'
import { failureText } from '../../../../fields/upload/use-uploads.ts'
import type { ResumableUpload, StartResumable } from '../../../../fields/upload/resumable.ts'

/** An upload that is not stored yet. */
export interface Sending {
  file: File
  state: 'sending' | 'paused' | 'failed'
  sent: number
  /** Bytes a second; undefined until it is known. */
  speed: number | undefined
  /** Message of a failed upload. */
  refusal: string | undefined
}

/**
 * Uploads one file at a time. The form waits for it, unless it is paused.
 *
 * @param start - Starts an upload.
 * @param purpose - The purpose of the files.
 * @param onStored - Called with the record of a stored file.
 */
export function useResumable(start: StartResumable, purpose: UploadPurpose, onStored: (record: FileRecord) => void) {
  const [sending, setSending] = useState<Sending | undefined>()
  const upload = useRef<ResumableUpload | undefined>(undefined)
  // A file that finishes after a re-render belongs to the current value.
  const stored = useRef(onStored)
  useEffect(() => {
    stored.current = onStored
  })
  // A closed form pauses its upload: choosing the same file again continues it.
  useEffect(() => () => upload.current?.pause(), [])

  const begin = use(UnderWayContext)
  const isSending = sending?.state === 'sending'
  useEffect(() => (isSending ? begin?.() : undefined), [begin, isSending])

  const change = (patch: Partial<Sending>) => setSending((now) => now && { ...now, ...patch })
  const choose = (file: File) => {
    upload.current?.cancel()
    const speed = createSpeedometer()
    setSending({ file, state: 'sending', sent: 0, speed: undefined, refusal: undefined })
    try {
      upload.current = start(file, purpose, {
        onProgress: (sent) => change({ sent, speed: speed({ at: performance.now(), sent }) }),
        onStored: (record) => {
          upload.current = undefined
          setSending(undefined)
          stored.current(record)
        },
        onFailed: (error) => change({ state: 'failed', refusal: failureText(error) }),
      })
    } catch (error) {
      change({ state: 'failed', refusal: failureText(error) })
    }
  }
  return {
    sending,
    choose,
    pause: () => {
      upload.current?.pause()
      change({ state: 'paused', speed: undefined })
    },
    resume: () => {
      change({ state: 'sending', refusal: undefined })
      upload.current?.resume()
    },
    cancel: () => {
      upload.current?.cancel()
      upload.current = undefined
      setSending(undefined)
    },
  }
}
