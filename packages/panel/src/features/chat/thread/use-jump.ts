/** Scrolls to a quoted message anywhere in the room, and back to the newest. */
import { useEffect, useEffectEvent, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { t } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import type { RoomView } from '../live/room-view.ts'

/** Milliseconds for which the message that the thread has jumped to is highlighted. */
const highlightTime = 2_500

/**
 * Focuses a message once it is rendered: a distant one takes some frames after the thread has scrolled there.
 */
function focusWhenDrawn(id: number, frames = 30): void {
  requestAnimationFrame(() => {
    const article = document.querySelector<HTMLElement>(`[data-message="${id}"]`)
    if (article) article.focus({ preventScroll: true })
    else if (frames > 0) focusWhenDrawn(id, frames - 1)
  })
}

interface ThreadScroll {
  show: (id: number | string) => boolean
  scrollToEnd: () => void
}

export function useJump(room: number, log: RoomView, threadScroll: ThreadScroll) {
  /** Target of the scrolling: a message, or the end of the thread; reset after the highlight. */
  const [goal, setGoal] = useState<{ seq: number | 'end' }>()
  const targetId = goal && log.messages.find(({ seq }) => seq === goal.seq)?.id
  const isTargetLoaded = goal?.seq === 'end' ? !log.hasNewer : targetId !== undefined

  const focusTarget = useEffectEvent(() => {
    if (targetId === undefined) threadScroll.scrollToEnd()
    else if (threadScroll.show(targetId)) focusWhenDrawn(targetId)
  })
  useEffect(() => {
    if (!goal || !isTargetLoaded) return
    focusTarget()
    const timer = setTimeout(() => setGoal(undefined), highlightTime)
    return () => clearTimeout(timer)
  }, [goal, isTargetLoaded, room])

  const jumpToMessage = async (seq: number | 'end') => {
    setGoal({ seq })
    try {
      await (seq === 'end' ? log.loadNewest() : log.loadAround(seq))
    } catch (error) {
      setGoal(undefined)
      showToast({ kind: 'error', title: t('chat.jumpFailed'), text: messageOfFailure(error) })
    }
  }
  return { found: targetId, jump: (seq: number) => void jumpToMessage(seq), toNewest: () => void jumpToMessage('end') }
}
