/** Lines of a price chart as a table, the newest interval first. */
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import type { ChartRow } from './chart-rows.ts'

interface PriceSeriesTableProps {
  name: string
  rows: readonly ChartRow[]
  names: readonly string[]
  text: (value: number | null) => string
  dayText: (day: string) => string
}

const cell = 'px-2.5 py-1.5 text-end tabular-nums first:text-start'

export function PriceSeriesTable({ name, rows, names, text, dayText }: PriceSeriesTableProps) {
  const t = useT()
  return (
    <ScrollRegion aria-label={t('prices.asTable', { name })} className="max-h-[360px] overflow-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {[t('statistics.period'), ...names].map((head) => (
              <th key={head} scope="col" className={cx(cell, 'sticky top-0 bg-surface font-medium')}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.t} className="border-b border-line last:border-0">
              <th scope="row" className={cx(cell, 'font-normal whitespace-nowrap')}>
                {dayText(row.t)}
                {row.values.some(({ partial }) => partial) ? (
                  <span className="text-muted"> · {t('statistics.legend.partial')}</span>
                ) : null}
              </th>
              {row.values.map((point, line) => (
                <td key={names[line]} className={cx(cell, point.value === null && 'text-muted')}>
                  {text(point.value)}
                  {point.carried ? <span className="text-muted"> · {t('prices.carriedPoint')}</span> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
