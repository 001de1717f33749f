/** Says that colleagues have changed which rows a list has: they are shown when the reader asks, not under his eyes. */
import { useQueryClient } from '@tanstack/react-query'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { newsOf, showWaiting, subscribeNews } from './news.ts'

/** In: the hash of the list's query. */
export function LiveNotice({ hash }: { hash: string }) {
  const t = useT()
  const cache = useQueryClient()
  const { waiting, changed } = useSyncExternalStore(subscribeNews, () => newsOf(hash))
  // Rows are marked where they stand: none is drawn anew for it.
  useEffect(() => {
    const rows = [...changed].flatMap((id) => [...document.querySelectorAll(`main [data-row="${id}"]`)])
    for (const row of rows) row.toggleAttribute('data-changed', true)
    return () => {
      for (const row of rows) row.toggleAttribute('data-changed', false)
    }
  }, [changed])
  return (
    <output className="block empty:hidden">
      {changed.size > 0 ? <span className="sr-only">{t('live.rowsChanged', { count: changed.size })}</span> : null}
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
