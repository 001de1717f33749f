/** The opened figure of a report as the report shows it: its name and the number of its cases. */
import { intervalText, metricLabel, type ReportAnswer, type ReportKey, wholeReport } from '@dala/model'
import type { Translate } from '../../../lib/format.ts'
import { firstTranslation } from '../../../lib/i18n.ts'
import { rowName } from '../charts/row-name.ts'
import type { OpenedFigure } from '../report-search.ts'

/** Id of the row of cases without a record in a table of a report. */
export const notSetRow = 'not_set'

interface ShownFigure {
  /** Name of the figure, with that of its row or interval. */
  name: string
  /** Number of cases that the report shows; undefined where it shows none. */
  count: number | undefined
}

/** Finds a figure of a report's address in its answer; undefined for a figure that the report does not have. */
export function findShownFigure(
  t: Translate,
  report: ReportKey,
  { data, meta: { interval } }: ReportAnswer,
  { metric, bucket, dim, dim_id: id }: OpenedFigure,
): ShownFigure | undefined {
  const shownMetric = data.metrics.find(({ key }) => key === metric)
  if (!shownMetric || wholeReport(report).metrics[metric]?.unlisted) return undefined
  const name = firstTranslation(metricLabel(report, metric))
  if (bucket !== undefined) {
    const point = data.series.find(({ key }) => key === metric)?.points.find((seriesPoint) => seriesPoint.t === bucket)
    const isCount = shownMetric.unit === 'count' && dim === undefined
    return {
      name: `${name}, ${intervalText(bucket, interval)}`,
      count: isCount ? (point?.value ?? undefined) : undefined,
    }
  }
  if (dim === undefined) return { name, count: shownMetric.n }
  const table = data.breakdowns.find((breakdown) => breakdown.dim === dim && breakdown.metric === metric)
  if (id === notSetRow) return { name: `${name}, ${t('statistics.notSet')}`, count: table?.not_set?.n ?? 0 }
  const row = table?.rows.find((listedRow) => String(listedRow.id) === id)
  const label = row && (rowName(dim, row) ?? t('statistics.removedPerson'))
  return { name: label === undefined ? name : `${name}, ${label}`, count: row?.n ?? 0 }
}
