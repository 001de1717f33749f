/** Reports that the user may open, in their order. */
import { type Entry, type ReportKey, isReportKey, resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'

const { statistics } = resources

/** Key of the report that opens first, where the user may read it. */
const openingReport: ReportKey = 'overview'

/** Query of all reports, unpaginated: there are as many as the model declares. */
export const reportsQuery = queryOptions(
  resourceQueries(statistics).list({
    fields: ['key', 'title', 'description'],
    sort: 'id:asc',
    pagination: { pageSize: 50, withCount: false },
  }),
)

/** Address of a report: its key, or its id if the model does not know the key. */
export function reportAddress({ id, key }: Entry): string {
  return typeof key === 'string' && isReportKey(key) ? key : String(id)
}

/**
 * The report that opens first.
 *
 * @param reports - The reports that the user may open.
 * @returns The first report; undefined if there is none.
 */
export const firstReport = (reports: readonly Entry[]): Entry | undefined =>
  reports.find(({ key }) => key === openingReport) ?? reports[0]

/**
 * Finds a report by its key or its id.
 *
 * @param reports - The reports that the user may open.
 * @param index - The key or the id.
 * @returns The report; undefined if there is none.
 */
export const findReport = (reports: readonly Entry[], index: string): Entry | undefined =>
  reports.find((report) => reportAddress(report) === index || String(report.id) === index)
