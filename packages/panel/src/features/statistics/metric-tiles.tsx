/** The figures of a report as tiles: name, value, change as text, and the number of cases. */
import { metricLabel, type ReportKey, type ReportMetric, wholeReport } from '@dala/model'
import ArrowDownRight from 'lucide-react/icons/arrow-down-right'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Equal from 'lucide-react/icons/equal'
import Minus from 'lucide-react/icons/minus'
import { cx } from '../../lib/class-names.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Sparkline } from './charts/sparkline.tsx'
import { changeText, figureText } from './figure-text.ts'
import { FigureExplanation } from './how-counted.tsx'
import { FigureButton } from './records/figure-button.tsx'
import type { ReportState } from './use-report.ts'

/**
 * Classes that arrange the figures of a report in columns without an empty cell: the last figure fills its row.
 * Hairlines separate them, as in a ledger.
 */
const gridClassFor = (count: number) =>
  cx(
    'grid grid-cols-2 gap-px overflow-hidden rounded-3 bg-line',
    count % 4 === 0 && 'lg:grid-cols-4',
    count % 4 > 0 && count % 5 === 0 && cx('xl:grid-cols-5', count % 2 > 0 && 'max-xl:[&>:last-child]:col-span-2'),
    count % 4 > 0 &&
      count % 5 > 0 &&
      cx(
        'md:grid-cols-3',
        count % 2 > 0 && 'max-md:[&>:last-child]:col-span-2',
        count % 3 === 1 && 'md:[&>:last-child]:col-span-3',
        count % 3 === 2 && 'md:[&>:last-child]:col-span-2',
      ),
  )

interface MetricTilesProps {
  report: ReportKey
  state: ReportState
  metrics: readonly ReportMetric[]
  compared: boolean
}

export function MetricTiles({ metrics, ...sharedProps }: MetricTilesProps) {
  const t = useT()
  return (
    <Sheet aria-label={t('statistics.figures')}>
      <ul className={gridClassFor(metrics.length)}>
        {metrics.map((metric) => (
          <MetricTile key={metric.key} metric={metric} {...sharedProps} />
        ))}
      </ul>
    </Sheet>
  )
}

const changeIcons = { up: ArrowUpRight, down: ArrowDownRight, same: Equal, unknown: Minus } as const

function MetricTile({ report, state, metric, compared }: Omit<MetricTilesProps, 'metrics'> & { metric: ReportMetric }) {
  const t = useT()
  const locale = useLocale()
  const { key, unit, value, n } = metric
  const name = firstTranslation(metricLabel(report, key))
  const isCurrentOnly = wholeReport(report).metrics[key]?.now === true
  const change = changeText(t, locale, metric)
  const Icon = changeIcons[change.direction]
  // A report's figure that is a count has no separate number of cases.
  const isCount = unit === 'count'
  return (
    <li className="relative flex min-w-0 flex-col gap-0.5 bg-surface px-4 pt-2.5 pb-3 has-aria-pressed:bg-brand-soft has-aria-pressed:[--text-muted:var(--on-brand-soft)] has-aria-pressed:shadow-[inset_0_3px_0_0_var(--brand-ui)] has-[p>button:hover]:bg-hover max-md:px-3.5">
      <div className="-me-1.5 flex items-start justify-between gap-1">
        <h2 className="min-w-0 pt-[3px] text-sm leading-tight font-medium text-muted wrap-break-word">{name}</h2>
        <FigureExplanation report={report} metric={key} />
      </div>
      <p className={cx('leading-tight', value === null ? 'text-lg text-muted' : 'text-2xl font-light tabular-nums')}>
        <FigureButton
          report={report}
          state={state}
          figure={{ metric: key }}
          name={name}
          text={figureText(t, locale, unit, value)}
          n={n}
          isStretched
        />
      </p>
      {isCurrentOnly ? (
        <p className="text-sm text-muted">{t('statistics.now')}</p>
      ) : compared ? (
        <p className={cx('flex items-start gap-1.5 text-sm', change.direction === 'unknown' && 'text-muted')}>
          <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span>{change.text}</span>
        </p>
      ) : null}
      {metric.spark ? <Sparkline report={report} metric={metric} spark={metric.spark} /> : null}
      {isCount || value === null ? null : <p className="text-xs text-muted">{t('statistics.behind', { count: n })}</p>}
    </li>
  )
}

export function TilesLoading({ count }: { count: number }) {
  return (
    <DelayedContent>
      <Sheet>
        <div className={gridClassFor(count)}>
          {Array.from({ length: count }, (_, index) => (
            <div key={index} className="grid gap-2.5 bg-surface px-4 pt-3 pb-3.5">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-7 w-1/4" />
              <Skeleton className="h-4 w-3/5" />
            </div>
          ))}
        </div>
      </Sheet>
    </DelayedContent>
  )
}
