/** The data list of wide windows: a table whose columns come from the declaration. */
import { type Entry, isLocale, type Locale, type Resource, type Screen } from '@dala/model'
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { Link } from '@tanstack/react-router'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useMemo } from 'react'
import { FieldDisplay, isEndAligned, labelOf, useTitleOf } from '../fields/field-display.tsx'
import { cx } from '../lib/class-names.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { LanguageCoverage } from '../ui/language-coverage.tsx'
import { languagesOf } from './entry-languages.ts'
import { isSortable, sortOf } from './list-search.ts'
import { RowMenu } from './row-menu.tsx'
import { seenAddress } from './screen-address.ts'
import type { ListParts } from './screen-parts.ts'
import type { ResourceList } from './use-resource-list.ts'

const features = tableFeatures({})
const helper = createColumnHelper<typeof features, Entry>()

/** The column after the name that shows which languages a record has. */
const translations = 'localizations'

/** Column names in order; localized types show their languages right behind the first one. */
export function columnsOf(resource: Resource): string[] {
  const [first = resource.title, ...others] = resource.list?.columns ?? [resource.title]
  return resource.localized ? [first, translations, ...others] : [first, ...others]
}

/** A window between a phone and 1100 px has room for the name, three columns and the state; the form shows the rest. */
function isForWide(name: string, index: number): boolean {
  return index > 3 && name !== 'active'
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
  const names = columnsOf(resource)
  const columns = useMemo(
    () => helper.columns(columnsOf(resource).map((name) => helper.accessor((entry) => entry[name], { id: name }))),
    [resource],
  )
  const table = useTable({ features, columns, data: entries, getRowId: (entry) => String(entry.id) })
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {names.map((name, index) => (
              <ColumnHead key={name} resource={resource} name={name} list={list} wide={isForWide(name, index)} />
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
                      'h-(--row) px-2.5 py-1.5 first:ps-4',
                      isEndAligned(resource, name) && 'text-end whitespace-nowrap',
                      index === 0 && 'max-w-[40ch] min-w-[20ch]',
                      isForWide(name, index) && 'max-lg:hidden',
                    )}
                  >
                    {index === 0 ? (
                      <RecordLink screen={screen} entry={row.original} language={list.language} />
                    ) : name === translations ? (
                      <LanguageCoverage present={languagesOf(row.original)} />
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

/** A value, drawn by the screen's own cell or by its kind. */
export function Cell({
  resource,
  parts,
  name,
  entry,
}: {
  resource: Resource
  parts: ListParts
  name: string
  entry: Entry
}) {
  const Own = parts.cells?.[name]
  const value = entry[name]
  return Own ? (
    <Own resource={resource} entry={entry} value={value} />
  ) : (
    <FieldDisplay resource={resource} name={name} value={value} />
  )
}

/** The record's name, in the language it is shown in, leading to the record. */
export function RecordLink({ screen, entry, language }: { screen: Screen; entry: Entry; language: Locale }) {
  const titleOf = useTitleOf(screen.resource)
  const reader = useLocale()
  const locale = isLocale(entry.locale) ? entry.locale : undefined
  const { to, search } = seenAddress(screen, entry.id)
  return (
    <Link
      to={to}
      search={language === reader ? search : { ...search, lang: language }}
      lang={locale}
      className="line-clamp-2 font-semibold wrap-break-word hover:text-brand-text"
    >
      <bdi>{titleOf(entry)}</bdi>
    </Link>
  )
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
  const end = isEndAligned(resource, name)
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
