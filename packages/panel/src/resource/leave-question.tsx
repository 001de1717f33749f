/** Asks before the user leaves unsaved changes. */
import { useBlocker } from '@tanstack/react-router'
import { useT } from '../lib/i18n.ts'
import { ConfirmDialog } from '../ui/overlays/dialog.tsx'

interface LeaveQuestionProps {
  /** Returns whether the user would lose changes by leaving now. */
  isUnsaved: () => boolean
  /** Whether the browser asks too when the page is closed, because the changes are stored nowhere else. */
  onUnload?: boolean
  /** Search parameter that names the edited thing; another value of it counts as leaving. */
  searchKey?: string
  /** Whether the changes survive as a draft when the user does not discard them. */
  hasDraft?: () => boolean
  /** Discards the unsaved changes of the page. */
  onLeave: () => void
}

interface PageLocation {
  pathname: string
  search: object
}

const searchValue = ({ search }: PageLocation, searchKey: string | undefined): unknown =>
  Object.entries(search).find(([name]) => name === searchKey)?.[1]

const isOtherPage = (current: PageLocation, nextLocation: PageLocation, searchKey: string | undefined): boolean =>
  nextLocation.pathname !== current.pathname || searchValue(nextLocation, searchKey) !== searchValue(current, searchKey)

/**
 * A navigation that changes another search parameter does not leave the form. A session that ended redirects
 * to the sign-in page, and the changes stay as a draft.
 */
export function LeaveQuestion({
  isUnsaved,
  onUnload = false,
  searchKey,
  hasDraft = () => false,
  onLeave,
}: LeaveQuestionProps) {
  const t = useT()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && isOtherPage(current, next, searchKey) && !next.pathname.startsWith('/user'),
    enableBeforeUnload: onUnload,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  const isKept = isBlocked && hasDraft()
  return (
    <ConfirmDialog
      open={isBlocked}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title={t('dialog.unsaved.title')}
      description={t(isKept ? 'dialog.unsaved.keepText' : 'dialog.unsaved.text')}
      cancelLabel={t('dialog.unsaved.stay')}
      confirmLabel={t(isKept ? 'dialog.unsaved.discard' : 'dialog.unsaved.leave')}
      extraAction={isKept ? { label: t('dialog.unsaved.keep'), onChoose: () => blocker.proceed() } : undefined}
      isDangerous
      onConfirm={() => {
        onLeave()
        blocker.proceed?.()
      }}
    />
  )
}
