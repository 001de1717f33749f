/**
 * The permission matrix as a table: resources and operations in rows, roles in columns, or two roles and
 * their differences.
 */
import { Fragment } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import { CellAnswer } from './answer.tsx'
import { type ColumnName, differenceOf, type Group, type Line, type Row } from './matrix.ts'
import { columnLabel, differenceText, groupLabel, lineLabel, nameOfResource } from './labels.ts'

export interface MatrixProps {
  groups: readonly Group[]
  columns: readonly ColumnName[]
  compared: readonly [ColumnName, ColumnName] | undefined
}

const headCellClass =
  'sticky top-0 z-2 border-b border-line bg-surface px-2.5 py-2.5 text-start align-bottom text-sm font-medium'

export function MatrixTable({ groups, columns, compared }: MatrixProps) {
  const t = useT()
  const width = columns.length + (compared ? 3 : 2)
  return (
    <ScrollRegion
      aria-label={t('permissions.matrix')}
      className="max-h-[calc(100dvh-var(--top-h)-48px)] min-h-[320px] scroll-ps-[180px] scroll-pt-14 overflow-auto"
    >
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">{t('permissions.matrix')}</caption>
        <thead>
          <tr>
            <th scope="col" className={cx(headCellClass, 'start-0 z-3! min-w-36 ps-4 text-muted')}>
              {t('permissions.resource')}
            </th>
            <th scope="col" className={cx(headCellClass, 'min-w-27 text-muted')}>
              {t('permissions.operation')}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className={cx(headCellClass, 'min-w-32')}>
                {columnLabel(t, column)}
              </th>
            ))}
            {compared ? (
              <th scope="col" className={cx(headCellClass, 'min-w-44')}>
                {t('permissions.difference')}
              </th>
            ) : null}
          </tr>
        </thead>
        {groups.map((group) => (
          <Fragment key={group.section ?? ''}>
            <tbody>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={width}
                  className="border-b border-line bg-sunken text-start text-sm font-semibold"
                >
                  <span className="sticky start-0 inline-block px-4 py-2">{groupLabel(t, group)}</span>
                </th>
              </tr>
            </tbody>
            {group.rows.map((row) => (
              <tbody key={row.resource.name} data-resource={row.resource.name}>
                {row.lines.map((line, index) => (
                  <tr key={line.rules.join()}>
                    {index === 0 ? (
                      <th
                        scope="rowgroup"
                        rowSpan={row.lines.length}
                        className="sticky start-0 z-1 border-e border-b border-line bg-surface py-2.5 ps-4 pe-3 text-start align-top font-semibold"
                      >
                        {nameOfResource(row.resource)}
                      </th>
                    ) : null}
                    <LineCells row={row} line={line} columns={columns} compared={compared} />
                  </tr>
                ))}
              </tbody>
            ))}
          </Fragment>
        ))}
      </table>
    </ScrollRegion>
  )
}

const cell = 'border-b border-line px-2.5 py-2.5 align-top'

function LineCells({
  row: { resource },
  line,
  columns,
  compared,
}: Omit<MatrixProps, 'groups'> & { row: Row; line: Line }) {
  const t = useT()
  const operations = lineLabel(t, line)
  const difference = compared && differenceOf(line, compared[0], compared[1])
  return (
    <>
      <th scope="row" className={cx(cell, 'text-start text-sm font-normal text-muted')}>
        {operations}
      </th>
      {columns.map((column) => (
        <td key={column} className={cell}>
          <CellAnswer
            decision={line.cells[column]}
            resource={resource}
            name={t('permissions.cell', {
              resource: nameOfResource(resource),
              operations,
              role: columnLabel(t, column),
            })}
          />
        </td>
      ))}
      {difference ? (
        <td
          className={cx(
            cell,
            difference.kind === 'same' ? 'text-muted' : 'bg-brand-soft font-medium text-on-brand-soft',
          )}
        >
          {differenceText(t, difference)}
        </td>
      ) : null}
    </>
  )
}
