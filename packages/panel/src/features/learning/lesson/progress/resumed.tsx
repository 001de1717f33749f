/** Continues a video where the learner stopped, with a button that returns to its beginning. */
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../../../lib/i18n.ts'
import { LinkButton } from '../../../../ui/button.tsx'
import { clockText } from '../player/times.ts'

/** Second of a video before which a stored position counts as the beginning. */
const beginningSeconds = 5

/** Returns the position at which a video starts; a completed video starts at its beginning. */
export const resumePosition = (position: number, isCompleted: boolean): number =>
  isCompleted || position < beginningSeconds ? 0 : position

interface ResumedProps {
  position: number
  children: (position: number) => ReactNode
}

export function ResumedNotice({ position, children }: ResumedProps) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  // A position that is stored while the page is open does not move the video.
  const [start, setStart] = useState(position)
  const restartVideo = () => {
    setStart(0)
    frame.current?.querySelector<HTMLElement>('.player-button')?.focus()
  }
  return (
    <div ref={frame} className="grid gap-1.5">
      {children(start)}
      {start > 0 ? (
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
          <span>{t('player.continued', { time: clockText(start) })}</span>
          <LinkButton onClick={restartVideo}>{t('player.fromStart')}</LinkButton>
        </p>
      ) : null}
    </div>
  )
}
