/** A table of a report over time, as stacked bars or as a table (statistics §7). */
import {
  dimensionLabel,
  intervalText,
  metricLabel,
  type ReportKey,
  type ReportMeta,
  type ReportStack,
  wholeReport,
} from '@dala/model'
import { Suspense } from 'react'
import { formatDate, formatList } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { figureText } from '../figure-text.ts'
import { DrawnOrTable } from './drawn-or-table.tsx'
import { PlainTable } from './plain-table.tsx'
import { rowName } from './row-name.ts'
import { stackParts } from './stack-parts.ts'

const StackChart = lazyPart(async () => (await import('./stack-chart.tsx')).StackChart)

interface StackSheetProps {
  report: ReportKey
  stack: ReportStack
  meta: ReportMeta
}

export function StackSheet({ report, stack, meta }: StackSheetProps) {
  const t = useT()
  const locale = useLocale()
  const { dim, metric } = stack
  const unit = wholeReport(report).metrics[metric]?.unit ?? 'count'
  const name = t('statistics.tableName', {
    name: firstTranslation(metricLabel(report, metric)),
    dim: firstTranslation(dimensionLabel(dim)),
  })
  const text = (value: number) => figureText(t, locale, unit, value)
  const dayText = (day: string) => intervalText(day, meta.interval)
  const parts = stackParts(stack).map(({ row, ...stackPart }) => ({
    ...stackPart,
    name:
      row === null
        ? t('statistics.notSet')
        : row === 'others'
          ? t('statistics.otherRows')
          : (rowName(dim, row) ?? t('statistics.removedPerson')),
  }))
  const intervals = stack.intervals.filter(({ no_data: isAhead }) => !isAhead)
  const summary = t('statistics.stackSummary', {
    name,
    from: formatDate(meta.from),
    to: formatDate(meta.to),
    rows: formatList(
      t,
      parts.map((stackPart) => t('statistics.rowCount', { name: stackPart.name, value: text(stackPart.total) })),
    ),
  })
  return (
    <DrawnOrTable
      report={report}
      metric={metric}
      name={name}
      isEmpty={parts.length === 0}
      drawing={
        <Suspense fallback={<Skeleton className="h-[260px] w-full" />}>
          <StackChart summary={summary} parts={parts} intervals={intervals} text={text} dayText={dayText} />
        </Suspense>
      }
      table={
        <PlainTable
          name={name}
          headings={[t('statistics.period'), ...parts.map((stackPart) => stackPart.name)]}
          rows={intervals.map(({ t: day, partial }, index) => ({
            key: day,
            head: partial ? `${dayText(day)} · ${t('statistics.legend.partial')}` : dayText(day),
            cells: parts.map(({ values }) => text(values[index] ?? 0)),
          }))}
        />
      }
    />
  )
}
