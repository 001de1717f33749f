/** The data list of wide windows: a table whose columns come from the declaration. */
import { type Entry, type Field, isLocale, partsOf, type Resource } from '@dala/model'
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useMemo } from 'react'
import { FieldDisplay, isEndAligned, labelOf } from '../fields/field-display.tsx'
import { cx } from '../lib/class-names.ts'
import { useT } from '../lib/i18n.ts'
import { LanguageCoverage } from '../ui/language-coverage.tsx'
import { languagesOf, outdatedOf } from './entry-languages.ts'
import { NameCell } from './list-name.tsx'
import { isSortable, sortOf } from './list-search.ts'
import { RowMenu } from './row-menu.tsx'
import type { ListParts } from './screen-parts.ts'
import type { ResourceList } from './use-resource-list.ts'

const features = tableFeatures({})
const helper = createColumnHelper<typeof features, Entry>()

/** The column after the name that shows which languages a record has. */
const translations = 'localizations'

/** Column names in order; localized types show their languages right behind the first one. */
export function columnsOf(resource: Resource, { after = {} }: ListParts): string[] {
  const declared = resource.list?.columns ?? [resource.title]
  const [first = resource.title, ...others] = declared.flatMap((name) => [name, after[name] ?? []].flat())
  return resource.localized ? [first, translations, ...others] : [first, ...others]
}

/** A window between a phone and 1100 px has room for the name, two or three columns and the state; the form shows the rest. */
function isForWide({ localized, named }: Resource, name: string, index: number): boolean {
  // People have their picture beside the name, and rows of two lines.
  return index > (localized || named ? 2 : 3) && name !== 'active'
}

export interface ListRowsProps {
  list: ResourceList
  parts: ListParts
  entries: readonly Entry[]
  onDelete: (entry: Entry) => void
}

export function ListTable({ list, parts, entries, onDelete }: ListRowsProps) {
  const t = useT()
  const { screen } = list
  const { resource } = screen
  const names = columnsOf(resource, parts)
  const columns = useMemo(
    () =>
      helper.columns(columnsOf(resource, parts).map((name) => helper.accessor((entry) => entry[name], { id: name }))),
    [resource, parts],
  )
  const table = useTable({ features, columns, data: entries, getRowId: (entry) => String(entry.id) })
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {names.map((name, index) => (
              <ColumnHead
                key={name}
                resource={resource}
                name={name}
                list={list}
                wide={isForWide(resource, name, index)}
              />
            ))}
            <th scope="col" className="w-13 border-y border-line">
              <span className="sr-only">{t('field.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} className="group border-b border-line last:border-0 hover:bg-hover">
              {row.getAllCells().map((cell, index) => {
                const name = cell.column.id
                return (
                  <td
                    key={name}
                    className={cx(
                      // Two lines in a row need eight pixels more (design, density).
                      resource.list?.under ? 'h-[calc(var(--row)+8px)]' : 'h-(--row)',
                      'px-2.5 py-1.5 first:ps-4',
                      index > 0 && isEndAligned(resource, name) && 'text-end whitespace-nowrap',
                      index === 0 &&
                        (resource.list?.lead
                          ? 'max-w-[40ch] min-w-[20ch] xl:min-w-[24ch]'
                          : 'max-w-[40ch] min-w-[20ch]'),
                      isForWide(resource, name, index) && 'max-lg:hidden',
                    )}
                  >
                    {index === 0 ? (
                      <NameCell list={list} entry={row.original} entries={entries} />
                    ) : name === translations ? (
                      <LanguageCoverage present={languagesOf(row.original)} outdated={outdatedOf(row.original)} />
                    ) : (
                      <Cell resource={resource} parts={parts} name={name} entry={row.original} />
                    )}
                  </td>
                )
              })}
              <td className="w-13 text-center">
                <RowMenu
                  screen={screen}
                  entry={row.original}
                  items={parts.rowItems}
                  onDelete={() => onDelete(row.original)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Texts that may be long show their beginning only. */
const isClamped = (field: Field | undefined) =>
  field !== undefined && ['text', 'rich', 'translations', 'relatedList'].includes(partsOf(field).display)

/** A value, drawn by the screen's own cell or by its kind. */
export function Cell({ resource, parts, name, entry }: CellOfProps) {
  const Own = parts.cells?.[name]
  const value = entry[name]
  if (Own) return <Own resource={resource} entry={entry} value={value} />
  const shown = <FieldDisplay resource={resource} name={name} value={value} entry={entry} />
  const field = resource.fields[name]
  if (!isClamped(field)) return shown
  const lang = field?.localized && isLocale(entry.locale) ? entry.locale : undefined
  return (
    <span className="line-clamp-2" lang={lang}>
      {shown}
    </span>
  )
}

interface CellOfProps {
  resource: Resource
  parts: ListParts
  name: string
  entry: Entry
}

interface ColumnHeadProps {
  resource: Resource
  name: string
  list: ResourceList
  wide: boolean
}

function ColumnHead({ resource, name, list, wide }: ColumnHeadProps) {
  const sort = sortOf(resource, list.search)
  const active = sort?.field === name
  const label = labelOf(resource, name)
  // The name of a record begins where all names begin, also when it is a date.
  const end = name !== resource.list?.columns[0] && isEndAligned(resource, name)
  const Icon = !active ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={cx(
        'border-y border-line px-2.5 py-[9px] text-sm font-medium text-muted first:ps-4',
        end ? 'text-end' : 'text-start',
        wide && 'max-lg:hidden',
      )}
    >
      {name !== translations && isSortable(resource, name) ? (
        <button
          type="button"
          onClick={() => list.change({ sort: active && !sort.descending ? `${name}:desc` : name })}
          className={cx(
            'inline-flex min-h-6 items-center gap-[5px] hover:text-ink',
            end ? 'text-end' : 'text-start',
            active && 'font-semibold text-ink',
          )}
        >
          {label}
          <Icon size={14} aria-hidden />
        </button>
      ) : (
        label
      )}
    </th>
  )
}
