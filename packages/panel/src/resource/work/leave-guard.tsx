/** Asks before cells that are not saved yet are left behind. */
import { useBlocker } from '@tanstack/react-router'
import { useT } from '../../lib/i18n.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'

export function LeaveGuard({ onLeave }: { onLeave: () => void }) {
  const t = useT()
  const blocker = useBlocker({
    // Pages and filters of the same list keep the cells; a session that ended leads to the sign-in page.
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname && !next.pathname.startsWith('/user'),
    enableBeforeUnload: true,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t('dialog.unsaved.title')}
      description={t('dialog.unsaved.text')}
      cancelLabel={t('dialog.unsaved.stay')}
      confirmLabel={t('dialog.unsaved.leave')}
      danger
      onConfirm={() => {
        onLeave()
        blocker.proceed?.()
      }}
    />
  )
}
