/** Says that colleagues have changed which rows a list has: they are shown when the reader asks, not under his eyes. */
import { useQueryClient } from '@tanstack/react-query'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useSyncExternalStore } from 'react'
import { useT } from '../lib/i18n.ts'
import { LinkButton } from '../ui/button.tsx'
import { newsOf, showWaiting, subscribeNews } from './live-news.ts'

/** In: the hash of the list's query. */
export function LiveNotice({ hash }: { hash: string }) {
  const t = useT()
  const cache = useQueryClient()
  const { waiting } = useSyncExternalStore(subscribeNews, () => newsOf(hash))
  return (
    <output className="block empty:hidden">
      {waiting ? (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-info-soft px-4 py-2 text-sm text-info-text">
          <RefreshCw size={15} aria-hidden />
          {t('live.listChanged')}
          <LinkButton onClick={() => showWaiting(cache, hash)}>{t('live.show')}</LinkButton>
        </span>
      ) : null}
    </output>
  )
}
