/**
 * Further parts of the top bar, loaded after the page: the inbox, notifications of the desk, and the
 * shortcuts sheet behind `?`.
 */
import { rankOfRole } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useLocale, useT, useWrittenLocale } from '../../lib/i18n.ts'
import { storeShell } from '../offline-shell.ts'
import { isPressed, isTyping, shortcuts } from '../../lib/keys/shortcuts.ts'
import { shortcutsEvent } from '../../lib/keys/shortcuts-event.ts'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { useGoHome } from './use-go-home.ts'
import { InboxButton } from './inbox/inbox.tsx'
import { noticesQuery, noticeText } from './inbox/notices.ts'
import { lazyOptionalPart, lazyFeature } from '../../ui/lazy-part.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'

const ShortcutsDialog = lazyFeature(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

// Unsent messages cause a question before the sign-out, so its code must be loaded by then.
const UnsentQuestion = lazyOptionalPart(
  async () => (await import('../../features/chat/outbox/unsent-question.tsx')).UnsentQuestion,
)
const DeskNotices = lazyOptionalPart(
  async () => (await import('../../features/chat/notices/desk-notices.tsx')).DeskNotices,
)

/** Whether the user answers growers, and gets notifications of the desk on every page. */
function useIsAgent(): boolean {
  const { data: me } = useQuery(meQuery)
  return me !== undefined && (me.is_consultant === true || rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin'))
}

/** The inbox is refreshed even in background windows, so that users notice waiting customers. */
function DeskNotifications() {
  const t = useT()
  const locale = useLocale()
  const { data } = useQuery({ ...noticesQuery, refetchIntervalInBackground: true })
  return (
    <DeskNotices inbox={data?.data.map((notice) => ({ ...notice, getTitle: () => noticeText(t, locale, notice) }))} />
  )
}

export function Tools() {
  const isAgent = useIsAgent()
  const written = useWrittenLocale()
  useEffect(() => void storeShell(written, true), [written])
  const [isOpen, setOpen] = useState(false)
  const wasOpened = useWasEverTrue(isOpen)
  useGoHome()
  useEffect(() => {
    const show = () => setOpen(true)
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || !isPressed(event, shortcuts.everywhere.help)) return
      event.preventDefault()
      show()
    }
    window.addEventListener('keydown', handleKey)
    window.addEventListener(shortcutsEvent, show)
    return () => {
      window.removeEventListener('keydown', handleKey)
      window.removeEventListener(shortcutsEvent, show)
    }
  }, [])
  return (
    <>
      <InboxButton />
      <Suspense fallback={null}>
        <UnsentQuestion />
        {isAgent ? <DeskNotifications /> : null}
      </Suspense>
      {wasOpened ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <ShortcutsDialog open={isOpen} onOpenChange={setOpen} />
        </AwaitedPart>
      ) : null}
    </>
  )
}
