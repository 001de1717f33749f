/**
 * The permission matrix on a phone: a card for each resource, with the answers of one role, or of the two
 * compared ones.
 */
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { FullAnswer } from './answer.tsx'
import { differenceOf, type Line } from './matrix.ts'
import type { MatrixProps } from './matrix-table.tsx'
import { columnLabel, differenceText, groupLabel, lineLabel, nameOfResource } from './labels.ts'

export function MatrixCards({ groups, columns, compared }: MatrixProps) {
  const t = useT()
  return (
    <div className="grid gap-5">
      {groups.map((group) => (
        <section key={group.section ?? ''} className="grid gap-2.5">
          <h2 className="px-0.5 text-lg font-semibold">{groupLabel(t, group)}</h2>
          {group.rows.map(({ resource, lines }) => (
            <Sheet key={resource.name} hasPadding className="grid gap-2">
              <h3 className="font-semibold">{nameOfResource(resource)}</h3>
              <dl className="grid gap-2.5">
                {lines.map((line) => (
                  <div key={line.rules.join()} className="grid gap-1 border-t border-line pt-2.5">
                    <dt className="text-sm text-muted">
                      {lineLabel(t, line)}
                      {compared ? <DifferenceNote line={line} compared={compared} /> : null}
                    </dt>
                    {columns.map((column) => (
                      <dd key={column} className={cx(columns.length > 1 && 'grid gap-0.5')}>
                        {columns.length > 1 ? (
                          <span className="text-sm font-medium">{columnLabel(t, column)}</span>
                        ) : null}
                        <FullAnswer decision={line.cells[column]} resource={resource} />
                      </dd>
                    ))}
                  </div>
                ))}
              </dl>
            </Sheet>
          ))}
        </section>
      ))}
    </div>
  )
}

function DifferenceNote({ line, compared }: { line: Line; compared: NonNullable<MatrixProps['compared']> }) {
  const t = useT()
  const difference = differenceOf(line, compared[0], compared[1])
  return (
    <span
      className={cx(
        'ms-2 rounded-1 px-1.5 py-0.5',
        difference.kind === 'same' ? 'bg-sunken' : 'bg-brand-soft font-medium text-on-brand-soft',
      )}
    >
      {differenceText(t, difference)}
    </span>
  )
}
