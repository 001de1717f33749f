/** Placeholder of a screen while its code is loading. */
import { useT } from '../lib/i18n.ts'
import { DelayedContent, Skeleton } from '../ui/feedback/skeleton.tsx'

export function RoutePending() {
  const t = useT()
  return (
    <DelayedContent>
      <output className="grid gap-5 pt-5">
        <span className="sr-only">{t('app.loading')}</span>
        <Skeleton className="h-8 w-60" />
        <Skeleton className="h-72 rounded-3" />
      </output>
    </DelayedContent>
  )
}
