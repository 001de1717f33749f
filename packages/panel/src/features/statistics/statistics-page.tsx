/**
 * The two pages of the statistics: the report that opens first with links to all, and one report by its id or
 * key.
 */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { TilesLoading } from './metric-tiles.tsx'
import { ReportList } from './report-links.tsx'
import { ReportScreen } from './report-screen.tsx'
import { firstReport, reportAddress, reportsQuery } from './reports.ts'

// A report is more than its record: one call returns both, and its address may contain a key (statistics §1).
export function StatisticsPage({ screen, index }: { screen: Screen; index?: string }) {
  if (index === undefined) return <OpeningReport screen={screen} />
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
  const first = firstReport(data.entries)
  if (!first) {
    return (
      <Sheet className="mt-4">
        <EmptyState title={t('empty.noData')} />
      </Sheet>
    )
  }
  return (
    <>
      <ReportScreen screen={screen} index={reportAddress(first)} />
      <ReportList root={`/app/${screen.path}`} reports={data.entries} />
    </>
  )
}
