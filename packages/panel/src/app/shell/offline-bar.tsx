/** A thin bar below the top bar while there is no connection. */
import WifiOff from 'lucide-react/icons/wifi-off'
import { useT } from '../../lib/i18n.ts'
import { useOnline } from '../../lib/use-online.ts'

export function OfflineBar() {
  const t = useT()
  const online = useOnline()
  return (
    <output className="block">
      {online ? null : (
        <span className="flex items-center gap-2 bg-warning-soft px-6 py-1.5 text-sm font-medium text-warning-text max-md:px-3.5">
          <WifiOff size={15} aria-hidden />
          {t('app.offline')}
        </span>
      )}
    </output>
  )
}
