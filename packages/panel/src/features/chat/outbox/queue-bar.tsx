/**
 * The bar above the rooms while messages wait: how many, and whether the connection or a refusal blocks them.
 */
import type { Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useSyncExternalStore } from 'react'
import { useConnected } from '../../../api/connection.ts'
import { useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useOnline } from '../../../lib/hooks/use-online.ts'
import { isBlocking } from '../core/queue.ts'
import { readQueue, subscribeToQueue, useUnsentCount } from './outbox.ts'

const line = 'flex items-center gap-2 px-4 py-1.5 text-sm font-medium'

export function QueueBar({ screen }: { screen: Screen }) {
  const t = useT()
  const online = useOnline()
  const isConnected = useConnected()
  const now = useNow().getTime()
  const unsentCount = useUnsentCount()
  const stuckMessages = useSyncExternalStore(subscribeToQueue, readQueue).filter((message) => isBlocking(message, now))
  const [firstMessage] = stuckMessages
  const isCut = !online || !isConnected
  return (
    <output className="block">
      {unsentCount > 0 && isCut ? (
        <span className={`${line} bg-warning-soft text-warning-text`}>
          <CloudOff size={15} aria-hidden className="shrink-0" />
          {t('chat.queuedCount', { count: unsentCount })}
        </span>
      ) : null}
      {firstMessage ? (
        <Link
          to={`/app/${screen.path}/${firstMessage.room}`}
          className={`${line} bg-danger-soft text-danger-text hover:underline`}
        >
          <CircleAlert size={15} aria-hidden className="shrink-0" />
          {t('chat.stuckCount', { count: stuckMessages.length })}
        </Link>
      ) : null}
    </output>
  )
}
