/** The figures of a drawing as a table: one row for each interval or hour. */
import { cx } from '../../../lib/class-names.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'

export interface PlainTableProps {
  name: string
  headings: readonly string[]
  rows: readonly { key: string; head: string; cells: readonly string[] }[]
}

const cell = 'px-2.5 py-1.5 text-end tabular-nums first:text-start'

export function PlainTable({ name, headings, rows }: PlainTableProps) {
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
          {rows.map(({ key, head, cells }) => (
            <tr key={key} className="border-b border-line last:border-0">
              <th scope="row" className={cx(cell, 'font-normal whitespace-nowrap')}>
                {head}
              </th>
              {cells.map((text, index) => (
                <td key={headings[index + 1]} className={cell}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
