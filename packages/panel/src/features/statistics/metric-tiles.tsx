/** The figures of a report: name, value, change in words, the cases behind it, and how it is counted. */
import { metricHow, metricLabel, type ReportKey, type ReportMetric, reports } from '@dala/model'
import ArrowDownRight from 'lucide-react/icons/arrow-down-right'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Equal from 'lucide-react/icons/equal'
import Minus from 'lucide-react/icons/minus'
import { cx } from '../../lib/class-names.ts'
import { tFirst, useLocale, useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { changeWords, figureText } from './figure-words.ts'

/** As many columns as leave no empty place; hairlines between them, as in a ledger. */
const gridOf = (count: number) =>
  cx('grid grid-cols-2 gap-px overflow-hidden rounded-3 bg-line', count % 4 === 0 ? 'lg:grid-cols-4' : 'md:grid-cols-3')

interface MetricTilesProps {
  report: ReportKey
  metrics: readonly ReportMetric[]
  compared: boolean
}

export function MetricTiles({ report, metrics, compared }: MetricTilesProps) {
  const t = useT()
  return (
    <Sheet aria-label={t('statistics.figures')}>
      <ul className={gridOf(metrics.length)}>
        {metrics.map((metric) => (
          <MetricTile key={metric.key} report={report} metric={metric} compared={compared} />
        ))}
      </ul>
    </Sheet>
  )
}

const icons = { up: ArrowUpRight, down: ArrowDownRight, same: Equal, unknown: Minus } as const

function MetricTile({ report, metric, compared }: Omit<MetricTilesProps, 'metrics'> & { metric: ReportMetric }) {
  const t = useT()
  const locale = useLocale()
  const { key, unit, value, n } = metric
  const name = tFirst(metricLabel(report, key))
  const isNow = reports[report].metrics[key]?.now === true
  const change = changeWords(t, locale, metric)
  const Icon = icons[change.direction]
  // A count is its own number of cases.
  const isCount = unit === 'count'
  return (
    <li className="flex min-w-0 flex-col gap-1 bg-surface px-5 py-4 max-md:px-4">
      <h2 className="text-sm font-medium text-muted wrap-break-word">{name}</h2>
      <p className={cx('leading-tight', value === null ? 'text-lg text-muted' : 'text-2xl font-light tabular-nums')}>
        {figureText(t, locale, unit, value)}
      </p>
      {isNow ? (
        <p className="text-sm text-muted">{t('statistics.now')}</p>
      ) : compared ? (
        <p className={cx('flex items-start gap-1.5 text-sm', change.direction === 'unknown' && 'text-muted')}>
          <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span>{change.text}</span>
        </p>
      ) : null}
      {isCount || value === null ? null : <p className="text-xs text-muted">{t('statistics.behind', { count: n })}</p>}
      <details className="mt-auto text-sm text-muted">
        <summary
          aria-label={t('statistics.howOf', { name })}
          className="inline-flex min-h-6 cursor-pointer items-center underline decoration-line-strong underline-offset-[3px] hover:text-ink max-md:min-h-11"
        >
          {t('statistics.how')}
        </summary>
        <p className="max-w-[52ch] pt-1 pb-0.5">{tFirst(metricHow(report, key))}</p>
      </details>
    </li>
  )
}

export function TilesLoading({ count }: { count: number }) {
  return (
    <Delayed>
      <Sheet>
        <div className={gridOf(count)}>
          {Array.from({ length: count }, (_, index) => (
            <div key={index} className="grid gap-3 bg-surface px-5 py-4">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-7 w-1/4" />
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-4 w-1/3" />
            </div>
          ))}
        </div>
      </Sheet>
    </Delayed>
  )
}
