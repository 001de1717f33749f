/** Pieces of a lesson's content that record the progress of the learner. */
import type { Locale } from '@dala/model'
import { useEffect } from 'react'
import { RichText } from '../../../ui/rich-text.tsx'
import { ResumedNotice, resumePosition } from './progress/resumed.tsx'
import { type RecordProgress, usePlaybackRecording } from './progress/use-recording.ts'
import { LessonVideo, type LessonVideoProps } from './video.tsx'

export const LessonText = ({ html, lang }: { html: string; lang: Locale }) => (
  <RichText html={html} lang={lang} className="max-w-[68ch] text-lg leading-read" />
)

/** Records that the learner has opened a part, as soon as the page shows it. */
export function OpenedPart({ part, onProgress }: { part: string; onProgress: RecordProgress | undefined }) {
  useEffect(() => onProgress?.(part, { opened: true }), [part, onProgress])
  return null
}

interface RecordedVideoProps extends Omit<LessonVideoProps, 'startSecond' | 'onPlayback'> {
  part: string
  /** Position in seconds at which the learner stopped the video. */
  startSecond: number | undefined
  isCompleted: boolean
  onProgress: RecordProgress | undefined
}

/** A video that starts where the learner stopped, and records the watched intervals. */
export function RecordedVideo({
  part,
  startSecond: startAt = 0,
  isCompleted,
  onProgress,
  ...video
}: RecordedVideoProps) {
  const record = usePlaybackRecording(onProgress, part)
  return (
    <ResumedNotice position={resumePosition(startAt, isCompleted)}>
      {(position) => <LessonVideo {...video} startSecond={position} onPlayback={record} />}
    </ResumedNotice>
  )
}
