/** Above the rooms while messages wait to be sent: how many, and whether the connection or a refusal is in their way. */
import CloudOff from 'lucide-react/icons/cloud-off'
import { useConnected } from '../../api/connection.ts'
import { useT } from '../../lib/i18n.ts'
import { useOnline } from '../../lib/use-online.ts'
import { useUnsentCount } from './outbox.ts'

export function QueueBar() {
  const t = useT()
  const online = useOnline()
  const connected = useConnected()
  const waiting = useUnsentCount()
  const isCut = !online || !connected
  return (
    <output className="block">
      {waiting > 0 && isCut ? (
        <span className="flex items-center gap-2 bg-warning-soft px-4 py-1.5 text-sm font-medium text-warning-text">
          <CloudOff size={15} aria-hidden className="shrink-0" />
          {t('chat.queuedCount', { count: waiting })}
        </span>
      ) : null}
    </output>
  )
}
