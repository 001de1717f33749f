/** A figure over time: a chart, a table, and a sentence for screen readers (statistics §7). */
import { intervalText, metricLabel, type ReportKey, type ReportMeta, type ReportPoint, wholeReport } from '@dala/model'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Table2 from 'lucide-react/icons/table-2'
import { Suspense, useState } from 'react'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { figureText } from './figure-text.ts'
import { FigureExplanation } from './how-counted.tsx'
import { FigureButton } from './records/figure-button.tsx'
import type { ReportState } from './use-report.ts'
import { SeriesTable } from './series-table.tsx'
import { useSummary } from './series-summary.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const SeriesChart = lazyPart(async () => (await import('./series-chart.tsx')).SeriesChart)

export interface SeriesProps {
  report: ReportKey
  state: ReportState
  metric: string
  points: readonly ReportPoint[]
  meta: ReportMeta
}

export function SeriesSheet({ report, state, metric, points, meta }: SeriesProps) {
  const t = useT()
  const locale = useLocale()
  const [isTableShown, setTableShown] = useState(false)
  const declaredMetric = wholeReport(report).metrics[metric]
  const unit = declaredMetric?.unit ?? 'count'
  const name = firstTranslation(metricLabel(report, metric))
  const summary = useSummary(name, unit, points, meta)
  const isCompared = meta.compare !== 'none'
  const text = (value: number | null) => figureText(t, locale, unit, value)
  const dayText = (day: string | null) => intervalText(day, meta.interval)
  return (
    <Sheet hasPadding className="min-w-0">
      <div className="mb-3 flex items-center justify-between gap-x-4">
        <div className="flex min-w-0 items-center gap-1.5">
          <h2 className="min-w-0 text-lg leading-tight font-semibold">{name}</h2>
          <FigureExplanation report={report} metric={metric} />
        </div>
        <IconButton
          className="-me-2"
          label={t(isTableShown ? 'statistics.asChartOf' : 'statistics.asTableOf', { name })}
          icon={isTableShown ? <ChartNoAxesColumn size={18} aria-hidden /> : <Table2 size={18} aria-hidden />}
          onClick={() => setTableShown(!isTableShown)}
        />
      </div>
      {isTableShown ? (
        <SeriesTable
          name={name}
          points={points}
          compared={isCompared}
          text={text}
          dayText={dayText}
          valueOf={({ t: bucket, value }) => (
            <FigureButton
              report={report}
              state={state}
              figure={{ metric, bucket }}
              name={`${name}, ${dayText(bucket)}`}
              text={text(value)}
              n={value ?? 0}
            />
          )}
        />
      ) : points.every(({ value, previous }) => value === null && (!isCompared || previous === null)) ? (
        <p className="text-muted">{t('empty.noData')}</p>
      ) : (
        <Suspense fallback={<Skeleton className="h-[260px] w-full" />}>
          <SeriesChart
            summary={summary}
            points={points}
            compared={isCompared}
            variant={unit === 'count' && !declaredMetric?.level ? 'bars' : 'line'}
            text={text}
            dayText={dayText}
          />
        </Suspense>
      )}
    </Sheet>
  )
}
