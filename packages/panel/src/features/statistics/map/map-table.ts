/** The table of a report that its map draws. */
import { type ReportBreakdown, type ReportKey, wholeReport } from '@dala/model'

/** Table of a report that the map draws: by district when the report has one, else by region. */
export const mapTable = (report: ReportKey, breakdowns: readonly ReportBreakdown[]): ReportBreakdown | undefined => {
  const isCounted = ({ metric }: ReportBreakdown) => wholeReport(report).metrics[metric]?.unit === 'count'
  const findBreakdown = (dim: string) => breakdowns.find((breakdown) => breakdown.dim === dim && isCounted(breakdown))
  return findBreakdown('district') ?? findBreakdown('region')
}

/** Id of the element of a report's table. */
export const tableId = (dim: string): string => `rows-${dim}`
