/** The records behind a figure: what they are counted by, their rows, their number and their sheet. */
import type { ReportKey, ReportMeta, ReportUnit } from '@dala/model'
import CircleCheck from 'lucide-react/icons/circle-check'
import Download from 'lucide-react/icons/download'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { formatDate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import type { OpenedFigure } from '../report-search.ts'
import type { ReportState } from '../use-report.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { useRecordColumns } from './record-columns.ts'
import { RecordRows } from './record-rows.tsx'
import { useRecords, useRecordsSheet } from './use-records.ts'

export interface RecordsContentProps {
  /** Key or id of the report in the address. */
  index: string
  report: ReportKey
  state: ReportState
  figure: OpenedFigure
  unit: ReportUnit
  /** Whether the report counts the times of replies, whose hours the user chooses. */
  hasHours: boolean
  meta: ReportMeta
  /** Number of cases that the report shows; undefined where it shows none, as for an interval of a line. */
  shownCount: number | undefined
  onRenew: () => void
}

export function RecordsContent({
  index,
  report,
  state,
  figure,
  unit,
  hasHours,
  meta,
  shownCount,
  onRenew,
}: RecordsContentProps) {
  const t = useT()
  const records = useRecords(index, state, figure)
  const firstPage = records.data?.pages[0]
  const columns = useRecordColumns(report, firstPage?.data[0]?.resource ?? '')
  const sheet = useRecordsSheet(index, state, figure, columns.chosenColumns)
  const rows = records.data?.pages.flatMap(({ data }) => data) ?? []
  const filterCount = Object.keys(state.search.filters).length
  const conditions = [
    figure.bucket === undefined
      ? `${formatDate(meta.from)}–${formatDate(meta.to)}`
      : t('statistics.intervalFrom', { day: formatDate(figure.bucket) }),
    hasHours ? t(`statistics.hoursOf.${state.search.hours ?? 'working'}`) : undefined,
    filterCount > 0 ? t('list.filtersActive', { count: filterCount }) : undefined,
  ]
  const isChanged = firstPage !== undefined && shownCount !== undefined && firstPage.count !== shownCount
  return (
    <>
      <div className="flex shrink-0 items-end gap-2 border-b border-line ps-4 pe-2.5 pb-1.5">
        <p className="min-w-0 flex-1 pb-1 text-sm text-muted">{conditions.filter(Boolean).join(' · ')}</p>
        {rows.length > 0 ? <ColumnsMenu columns={columns} /> : null}
      </div>
      {isChanged ? (
        <div className="flex shrink-0 items-center gap-2 bg-warning-soft px-4 py-2 text-sm">
          <TriangleAlert size={16} aria-hidden className="shrink-0" />
          <output className="min-w-0 flex-1">
            {t('statistics.recordsDiffer', { count: firstPage.count, before: shownCount })}
          </output>
          <Button onClick={onRenew}>{t('action.refresh')}</Button>
        </div>
      ) : null}
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain" tabIndex={rows.length > 0 ? undefined : -1}>
        {firstPage ? (
          rows.length > 0 ? (
            <RecordRows rows={rows} unit={unit} columns={columns.shownColumns} tz={meta.tz} />
          ) : (
            <EmptyState title={t('empty.noData')} />
          )
        ) : records.error ? (
          <FailureState
            title={t('statistics.failed')}
            text={messageOfFailure(records.error)}
            onRetry={() => void records.refetch()}
          />
        ) : (
          <DelayedContent>
            <div className="grid gap-5 px-4 py-4">
              {Array.from({ length: 6 }, (_, skeletonIndex) => (
                <Skeleton key={skeletonIndex} className="h-8 w-full" />
              ))}
            </div>
          </DelayedContent>
        )}
        {records.hasNextPage ? (
          <div className="grid p-4">
            <Button isBusy={records.isFetchingNextPage} onClick={() => void records.fetchNextPage()}>
              {t('action.showMore')}
            </Button>
          </div>
        ) : null}
      </div>
      {firstPage && firstPage.count > 0 ? (
        <footer className="flex shrink-0 flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 pb-[max(12px,env(safe-area-inset-bottom))]">
          <output className="flex items-center gap-2 text-sm">
            {isChanged || shownCount === undefined ? null : (
              <CircleCheck size={16} aria-hidden className="shrink-0 text-success-text" />
            )}
            {t(isChanged || shownCount === undefined ? 'statistics.recordsCount' : 'statistics.recordsEqual', {
              count: firstPage.count,
            })}
          </output>
          <Button icon={<Download size={17} aria-hidden />} isBusy={sheet.isPending} onClick={() => sheet.mutate()}>
            {t('statistics.exportRecords', { count: firstPage.count })}
          </Button>
        </footer>
      ) : null}
    </>
  )
}
