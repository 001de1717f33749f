/**
 * A notice that colleagues have added, removed or moved rows; the list shows the change only when the user
 * asks.
 */
import { useQueryClient } from '@tanstack/react-query'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { pendingChangesOf, applyPendingChanges, subscribePendingChanges } from './pending-changes.ts'

/**
 * Shows the notice that colleagues have changed rows of a list.
 *
 * @param props.hash - The hash of the list's query.
 */
export function LiveNotice({ hash }: { hash: string }) {
  const t = useT()
  const cache = useQueryClient()
  const { page, changedIds } = useSyncExternalStore(subscribePendingChanges, () => pendingChangesOf(hash))
  // Rows changed by colleagues are marked in the DOM directly, so that no row renders.
  useEffect(() => {
    const rows = [...changedIds].flatMap((id) => [...document.querySelectorAll(`main [data-row="${id}"]`)])
    for (const row of rows) row.toggleAttribute('data-changed', true)
    return () => {
      for (const row of rows) row.toggleAttribute('data-changed', false)
    }
  }, [changedIds])
  return (
    <output className="block empty:hidden">
      {changedIds.size > 0 ? (
        <span className="sr-only">{t('live.rowsChanged', { count: changedIds.size })}</span>
      ) : null}
      {page ? (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-info-soft px-4 py-2 text-sm text-info-text">
          <RefreshCw size={15} aria-hidden />
          {t('live.listChanged')}
          <LinkButton onClick={() => applyPendingChanges(cache, hash)}>{t('live.show')}</LinkButton>
        </span>
      ) : null}
    </output>
  )
}
