/** A thin progress bar while the demo content is being added after the first start. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Sprout from 'lucide-react/icons/sprout'
import { useEffect } from 'react'
import { onChanged } from '../../api/live.ts'
import { formatPercent } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { noticesQuery } from './inbox/notices.ts'

/** Milliseconds between two requests for the progress of the demo content. */
const reloadPause = 2_000

interface DemoBarProps {
  /** Subscribes to changes by others; returns the function that unsubscribes. */
  subscribe?: (listener: () => void) => () => void
}

export function DemoBar({ subscribe = onChanged }: DemoBarProps) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const { data } = useQuery(noticesQuery)
  const demoProgress = data?.meta.demo
  const isBeingAdded = demoProgress !== undefined
  useEffect(() => {
    if (!isBeingAdded) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // Each part of the demo content changes records, so the socket's events show when to request the
    // progress.
    const unsubscribe = subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void cache.invalidateQueries({ queryKey: noticesQuery.queryKey })
      }, reloadPause)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [isBeingAdded, cache, subscribe])
  if (!demoProgress) return null
  const percent = Math.floor((demoProgress.done / demoProgress.parts) * 100)
  return (
    <div
      data-demo=""
      className="flex min-h-(--demo-h) items-center gap-2 bg-brand-soft px-6 py-1.5 text-sm leading-tight font-medium text-brand-text max-md:px-3.5"
    >
      <Sprout size={15} aria-hidden className="shrink-0" />
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span id="demo-progress">{t('inbox.demo', { percent: formatPercent(locale, percent) })}</span>
        <span className="w-32">
          <progress className="progress-bar" aria-labelledby="demo-progress" value={percent} max={100} />
        </span>
      </span>
    </div>
  )
}
