/** The two pages of the statistics: the list of reports, and one of them by its id or its key. */
import type { Screen } from '@dala/model'
import { ListScreen } from '../../resource/list-screen.tsx'
import { ReportScreen } from './report-screen.tsx'

// A report is more than its record: one call brings both, and its address may hold a key (product/statistics.md §1).
export function StatisticsPage({ screen, index }: { screen: Screen; index?: string }) {
  if (index === undefined) return <ListScreen key={screen.path} screen={screen} />
  return <ReportScreen screen={screen} index={index} />
}
