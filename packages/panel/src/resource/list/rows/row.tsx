/** A row of a list: its checkbox, the name, the values of its columns, the menu. */
import { type Entry, type Field, isLocale, type Locale, componentsOf, type Resource, type Screen } from '@dala/model'
import { memo } from 'react'
import { FieldDisplay, isEndAligned } from '../../../fields/field-display.tsx'
import { findResource } from '../../../fields/relation/targets.ts'
import { cx } from '../../../lib/class-names.ts'
import { LanguageCoverage } from '../../../ui/language-coverage.tsx'
import { StatusDot } from '../../../ui/feedback/status-dot.tsx'
import { languagesOf, outdatedLocalesOf } from '../../entry-languages.ts'
import { RowCheck } from './check.tsx'
import { hasCrowdedColumns, isWideScreenColumn, translations } from '../columns.ts'
import { NameCell } from './name.tsx'
import type { Selection } from '../selection.ts'
import type { RowHandlers, RowMoves } from './row-actions.ts'
import { RowMenu } from './row-menu.tsx'
import type { ListSlots } from '../../screen-parts.ts'
import type { ResourceList } from '../use-resource-list.ts'

export interface ListRowsProps extends RowHandlers {
  list: ResourceList
  slots: ListSlots
  entries: readonly Entry[]
  /** Selected rows of the list; undefined for a user who sees only the cards of others. */
  selection: Selection | undefined
}

interface ListRowProps extends RowHandlers {
  screen: Screen
  language: Locale
  slots: ListSlots
  entry: Entry
  selection: Selection | undefined
  /** Names of the row's columns, in order. */
  names: readonly string[]
  /** Whether the user chose the columns, and sees all of them. */
  isArranged: boolean
  /** Whether the rows of the list begin with a picture. */
  isPictured: boolean
  allowedMoves: RowMoves
}

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const {
    screen,
    language,
    slots,
    entry,
    selection,
    names,
    isArranged,
    isPictured,
    allowedMoves,
    onToggle,
    onDelete,
    onMove,
  } = props
  const { resource } = screen
  return (
    <tr data-row={entry.id} className="list-row group border-b border-line last:border-0 hover:bg-hover">
      {selection ? (
        <td className={cx('ps-3', onMove ? 'w-17 whitespace-nowrap' : 'w-11')}>
          {/* The handle of a row loads when the page is idle; its space is reserved. */}
          {onMove ? <span data-grip className="inline-block size-6 align-middle" /> : null}
          <RowCheck resource={resource} selection={selection} entry={entry} onToggle={onToggle} />
        </td>
      ) : null}
      {names.map((name, index) => (
        <td
          key={name}
          data-field={name}
          className={cx(
            // A row with two lines needs eight pixels more than others.
            resource.list?.subtitle ? 'h-[calc(var(--row)+8px)]' : 'h-(--row)',
            'px-2.5 py-1.5 first:ps-4',
            index > 0 && isEndAligned(resource, name) && 'text-end whitespace-nowrap',
            index === 0 && 'max-w-[40ch] min-w-[20ch]',
            // The name has less space in a narrow window beside languages and a state.
            index === 0 &&
              (hasCrowdedColumns(resource)
                ? 'max-lg:min-w-[24ch]'
                : resource.localized && resource.list?.segments && 'max-lg:min-w-[16ch]'),
            // A picture in the row takes the space of seven letters; with a second line, the table has more
            // columns.
            index === 0 &&
              resource.list?.leadPicture &&
              (resource.list.subtitle ? 'xl:min-w-[22ch]' : 'xl:min-w-[30ch]'),
            !isArranged && isWideScreenColumn(resource, name, index) && 'max-lg:hidden',
          )}
        >
          {index === 0 ? (
            <NameCell screen={screen} language={language} entry={entry} slots={slots} hasPictures={isPictured} />
          ) : name === translations ? (
            <LanguageCoverage availableLocales={languagesOf(entry)} outdated={outdatedLocalesOf(entry)} />
          ) : (
            <Cell resource={resource} slots={slots} name={name} entry={entry} />
          )}
        </td>
      ))}
      <td className="w-13 text-center">
        <RowMenu
          screen={screen}
          entry={entry}
          items={slots.rowItems}
          allowedMoves={allowedMoves}
          onDelete={onDelete}
          onMove={onMove}
        />
      </td>
    </tr>
  )
})

/** Texts of cells that may be long show only their beginning. */
const isClampedText = (field: Field | undefined) =>
  field !== undefined && ['text', 'rich', 'translations', 'relatedList'].includes(componentsOf(field).display)

/** Value of a list's cell, rendered by the screen or by the kind of the field. */
export function Cell({ resource, slots, name, entry }: CellOfProps) {
  const Own = slots.cells?.[name]
  const value = entry[name]
  if (Own) return <Own resource={resource} entry={entry} value={value} />
  if (name === 'active' && name in resource.fields) return <StatusDot active={value === true} isInList />
  const fieldDisplay = <FieldDisplay resource={resource} name={name} value={value} entry={entry} />
  const field = resource.fields[name]
  if (field?.kind === 'relation' && findResource(field.target)?.titleFields)
    return <span className="whitespace-nowrap">{fieldDisplay}</span>
  if (!isClampedText(field)) return fieldDisplay
  const lang = field?.localized && isLocale(entry.locale) ? entry.locale : undefined
  return (
    <span className="line-clamp-2" lang={lang}>
      {fieldDisplay}
    </span>
  )
}

interface CellOfProps {
  resource: Resource
  slots: ListSlots
  name: string
  entry: Entry
}
