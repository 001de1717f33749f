/** Asks before something that is not saved is left behind. */
import { useBlocker } from '@tanstack/react-router'
import { useT } from '../lib/i18n.ts'
import { ConfirmDialog } from '../ui/overlays/dialog.tsx'

interface LeaveQuestionProps {
  /** Whether there is something to lose now. */
  isUnsaved: () => boolean
  /** The browser asks as well when the page itself is left: what is typed is kept nowhere else. */
  onUnload?: boolean
  /** A word of the address that says what is open: another one leaves it too. */
  word?: string
  /** Whether what is typed waits for the way back as a draft, when it is not forgotten. */
  hasDraft?: () => boolean
  /** Forgets what is not saved. */
  onLeave: () => void
}

interface Place {
  pathname: string
  search: object
}

const wordIn = ({ search }: Place, word: string | undefined): unknown =>
  Object.entries(search).find(([name]) => name === word)?.[1]

const isElsewhere = (current: Place, next: Place, word: string | undefined): boolean =>
  next.pathname !== current.pathname || wordIn(next, word) !== wordIn(current, word)

/**
 * Other words of the same address keep what is there. A session that ended leads to the sign-in page, and what is typed
 * waits for the way back.
 */
export function LeaveQuestion({
  isUnsaved,
  onUnload = false,
  word,
  hasDraft = () => false,
  onLeave,
}: LeaveQuestionProps) {
  const t = useT()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && isElsewhere(current, next, word) && !next.pathname.startsWith('/user'),
    enableBeforeUnload: onUnload,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  const keeps = isBlocked && hasDraft()
  return (
    <ConfirmDialog
      open={isBlocked}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t('dialog.unsaved.title')}
      description={t(keeps ? 'dialog.unsaved.keepText' : 'dialog.unsaved.text')}
      cancelLabel={t('dialog.unsaved.stay')}
      confirmLabel={t(keeps ? 'dialog.unsaved.discard' : 'dialog.unsaved.leave')}
      further={keeps ? { label: t('dialog.unsaved.keep'), onChoose: () => blocker.proceed() } : undefined}
      danger
      onConfirm={() => {
        onLeave()
        blocker.proceed?.()
      }}
    />
  )
}
