/** The bar of a report: period, comparison, step and filters, all of them in the address (product/statistics.md §7). */
import {
  type ReportComparison,
  reportComparisons,
  type ReportFilter,
  reportFilters,
  type ReportInterval,
  reportIntervals,
  type ReportKey,
  type ReportMeta,
  type ReportPeriod,
  reportPeriods,
  reports,
  usualPeriod,
} from '@dala/model'
import CalendarRange from 'lucide-react/icons/calendar-range'
import { useT } from '../../lib/i18n.ts'
import { Select } from '../../ui/select.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { OwnDays } from './own-days.tsx'
import { ReportFilterField } from './report-filter.tsx'
import type { ReportState } from './use-report.ts'

interface ReportBarProps {
  report: ReportKey
  state: ReportState
  /** Of the figures on show; days of one's own start with theirs. */
  meta: ReportMeta | undefined
}

export function ReportBar({ report, state, meta }: ReportBarProps) {
  const t = useT()
  const { search, change } = state
  const isOwn = search.from !== undefined
  const periods: readonly (ReportPeriod | 'custom')[] = [...reportPeriods, 'custom']
  const steps: readonly (ReportInterval | 'auto')[] = ['auto', ...reportIntervals]
  return (
    <Sheet
      aria-label={t('statistics.bar')}
      className="no-print z-10 mb-4 flex flex-wrap items-center gap-2.5 px-4 py-3 md:sticky md:top-(--top-h) max-md:px-3.5"
    >
      <Select
        look="filter"
        aria-label={t('statistics.period')}
        icon={<CalendarRange size={16} aria-hidden className="text-muted" />}
        value={isOwn ? 'custom' : (search.period ?? usualPeriod)}
        onValueChange={(period) => {
          if (period !== 'custom') change({ period, from: undefined, to: undefined })
          else if (meta) change({ period: undefined, from: meta.from, to: meta.to })
        }}
        choices={periods.map((value) => ({ value, label: t(`statistics.periods.${value}`) }))}
      />
      {isOwn ? <OwnDays state={state} /> : null}
      <Select<ReportComparison>
        look="filter"
        aria-label={t('statistics.compare')}
        value={search.compare ?? 'previous'}
        onValueChange={(compare) => change({ compare })}
        choices={reportComparisons.map((value) => ({ value, label: t(`statistics.compares.${value}`) }))}
      />
      <Select
        look="filter"
        aria-label={t('statistics.interval')}
        value={search.interval ?? 'auto'}
        onValueChange={(interval) => change({ interval: interval === 'auto' ? undefined : interval })}
        choices={steps.map((value) => ({ value, label: t(`statistics.intervals.${value}`) }))}
      />
      {reportFilters.map((name: ReportFilter) => {
        const target = reports[report].filters[name]
        return target ? <ReportFilterField key={name} name={name} target={target} state={state} /> : null
      })}
    </Sheet>
  )
}
