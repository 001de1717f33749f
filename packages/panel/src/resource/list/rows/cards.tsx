/** The list on a phone: one card per record with its name and menu, then pairs of labels and values. */
import { Fragment, use } from 'react'
import { labelOf } from '../../../fields/field-display.tsx'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { languagesOf, outdatedLocalesOf } from '../../entry-languages.ts'
import { RowCheck } from './check.tsx'
import { drawsPictures, NameCell } from './name.tsx'
import { GroupContext } from './group-context.ts'
import { Cell, type ListRowsProps } from './row.tsx'
import { allowedMoves } from './row-actions.ts'
import { RowMenu } from './row-menu.tsx'

/** Whether a value is left out of a card; a table keeps empty cells. */
const hasText = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

export function ListCards({ list, slots, entries, selection, onToggle, onDelete, onMove }: ListRowsProps) {
  const { screen } = list
  const { resource } = screen
  const hasPictures = drawsPictures(resource, entries, slots)
  const detailColumns = list.columns.names.slice(1).filter((name) => name !== 'localizations')
  const { headingOf, isFolded } = use(GroupContext)
  return (
    <ul className="border-t border-line">
      {entries.map((entry, index) => (
        <Fragment key={entry.id}>
          {headingOf(index, 0)}
          {isFolded(index) ? null : (
            <li data-row={entry.id} className="list-row grid gap-2.5 border-b border-line px-3.5 py-3.5 last:border-0">
              <div className="flex items-start justify-between gap-2">
                <div className="flex min-h-11 min-w-0 items-center gap-2">
                  {selection ? (
                    <span className="-ms-3">
                      <RowCheck resource={resource} selection={selection} entry={entry} onToggle={onToggle} />
                    </span>
                  ) : null}
                  <NameCell
                    screen={screen}
                    language={list.query.language}
                    entry={entry}
                    slots={slots}
                    hasPictures={hasPictures}
                  />
                </div>
                <RowMenu
                  screen={screen}
                  entry={entry}
                  items={slots.rowItems}
                  allowedMoves={allowedMoves(entries, index, onMove)}
                  onDelete={onDelete}
                  onMove={onMove}
                />
              </div>
              <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-sm">
                {detailColumns
                  .filter((name) => hasText(entry[name]) || slots.cells?.[name])
                  .map((name) => (
                    <div key={name} className="min-w-0">
                      <dt className="text-xs text-muted">{labelOf(resource, name)}</dt>
                      <dd className="wrap-anywhere">
                        <Cell resource={resource} slots={slots} name={name} entry={entry} />
                      </dd>
                    </div>
                  ))}
              </dl>
              {resource.localized ? (
                <LanguageCoverage availableLocales={languagesOf(entry)} outdated={outdatedLocalesOf(entry)} />
              ) : null}
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  )
}
