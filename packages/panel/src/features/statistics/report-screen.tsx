/** The screen of a report: its bar, its figures, its lines and its tables (statistics §7). */
import {
  fromWire,
  isReportKey,
  type ReportAnswer,
  type ReportKey,
  reports,
  resources,
  type Screen,
  secondSectionLabel,
  wholeReport,
} from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatDate, formatDateTimeIn } from '../../lib/format.ts'
import { firstTranslation, hasMessage, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { listAddress } from '../../resource/screen-address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Breakdowns } from './breakdowns.tsx'
import { HeatMap } from './charts/heat-map.tsx'
import { StackSheet } from './charts/stack-sheet.tsx'
import { mapTable } from './map/map-table.ts'
import { RegionMap } from './map/region-map.tsx'
import { MetricTiles, TilesLoading } from './metric-tiles.tsx'
import { ReportExport } from './files/report-export.tsx'
import { ReportShares } from './files/report-shares.tsx'
import { SavedMenu } from './saved/saved-menu.tsx'
import { findShownFigure } from './records/opened-figure.ts'
import { ReportBar } from './report-bar.tsx'
import { findReport, reportsQuery } from './reports.ts'
import { SeriesSheet } from './series-sheet.tsx'
import { type ReportState, useLastChange, useReport, useReportState } from './use-report.ts'

const RecordsPanel = lazyPart(async () => (await import('./records/records-panel.tsx')).RecordsPanel)

export function ReportScreen({ screen, index }: { screen: Screen; index: string }) {
  const t = useT()
  const state = useReportState()
  const report = useReport(index, state)
  const titleOf = useTitleOf(resources.statistics)
  const answer = report.data
  const countedText = useReportPeriodText(answer, report.isError)
  const onPhone = useMedia(phoneQuery)
  const { data: allReports } = useQuery(reportsQuery)
  // The list of reports, which the section menu has loaded, names a report whose figures are not there yet.
  const record = answer ? fromWire(answer.data) : findReport(allReports?.entries ?? [], index)
  const title = record ? titleOf(record) : t('statistics.many')
  const reportName = typeof record?.key === 'string' ? record.key : index
  const key = isReportKey(reportName) ? reportName : undefined
  const hasNewData = useLastChange(key) > report.dataUpdatedAt
  useDocumentTitle(title)
  useNameRecord(record && title)
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
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
          actions={
            key && answer ? (
              <div className="flex items-center gap-1 max-md:-my-2.5">
                <SavedMenu report={key} state={state} />
                <ReportShares report={key} state={state} />
                <ReportExport report={key} state={state} />
              </div>
            ) : null
          }
        />
        {key ? (
          <ReportBar
            report={key}
            state={state}
            meta={answer?.meta}
            countedText={countedText?.words}
            hasNewData={hasNewData}
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
      </div>
      {answer && key ? (
        <Records index={index} report={key} answer={answer} state={state} onRenew={() => void report.refetch()} />
      ) : null}
    </div>
  )
}

interface RecordsProps extends FiguresProps {
  index: string
  onRenew: () => void
}

/** The records behind the figure that the address of a report names, if it names one. */
function Records({ index, report, answer, state, onRenew }: RecordsProps) {
  const t = useT()
  const { opened } = state.search
  const shownFigure = opened && findShownFigure(t, report, answer, opened)
  if (!opened || !shownFigure) return null
  const { hours, metrics } = wholeReport(report)
  return (
    <Suspense fallback={null}>
      <RecordsPanel
        index={index}
        report={report}
        state={state}
        figure={opened}
        unit={metrics[opened.metric]?.unit ?? 'count'}
        hasHours={hours === true}
        meta={answer.meta}
        name={shownFigure.name}
        shownCount={shownFigure.count}
        onRenew={onRenew}
        onClose={() => state.open(undefined)}
      />
    </Suspense>
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
  const comparedDays = meta.compare_from !== null && {
    from: formatDate(meta.compare_from),
    to: formatDate(meta.compare_to),
  }
  const comparisonText = comparedDays
    ? t(hasPartialPeriod ? 'statistics.comparedPart' : 'statistics.compared', comparedDays)
    : ''
  const daysText = t('statistics.days', { from: formatDate(meta.from), to: formatDate(meta.to), tz })
  const figuresTimeText = t(isStale ? 'statistics.stale' : 'statistics.through', { time })
  const sentences = [daysText, hasPartialPeriod ? t('statistics.unfinished') : '', comparisonText, figuresTimeText]
    .filter(Boolean)
    .join(' ')
  return {
    words: sentences,
    short: isStale
      ? figuresTimeText
      : `${formatDate(meta.from)}–${formatDate(meta.to)}. ${comparedDays ? t('statistics.compared', comparedDays) : ''}`,
  }
}

interface FiguresProps {
  report: ReportKey
  answer: ReportAnswer
  state: ReportState
}

/** The figures of a report, and below them those of its second section. */
function Figures({ report, answer, state }: FiguresProps) {
  const t = useT()
  const { section } = reports[report]
  if (hasNoCases(report, answer.data, state))
    return (
      <>
        <Tiles report={report} answer={answer} state={state} />
        <Sheet>
          <EmptyState
            title={t('empty.noData')}
            text={t('empty.noResults')}
            action={<Button onClick={() => state.change({ filters: {} })}>{t('action.clearFilters')}</Button>}
          />
        </Sheet>
      </>
    )
  return (
    <>
      <SectionFigures report={report} answer={partOf(answer, (metric) => !section?.metrics[metric])} state={state} />
      {section ? (
        <section aria-labelledby="second-section" className="grid gap-5">
          <h2 id="second-section" className="mt-3 text-xl font-semibold">
            {firstTranslation(secondSectionLabel(report))}
          </h2>
          <SectionFigures
            report={report}
            answer={partOf(answer, (metric) => section.metrics[metric] !== undefined)}
            state={state}
          />
        </section>
      ) : null}
    </>
  )
}

/** Returns an answer with only some of the figures of its report. */
function partOf(answer: ReportAnswer, isIn: (metric: string) => boolean): ReportAnswer {
  const { metrics, series, breakdowns, stacks, matrices } = answer.data
  return {
    ...answer,
    data: {
      ...answer.data,
      metrics: metrics.filter(({ key }) => isIn(key)),
      series: series.filter(({ key }) => isIn(key)),
      breakdowns: breakdowns.filter(({ metric }) => isIn(metric)),
      stacks: stacks.filter(({ metric }) => isIn(metric)),
      matrices: matrices.filter(({ metric }) => isIn(metric)),
    },
  }
}

const Tiles = ({ report, answer: { data, meta }, state }: FiguresProps) => (
  <MetricTiles report={report} state={state} metrics={data.metrics} compared={meta.compare !== 'none'} />
)

function SectionFigures({ report, answer, state }: FiguresProps) {
  const { data, meta } = answer
  const { metrics, series, breakdowns, stacks, matrices } = data
  const table = mapTable(report, breakdowns)
  return (
    <>
      <Tiles report={report} answer={answer} state={state} />
      {series.length > 0 ? (
        <div className={cx('grid items-start gap-5', series.length > 1 && 'xl:grid-cols-2')}>
          {series.map(({ key, points }) => (
            <SeriesSheet key={key} report={report} state={state} metric={key} points={points} meta={meta} />
          ))}
        </div>
      ) : null}
      {stacks.length + matrices.length > 0 ? (
        <div className={cx('grid items-start gap-5', stacks.length + matrices.length > 1 && 'xl:grid-cols-2')}>
          {stacks.map((stack) => (
            <StackSheet key={`${stack.dim} ${stack.metric}`} report={report} stack={stack} meta={meta} />
          ))}
          {matrices.map((matrix) => (
            <HeatMap key={matrix.metric} report={report} matrix={matrix} />
          ))}
        </div>
      ) : null}
      {table ? <RegionMap report={report} table={table} state={state} /> : null}
      <Breakdowns
        report={report}
        state={state}
        breakdowns={breakdowns}
        metrics={metrics}
        compared={meta.compare !== 'none'}
      />
    </>
  )
}

/** Whether the filters of a report exclude all cases: no metric has a case, and no table has a row. */
function hasNoCases(report: ReportKey, { metrics, breakdowns }: ReportAnswer['data'], { search }: ReportState) {
  const countedMetrics = metrics.filter(({ key }) => !wholeReport(report).metrics[key]?.now)
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
