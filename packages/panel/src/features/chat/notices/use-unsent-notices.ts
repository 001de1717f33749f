/** Toasts about failed or unconfirmed messages in rooms that are not currently open. */
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { isBlocking } from '../core/queue.ts'
import { readQueue, subscribeToQueue } from '../outbox/outbox.ts'

export function useUnsentNotices(): void {
  const t = useT()
  const router = useRouter()
  const { pathname } = useLocation()
  const told = useRef<ReadonlySet<string>>(new Set())
  const look = useEffectEvent(() => {
    const stuck = readQueue().filter((each) => isBlocking(each, Date.now()))
    for (const { clientId, room, text, reason } of stuck) {
      const to = `/app/chats/${room}`
      if (told.current.has(clientId) || pathname === to) continue
      const action = { label: t('action.open'), run: () => void router.navigate({ to }) }
      showToast({
        kind: 'error',
        title: t('chat.failed'),
        text: [reason, text.slice(0, 80)].filter(Boolean).join(' · '),
        action,
      })
    }
    told.current = new Set(stuck.map(({ clientId }) => clientId))
  })
  useEffect(() => {
    look()
    return subscribeToQueue(() => look())
  }, [])
}
