/**
 * The data list of wide windows: a table with the columns of the declaration, or those the user has arranged.
 */
import { Fragment, use } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { PageCheck } from './check.tsx'
import { isWideScreenColumn } from '../columns.ts'
import { GroupContext } from './group-context.ts'
import { ColumnHead } from './head.tsx'
import { drawsPictures } from './name.tsx'
import { ListRow, type ListRowsProps } from './row.tsx'
import { allowedMoves } from './row-actions.ts'

export function ListTable({ list, slots, entries, selection, ...handlers }: ListRowsProps) {
  const t = useT()
  const { screen, columns } = list
  const { names, selectedColumns: chosenColumns, widths } = columns
  const { resource } = screen
  const { onMove } = handlers
  const hasPictures = drawsPictures(resource, entries, slots)
  // Columns that the user chose may be wider than the window: then the table scrolls, also with the keyboard.
  const isArranged = chosenColumns !== undefined || widths !== undefined
  const { headingOf, isFolded } = use(GroupContext)
  return (
    <section className="overflow-x-auto" {...(isArranged && { tabIndex: 0, 'aria-label': t('list.mode.list') })}>
      <table
        className={cx(
          'w-full border-collapse',
          // Widths that the user chose apply whatever the columns contain.
          widths && 'table-fixed [&_td]:overflow-x-clip [&_td]:[overflow-clip-margin:4px]',
        )}
      >
        <thead>
          <tr className="group/head">
            {selection ? (
              <th scope="col" className={cx('border-y border-line text-start', onMove ? 'w-17 ps-9' : 'w-11 ps-3')}>
                <PageCheck selection={selection} entries={entries} />
              </th>
            ) : null}
            {names.map((name, index) => (
              <ColumnHead
                key={name}
                name={name}
                list={list}
                isWide={!chosenColumns && isWideScreenColumn(resource, name, index)}
              />
            ))}
            <th scope="col" className="w-13 border-y border-line">
              <span className="sr-only">{t('field.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <Fragment key={entry.id}>
              {headingOf(index, names.length + (selection ? 2 : 1))}
              {isFolded(index) ? null : (
                <ListRow
                  screen={screen}
                  language={list.query.language}
                  slots={slots}
                  entry={entry}
                  selection={selection}
                  names={names}
                  isArranged={chosenColumns !== undefined}
                  isPictured={hasPictures}
                  allowedMoves={allowedMoves(entries, index, onMove)}
                  {...handlers}
                />
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}
