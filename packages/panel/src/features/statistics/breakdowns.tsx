/**
 * The tables of a report: one for each dimension, with a column for every figure that is broken down by it.
 */
import {
  dimensionLabel,
  isLocale,
  metricLabel,
  type ReportBreakdown,
  type ReportKey,
  type ReportMetric,
  type ReportRow,
  type ReportShare,
  wholeReport,
} from '@dala/model'
import { cx } from '../../lib/class-names.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { rowName } from './charts/row-name.ts'
import { tableId } from './map/map-table.ts'
import { figureText } from './figure-text.ts'
import { FigureButton } from './records/figure-button.tsx'
import { notSetRow } from './records/opened-figure.ts'
import type { ReportState } from './use-report.ts'

interface BreakdownsProps {
  report: ReportKey
  state: ReportState
  breakdowns: readonly ReportBreakdown[]
  metrics: readonly ReportMetric[]
  compared: boolean
}

export function Breakdowns({ breakdowns, ...sharedProps }: BreakdownsProps) {
  const dims = [...new Set(breakdowns.map(({ dim }) => dim))]
  return (
    <div className="grid items-start gap-5 xl:grid-cols-2">
      {dims.map((dim) => {
        const columns = breakdowns.filter((breakdown) => breakdown.dim === dim)
        return (
          <Sheet
            key={dim}
            id={tableId(dim)}
            hasPadding
            className={cx('min-w-0', columns.length > 3 && 'xl:col-span-2')}
          >
            <h2 className="mb-2 text-lg font-semibold">{firstTranslation(dimensionLabel(dim))}</h2>
            <BreakdownTable dim={dim} columns={columns} {...sharedProps} />
          </Sheet>
        )
      })}
    </div>
  )
}

/**
 * Merges the rows of all columns of a report's table: the records of the first, then those that only the
 * others have.
 */
function rowsOf(columns: readonly ReportBreakdown[]): ReportRow[] {
  const rows = new Map<ReportRow['id'], ReportRow>()
  for (const { rows: columnRows } of columns) for (const row of columnRows) if (!rows.has(row.id)) rows.set(row.id, row)
  return [...rows.values()]
}

const cell = 'px-2.5 py-2 text-end align-top tabular-nums first:ps-0 first:text-start last:pe-0'

interface BreakdownTableProps extends Omit<BreakdownsProps, 'breakdowns'> {
  dim: string
  columns: readonly ReportBreakdown[]
}

function BreakdownTable({ report, state, dim, columns, metrics, compared }: BreakdownTableProps) {
  const t = useT()
  const locale = useLocale()
  const rows = rowsOf(columns)
  const hasNotSet = columns.some(({ not_set: share }) => share !== null)
  const hasTeam = columns.some(({ team }) => team !== null)
  const declaredMetrics = wholeReport(report).metrics
  const unitOf = (metric: string) => declaredMetrics[metric]?.unit ?? 'count'
  const text = (metric: string, value: number | null | undefined) =>
    value === undefined || value === null ? '—' : figureText(t, locale, unitOf(metric), value)
  const [firstColumn] = columns
  const hasEarlierValues =
    compared && columns.length === 1 && firstColumn !== undefined && rows.some(({ previous }) => previous !== null)
  const maxValue = Math.max(
    0,
    ...(firstColumn?.rows ?? []).map(({ value }) => value ?? 0),
    firstColumn?.not_set?.value ?? 0,
  )

  if (!firstColumn || (rows.length === 0 && !hasNotSet)) return <p className="text-muted">{t('empty.noData')}</p>

  const line = (
    id: ReportRow['id'],
    name: string,
    shareOf: (column: ReportBreakdown) => ReportShare | null,
    lang?: string,
  ) => (
    <tr key={id} className="border-b border-line">
      <th scope="row" lang={lang} className={cx(cell, 'min-w-[12ch] font-normal wrap-break-word')}>
        <bdi>{name}</bdi>
        <Bar value={shareOf(firstColumn)?.value ?? 0} max={maxValue} />
      </th>
      {columns.map((column) => (
        <td key={column.metric} className={cell}>
          <FigureButton
            report={report}
            state={state}
            figure={{ metric: column.metric, dim, dim_id: String(id) }}
            name={`${firstTranslation(metricLabel(report, column.metric))}, ${name}`}
            text={text(column.metric, zeroOrNull(unitOf(column.metric), shareOf(column)))}
            n={shareOf(column)?.n ?? 0}
          />
        </td>
      ))}
      {hasEarlierValues ? (
        <td className={cx(cell, 'text-muted')}>{text(firstColumn.metric, shareOf(firstColumn)?.previous)}</td>
      ) : null}
    </tr>
  )
  const renderSumRow = (key: string, name: string, valueOf: (column: ReportBreakdown) => number | null | undefined) => (
    <tr key={key} className="font-semibold">
      <th scope="row" className={cx(cell, 'font-semibold')}>
        {name}
      </th>
      {columns.map((column) => (
        <td key={column.metric} className={cell}>
          {text(column.metric, valueOf(column))}
        </td>
      ))}
      {hasEarlierValues ? <td className={cell}>{text(firstColumn.metric, previousOf(firstColumn.metric))}</td> : null}
    </tr>
  )
  const totalOf = (metric: string) => metrics.find(({ key }) => key === metric)?.value
  const previousOf = (metric: string) => metrics.find(({ key }) => key === metric)?.previous
  return (
    <ScrollRegion aria-label={firstTranslation(dimensionLabel(dim))} className="overflow-x-auto">
      <table className="w-full border-collapse text-md">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th scope="col" className={cell}>
              <span className="sr-only">{firstTranslation(dimensionLabel(dim))}</span>
            </th>
            {columns.map(({ metric }) => (
              <th key={metric} scope="col" className={cx(cell, 'font-medium')}>
                {firstTranslation(metricLabel(report, metric))}
              </th>
            ))}
            {hasEarlierValues ? (
              <th scope="col" className={cx(cell, 'font-medium')}>
                {t('statistics.legend.previous')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            line(
              row.id,
              rowName(dim, row) ?? t('statistics.removedPerson'),
              (column) => column.rows.find(({ id }) => id === row.id) ?? null,
              isLocale(row.id) ? row.id : undefined,
            ),
          )}
          {hasNotSet ? line(notSetRow, t('statistics.notSet'), (column) => column.not_set) : null}
        </tbody>
        <tfoot>
          {rows.length > 1 || hasNotSet
            ? renderSumRow('total', t('list.total'), ({ metric }) => totalOf(metric))
            : null}
          {hasTeam ? renderSumRow('team', t('statistics.teamMedian'), ({ team }) => team) : null}
        </tfoot>
      </table>
    </ScrollRegion>
  )
}

/** A missing row of a report means zero for a count; for anything else the value is unknown. */
const zeroOrNull = (unit: string, share: ReportShare | null): number | null | undefined =>
  share === null && unit === 'count' ? 0 : share?.value

/** Share of a report row's value in the largest row. */
function Bar({ value, max }: { value: number; max: number }) {
  if (max <= 0) return null
  return (
    <span aria-hidden className="mt-1.5 block h-1 w-full max-w-[320px] rounded-full bg-sunken">
      <span
        className="block h-full rounded-full bg-[var(--chart-1)]"
        style={{ inlineSize: `${Math.max(0, Math.min(100, (value / max) * 100))}%` }}
      />
    </span>
  )
}
