/**
 * The bar for the last decision while it can be undone; it concerns the previous post while the next one is
 * open.
 */
import { decisionUndoSeconds } from '@dala/model'
import CircleCheck from 'lucide-react/icons/circle-check'
import Undo2 from 'lucide-react/icons/undo-2'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { keyCapsOf, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { LinkButton } from '../../../ui/button.tsx'

/** Decision on a post that was just taken and can be undone. */
export interface UndoableDecision {
  id: number
  title: string
  to: string
  /** Time of the decision that can be undone, in milliseconds since 1970. */
  decidedAt: number
}

const msPerSecond = 1_000

/** Seconds left to undo the decision; the bar closes at zero. */
function useSecondsLeft({ decidedAt }: UndoableDecision, onEnd: () => void): number {
  const [now, setNow] = useState(Date.now)
  const secondsLeft = Math.max(0, Math.ceil((decidedAt + decisionUndoSeconds * msPerSecond - now) / msPerSecond))
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    if (secondsLeft === 0) {
      end.current()
      return undefined
    }
    const timer = setTimeout(() => setNow(Date.now()), 250)
    return () => clearTimeout(timer)
  }, [secondsLeft, now])
  return secondsLeft
}

export function UndoBar({
  decision,
  onUndo,
  onEnd,
}: {
  decision: UndoableDecision
  onUndo: () => void
  onEnd: () => void
}) {
  const t = useT()
  const secondsLeft = useSecondsLeft(decision, onEnd)
  return (
    <div className="relative flex min-h-[46px] items-center gap-2.5 overflow-hidden bg-success-soft px-5 text-success-text max-md:px-4">
      <i
        aria-hidden
        style={{ width: `${(secondsLeft / decisionUndoSeconds) * 100}%` }}
        className="absolute inset-s-0 top-0 h-0.5 bg-success transition-[width] duration-300 ease-linear motion-reduce:transition-none"
      />
      <CircleCheck size={18} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1 text-ink">
        <output>
          <b className="font-semibold wrap-anywhere">{decision.title}</b>: {t('moderation.taken', { to: decision.to })}
        </output>{' '}
        <span className="max-md:hidden">{t('moderation.toldIn', { count: secondsLeft })}</span>
      </p>
      <LinkButton icon={<Undo2 size={16} aria-hidden />} onClick={onUndo}>
        {t('action.undo')}
      </LinkButton>
      <span className="max-md:hidden">
        <KeyCaps caps={shortcuts.review.undo.flatMap(keyCapsOf)} />
      </span>
    </div>
  )
}
