/** The kinds of background work with their counts. */
import type { SystemState } from '@dala/model'
import { cx } from '../../lib/class-names.ts'
import { formatClock, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'

type Kinds = Extract<SystemState['queues'], { state: 'answered' }>['kinds']

const counts = ['waiting', 'running', 'failed'] as const

/** Table of the kinds; where it is narrow, the time of the last run is below the name of its kind. */
export function QueuesTable({ kinds }: { kinds: Kinds }) {
  const t = useT()
  const locale = useLocale()
  return (
    <ScrollRegion aria-label={t('system.queues.job')} className="@container overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">{t('system.queues.title')}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="py-1 text-start font-normal">
              {t('system.queues.job')}
            </th>
            {[...counts, 'last' as const].map((name) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  'py-1 ps-2 text-end font-normal',
                  // The longest word of the heading breaks before a column of figures leaves the window.
                  name === 'running' && '@max-[300px]:wrap-anywhere',
                  name === 'last' && '@max-[360px]:hidden',
                )}
              >
                {t(`system.queues.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, last_at, ...numbers }) => (
            <tr key={kind} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {t(`system.queue.${kind}`)}
                {last_at !== null && (
                  <span className="block text-xs text-muted @min-[360px]:hidden">
                    {t('system.queues.last')} {formatClock(last_at)}
                  </span>
                )}
              </th>
              {counts.map((name) => (
                <td
                  key={name}
                  className={cx(
                    'py-1 ps-2 text-end tabular-nums',
                    numbers[name] === 0 && 'text-muted',
                    name === 'failed' && numbers[name] > 0 && 'font-semibold text-danger-text',
                  )}
                >
                  {formatNumber(locale, numbers[name])}
                </td>
              ))}
              <td className="py-1 ps-2 text-end tabular-nums @max-[360px]:hidden">{formatClock(last_at) || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
