/**
 * The two pages of the statistics: the report that opens first with links to all, and one report by its id or
 * key.
 */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { listAddress } from '../../resource/screen-address.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { TilesLoading } from './metric-tiles.tsx'
import { ReportList } from './report-links.tsx'
import { ReportScreen } from './report-screen.tsx'
import { writeReportSearch } from './report-search.ts'
import { firstReport, reportAddress, reportsQuery } from './reports.ts'
import { ScheduleSheet } from './schedules/schedule-sheet.tsx'
import { savedIdOf, savedReportsQuery, searchOfSaved } from './saved/saved-reports.ts'

// A report is more than its record: one call returns both, and its address may contain a key (statistics §1).
export function StatisticsPage({ screen, index }: { screen: Screen; index?: string }) {
  if (index === undefined) return <OpeningReport screen={screen} />
  const savedId = savedIdOf(index)
  if (savedId !== undefined) return <OpeningSaved key={index} screen={screen} id={savedId} />
  return <ReportScreen key={index} screen={screen} index={index} />
}

/**
 * Report in place of the list: the section of statistics opens on figures instead of a list of names.
 */
function OpeningReport({ screen }: { screen: Screen }) {
  const t = useT()
  const { data, error, refetch } = useQuery(reportsQuery)
  if (error && !data) {
    return (
      <Sheet className="mt-4">
        <FailureState title={t('statistics.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
      </Sheet>
    )
  }
  if (!data) return <TilesLoading count={8} />
  const openingReport = firstReport(data.entries)
  if (!openingReport) {
    return (
      <Sheet className="mt-4">
        <EmptyState title={t('empty.noData')} />
      </Sheet>
    )
  }
  return (
    <>
      <ReportScreen screen={screen} index={reportAddress(openingReport)} />
      <ReportList root={`/app/${screen.path}`} reports={data.entries} />
      <ScheduleSheet />
    </>
  )
}

/** Opens a saved report by its id: its report, with the saved settings in the address. */
function OpeningSaved({ screen, id }: { screen: Screen; id: number }) {
  const t = useT()
  const { data, error, refetch } = useQuery(savedReportsQuery)
  const savedReport = data?.find((listedReport) => listedReport.id === id)
  if (savedReport)
    return (
      <Navigate
        replace
        to={`/app/${screen.path}/${savedReport.key}`}
        search={writeReportSearch(searchOfSaved(savedReport))}
      />
    )
  if (!data && !error) return <TilesLoading count={8} />
  return (
    <Sheet className="mt-4">
      {error ? (
        <FailureState title={t('statistics.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
      ) : (
        <FailureState title={t('statistics.failed')} text={t('statistics.saved.lost')} status={404} />
      )}
      <p className="-mt-8 pb-12 text-center">
        <Link {...listAddress(screen)} className={buttonClass('plain')}>
          {t('action.back')}
        </Link>
      </p>
    </Sheet>
  )
}
