/**
 * The line of a report as a table: each interval, its value, the previous value, and whether it is
 * incomplete.
 */
import type { ReportPoint } from '@dala/model'
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'

export interface SeriesTableProps {
  name: string
  points: readonly ReportPoint[]
  compared: boolean
  text: (value: number | null) => string
  dayText: (day: string | null) => string
  /** Content of the cell with the value of a point. */
  valueOf: (point: ReportPoint) => ReactNode
}

const cell = 'px-2.5 py-1.5 text-end tabular-nums first:text-start'

export function SeriesTable({ name, points, compared, text, dayText, valueOf }: SeriesTableProps) {
  const t = useT()
  const headings = [
    t('statistics.period'),
    t('statistics.legend.value'),
    ...(compared ? [t('statistics.legend.previous')] : []),
  ]
  return (
    <ScrollRegion aria-label={name} className="max-h-[360px] overflow-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {headings.map((heading) => (
              <th key={heading} scope="col" className={cx(cell, 'font-medium')}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.t} className="border-b border-line last:border-0">
              <th scope="row" className={cx(cell, 'font-normal')}>
                {dayText(point.t)}
                {point.partial ? <span className="text-muted"> · {t('statistics.legend.partial')}</span> : null}
              </th>
              <td className={cx(cell, point.no_data && 'text-muted')}>{valueOf(point)}</td>
              {compared ? (
                <td className={cx(cell, 'text-muted')}>
                  {text(point.previous)}
                  {point.previous_t === null ? null : (
                    <span className="max-md:hidden"> · {dayText(point.previous_t)}</span>
                  )}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
