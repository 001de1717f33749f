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
  const notifiedIds = useRef<ReadonlySet<string>>(new Set())
  const notifyStuckMessages = useEffectEvent(() => {
    const stuckMessages = readQueue().filter((message) => isBlocking(message, Date.now()))
    for (const { clientId, room, text, reason } of stuckMessages) {
      const roomPath = `/app/chats/${room}`
      if (notifiedIds.current.has(clientId) || pathname === roomPath) continue
      const action = { label: t('action.open'), run: () => void router.navigate({ to: roomPath }) }
      showToast({
        kind: 'error',
        title: t('chat.failed'),
        text: [reason, text.slice(0, 80)].filter(Boolean).join(' · '),
        action,
      })
    }
    notifiedIds.current = new Set(stuckMessages.map(({ clientId }) => clientId))
  })
  useEffect(() => {
    notifyStuckMessages()
    return subscribeToQueue(() => notifyStuckMessages())
  }, [])
}
