/**
 * The bar of a report: period, comparison, interval and filters, all stored in the address (statistics §7).
 */
import {
  type ReportComparison,
  reportComparisons,
  type ReportFilter,
  type ReportHours,
  reportHours,
  reportFilters,
  type ReportInterval,
  reportIntervals,
  type ReportKey,
  type ReportMeta,
  type ReportPeriod,
  reportPeriods,
  reports,
  defaultPeriod,
} from '@dala/model'
import CalendarRange from 'lucide-react/icons/calendar-range'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { buttonClass } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { OwnDays } from './own-days.tsx'
import { ReportFilterField } from './report-filter.tsx'
import type { ReportState } from './use-report.ts'

interface ReportBarProps {
  report: ReportKey
  state: ReportState
  /** Details of the current figures, for custom days that start with theirs. */
  meta: ReportMeta | undefined
  /** The days and the age of the report's figures: on a phone the button hides them. */
  countedText: string | undefined
  /** Whether figures of the report have changed since they were counted. */
  hasNewData: boolean
  onRenew: () => void
}

export function ReportBar({ report, state, meta, countedText, hasNewData, onRenew }: ReportBarProps) {
  const t = useT()
  const onPhone = useMedia(phoneQuery)
  const { search, change } = state
  const isOwn = search.from !== undefined
  /** Number of report settings behind the button that differ from the default. */
  const activeCount =
    Object.keys(search.filters).length +
    (search.compare === undefined ? 0 : 1) +
    (search.interval === undefined ? 0 : 1) +
    (search.hours === undefined ? 0 : 1)
  const periods: readonly (ReportPeriod | 'custom')[] = [...reportPeriods, 'custom']
  const steps: readonly (ReportInterval | 'auto')[] = ['auto', ...reportIntervals]
  const period = (
    <>
      <Select
        variant="filter"
        aria-label={t('statistics.period')}
        icon={<CalendarRange size={16} aria-hidden className="text-muted" />}
        value={isOwn ? 'custom' : (search.period ?? defaultPeriod)}
        onValueChange={(chosenPeriod) => {
          if (chosenPeriod !== 'custom') change({ period: chosenPeriod, from: undefined, to: undefined })
          else if (meta) change({ period: undefined, from: meta.from, to: meta.to })
        }}
        choices={periods.map((value) => ({ value, label: t(`statistics.periods.${value}`) }))}
      />
      {isOwn ? <OwnDays state={state} /> : null}
    </>
  )
  const furtherControls = (
    <>
      <Select<ReportComparison>
        variant="filter"
        aria-label={t('statistics.compare')}
        value={search.compare ?? 'previous'}
        onValueChange={(compare) => change({ compare })}
        choices={reportComparisons.map((value) => ({ value, label: t(`statistics.compares.${value}`) }))}
      />
      <Select
        variant="filter"
        aria-label={t('statistics.interval')}
        value={search.interval ?? 'auto'}
        onValueChange={(interval) => change({ interval: interval === 'auto' ? undefined : interval })}
        choices={steps.map((value) => ({ value, label: t(`statistics.intervals.${value}`) }))}
      />
      {reports[report].hours ? (
        <Select<ReportHours>
          variant="filter"
          aria-label={t('statistics.hours')}
          value={search.hours ?? 'working'}
          onValueChange={(hours) => change({ hours: hours === 'working' ? undefined : hours })}
          choices={reportHours.map((value) => ({ value, label: t(`statistics.hoursOf.${value}`) }))}
        />
      ) : null}
      {reportFilters.map((name: ReportFilter) => {
        const target = reports[report].filters[name]
        return target ? <ReportFilterField key={name} name={name} target={target} state={state} /> : null
      })}
    </>
  )
  return (
    <section
      aria-label={t('statistics.bar')}
      className="no-print z-10 flex items-start gap-2 bg-canvas py-1.5 md:sticky md:top-(--top-h)"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        {period}
        {onPhone ? (
          <Popover
            title={t('list.filters')}
            trigger={
              <button type="button" className={buttonClass('plain', 'font-normal! px-3!')}>
                <SlidersHorizontal size={16} aria-hidden className="text-muted" />
                <span aria-hidden>{t('list.filters')}</span>
                <span className="sr-only">{t('list.filtersActive', { count: activeCount })}</span>
                {activeCount > 0 ? (
                  <span
                    aria-hidden
                    className="rounded-full bg-brand-soft px-1.5 text-xs font-semibold text-on-brand-soft"
                  >
                    {formatNumber(state.locale, activeCount)}
                  </span>
                ) : null}
              </button>
            }
          >
            {() => (
              <>
                <div className="grid gap-2.5 *:w-full!">{furtherControls}</div>
                {countedText ? <p className="text-sm text-muted">{countedText}</p> : null}
              </>
            )}
          </Popover>
        ) : (
          furtherControls
        )}
      </div>
      {meta ? (
        <div className="relative">
          <IconButton
            label={t(hasNewData ? 'statistics.renew' : 'action.refresh')}
            icon={<RefreshCw size={17} aria-hidden />}
            onClick={onRenew}
            className={hasNewData ? 'bg-brand-soft text-on-brand-soft' : ''}
          />
          {hasNewData ? (
            <i aria-hidden className="pointer-events-none absolute -end-0.5 -top-0.5 size-2.5 rounded-full bg-brand" />
          ) : null}
          {/* The page offers new figures and never replaces them by itself. */}
          <output className="sr-only">{hasNewData ? t('statistics.newData') : null}</output>
        </div>
      ) : null}
    </section>
  )
}
