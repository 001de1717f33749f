/** The screen of a report: its bar, its figures, its lines and its tables (statistics §7). */
import { fromWire, isReportKey, type ReportAnswer, type ReportKey, reports, resources, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatDate, formatDateTimeIn } from '../../lib/format.ts'
import { hasMessage, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { listAddress } from '../../resource/screen-address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { MetricTiles, TilesLoading } from './metric-tiles.tsx'
import { ReportBar } from './report-bar.tsx'
import { SeriesSheet } from './series-sheet.tsx'
import { type ReportState, useReport, useReportState } from './use-report.ts'

export function ReportScreen({ screen, index }: { screen: Screen; index: string }) {
  const t = useT()
  const state = useReportState()
  const report = useReport(index, state)
  const titleOf = useTitleOf(resources.statistics)
  const answer = report.data
  const countedText = useReportPeriodText(answer, report.isError)
  const onPhone = useMedia(phoneQuery)
  const record = answer && fromWire(answer.data)
  const title = record ? titleOf(record) : t('statistics.many')
  const reportName = typeof record?.key === 'string' ? record.key : index
  const key = isReportKey(reportName) ? reportName : undefined
  useDocumentTitle(title)
  useNameRecord(record && title)
  return (
    <>
      <PageHead
        isSlim
        title={title}
        text={
          record && (
            <span className="max-md:sr-only">
              <FieldDisplay resource={resources.statistics} name="description" value={record.description} />
            </span>
          )
        }
      />
      {key ? (
        <ReportBar
          report={key}
          state={state}
          meta={answer?.meta}
          countedText={countedText?.words}
          onRenew={() => void report.refetch()}
        />
      ) : null}
      {answer && key && !(report.error && report.isPlaceholderData) ? (
        <div
          aria-busy={report.isFetching}
          className={cx('grid gap-5 transition-opacity duration-(--dur-2)', report.isPlaceholderData && 'opacity-60')}
        >
          <output className="-mb-3.5 text-sm text-muted max-md:-mb-3 max-md:text-xs">
            {onPhone ? countedText?.short : countedText?.words}
          </output>
          <Figures report={key} answer={answer} state={state} />
        </div>
      ) : report.error ? (
        <ReportFailure screen={screen} error={report.error} state={state} onRetry={() => void report.refetch()} />
      ) : (
        <TilesLoading count={key ? Object.keys(reports[key].metrics).length : 8} />
      )}
    </>
  )
}

/** Text of the days of the report, the days of the comparison, and the age of the figures. */
function useReportPeriodText(answer: ReportAnswer | undefined, isStale: boolean) {
  const t = useT()
  if (!answer) return undefined
  const { data, meta } = answer
  const zoneKey = `statistics.zones.${meta.tz}`
  const tz = hasMessage(zoneKey) ? t(zoneKey) : meta.tz
  // Time until which the report counts, in the time zone of its days.
  const time = formatDateTimeIn(meta.data_through, meta.tz)
  const hasPartialPeriod = data.metrics.some(({ partial }) => partial)
  const before = meta.compare_from !== null && { from: formatDate(meta.compare_from), to: formatDate(meta.compare_to) }
  const comparisonText = before ? t(hasPartialPeriod ? 'statistics.comparedPart' : 'statistics.compared', before) : ''
  const daysText = t('statistics.days', { from: formatDate(meta.from), to: formatDate(meta.to), tz })
  const asOfText = t(isStale ? 'statistics.stale' : 'statistics.through', { time })
  const sentences = [daysText, hasPartialPeriod ? t('statistics.unfinished') : '', comparisonText, asOfText]
    .filter(Boolean)
    .join(' ')
  return {
    words: sentences,
    short: isStale
      ? asOfText
      : `${formatDate(meta.from)}–${formatDate(meta.to)}. ${before ? t('statistics.compared', before) : ''}`,
  }
}

function Figures({
  report,
  answer: { data, meta },
  state,
}: {
  report: ReportKey
  answer: ReportAnswer
  state: ReportState
}) {
  const t = useT()
  const { metrics, series, breakdowns } = data
  return (
    <>
      <MetricTiles report={report} metrics={metrics} compared={meta.compare !== 'none'} />
      {hasNoCases(report, data, state) ? (
        <Sheet>
          <EmptyState
            title={t('empty.noData')}
            text={t('empty.noResults')}
            action={<Button onClick={() => state.change({ filters: {} })}>{t('action.clearFilters')}</Button>}
          />
        </Sheet>
      ) : (
        <>
          <div className={cx('grid items-start gap-5', series.length > 1 && 'xl:grid-cols-2')}>
            {series.map(({ key, points }) => (
              <SeriesSheet key={key} report={report} metric={key} points={points} meta={meta} />
            ))}
          </div>
          <Breakdowns report={report} breakdowns={breakdowns} metrics={metrics} compared={meta.compare !== 'none'} />
        </>
      )}
    </>
  )
}

/** Whether the filters of a report exclude all cases: no metric has a case, and no table has a row. */
function hasNoCases(report: ReportKey, { metrics, breakdowns }: ReportAnswer['data'], { search }: ReportState) {
  const countedMetrics = metrics.filter(({ key }) => !reports[report].metrics[key]?.now)
  return (
    Object.keys(search.filters).length > 0 &&
    countedMetrics.every(({ n }) => n === 0) &&
    breakdowns.every(({ rows, not_set: notSet }) => !notSet?.n && rows.every(({ n }) => n === 0))
  )
}

interface ReportFailureProps {
  screen: Screen
  error: Error
  state: ReportState
  onRetry: () => void
}

/** The error in place of a report's figures: the bar stays, so that a refused parameter can be changed. */
function ReportFailure({ screen, error, state, onRetry }: ReportFailureProps) {
  const t = useT()
  const status = error instanceof ApiError && error.status > 0 ? error.status : undefined
  const text = error instanceof ApiError && status ? messageOfError(error) : t('error.network.message')
  const isGone = status === 404 || status === 403
  return (
    <Sheet>
      <FailureState
        title={t('statistics.failed')}
        text={text}
        {...(status ? { status } : {})}
        {...(isGone || status === 422 ? {} : { onRetry })}
      />
      {isGone || status === 422 ? (
        <p className="-mt-8 pb-12 text-center">
          {isGone ? (
            <Link {...listAddress(screen)} className={buttonClass('plain')}>
              {t('action.back')}
            </Link>
          ) : (
            <Button
              onClick={() =>
                state.change({ filters: {}, from: undefined, to: undefined, interval: undefined, compare: undefined })
              }
            >
              {t('action.clearFilters')}
            </Button>
          )}
        </p>
      ) : null}
    </Sheet>
  )
}
