/**
 * The button that marks a part as studied, where its video cannot be measured or its author asks for the
 * mark.
 */
import { type Entry, isPartComplete } from '@dala/model'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useT } from '../../../../lib/i18n.ts'
import { Button } from '../../../../ui/button.tsx'
import type { OwnVideo } from '../files/own-video.ts'
import type { RecordProgress } from './use-recording.ts'

const rules = ['opened', 'watched', 'marked'] as const

/**
 * Tells whether a lesson's part is completed only by the learner's mark (e-learning §7).
 *
 * @param lesson - The lesson with its rule.
 * @param file - The uploaded video of the part, whose length may be known.
 * @param hasVideo - Whether the part has a video at all.
 */
export function needsMark(lesson: Entry, file: OwnVideo | undefined, hasVideo: boolean): boolean {
  const completeWhen = rules.find((rule) => rule === lesson.complete_when) ?? 'watched'
  const length = file?.duration_s ?? null
  const activityWithoutMark = { opened: true, marked: false, watched: length ?? 0 }
  return !isPartComplete({ completeWhen, watchRatio: 0, hasVideo, length }, activityWithoutMark)
}

interface MarkStudiedProps {
  part: string
  isDone: boolean
  /** Records progress of a learner; undefined for an author, whose mark is not stored. */
  onProgress: RecordProgress | undefined
}

export function MarkStudied({ part, isDone, onProgress }: MarkStudiedProps) {
  const t = useT()
  const [isMarked, setMarked] = useState(false)
  const isShownDone = isDone || isMarked
  const mark = () => {
    setMarked(true)
    onProgress?.(part, { marked: true })
  }
  return (
    <Button
      kind={isShownDone ? 'plain' : 'primary'}
      icon={isShownDone ? <Check size={17} aria-hidden /> : null}
      onClick={isShownDone ? undefined : mark}
      className="justify-self-start"
    >
      {t(isShownDone ? 'learning.isStudied' : 'learning.markStudied')}
    </Button>
  )
}
