/** A thin bar below the top bar while there is no connection, and a message when it is back. */
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useOnline } from '../../lib/hooks/use-online.ts'
import { showToast } from '../../ui/feedback/toast.ts'

export function OfflineBar() {
  const t = useT()
  const online = useOnline()
  const wasOnline = useRef(online)
  useEffect(() => {
    if (online && !wasOnline.current) showToast({ kind: 'success', title: t('app.online') })
    wasOnline.current = online
  }, [online, t])
  return (
    <output className="block">
      {online ? null : (
        <span
          data-offline=""
          className="flex min-h-(--offline-h) items-center gap-2 bg-warning-soft px-6 py-1 text-sm leading-tight font-medium text-warning-text max-md:px-3.5"
        >
          <WifiOff size={15} aria-hidden className="shrink-0" />
          {t('app.offline')}
        </span>
      )}
    </output>
  )
}
