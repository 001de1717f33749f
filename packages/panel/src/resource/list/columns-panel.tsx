/** Panel for the layout of a list: its columns and their order, the grouping of its rows, the row height. */
import type { CallerRole } from '@dala/model'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { labelOf } from '../../fields/field-display.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { densities, usePreferences } from '../../lib/preferences.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { useDisabledReason } from '../../ui/disabled-reason.tsx'
import { allColumns } from './columns.ts'
import { isGroupable } from './search.ts'
import type { ListSlots } from '../screen-parts.ts'
import { setLayout, setSearch } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

interface ListColumnsProps {
  list: ResourceList
  slots: ListSlots
  callerRole: CallerRole
}

export function ListColumns({ list, slots, callerRole }: ListColumnsProps) {
  const t = useT()
  const preferredDensity = usePreferences().density
  const isPhone = useMedia(phoneQuery)
  const { screen, query, order, columns, display } = list
  const groups = Object.keys(screen.resource.fields).filter(
    (name) => isGroupable(screen.resource, name, callerRole) && !(name in query.rows),
  )
  return (
    <div className="grid gap-4">
      <ColumnList list={list} all={allColumns(screen.resource, slots, callerRole)} />
      {(columns.selectedColumns ?? columns.widths) ? (
        <div>
          <LinkButton onClick={() => list.store(setLayout(list, { columns: undefined, widths: undefined }))}>
            {t('columns.reset')}
          </LinkButton>
        </div>
      ) : null}
      {groups.length > 0 ? (
        <Field label={t('columns.groupBy')}>
          <Select
            value={order.group ?? ''}
            onValueChange={(name) => list.go(setSearch(list, { group: name || undefined }))}
            choices={[
              { value: '', label: t('columns.ungrouped') },
              ...groups.map((name) => ({ value: name, label: labelOf(screen.resource, name) })),
            ]}
          />
        </Field>
      ) : null}
      {isPhone ? null : (
        <Field label={t('columns.density')} group>
          <SegmentedControl
            label={t('columns.density')}
            value={display.density ?? preferredDensity}
            onValueChange={(density) => list.store(setLayout(list, { density }))}
            segments={densities.map((value) => ({ value, label: t(`columns.density.${value}`) }))}
          />
        </Field>
      )}
    </div>
  )
}

/** The columns of a list in order, each with its position; the hidden columns follow. */
function ColumnList({ list, all }: { list: ResourceList; all: readonly string[] }) {
  const t = useT()
  const locale = useLocale()
  const [announcement, setAnnouncement] = useState('')
  const { resource } = list.screen
  const [firstColumn = '', ...shownColumns] = list.columns.names
  const otherColumns = all.filter((name) => name !== firstColumn && !shownColumns.includes(name))
  const show = (columns: string[]) => list.store(setLayout(list, { columns }))

  const moveColumn = (button: HTMLElement, name: string, by: number) => {
    const from = shownColumns.indexOf(name)
    const to = from + by
    if (to < 0 || to >= shownColumns.length) return
    const next = shownColumns.filter((one) => one !== name)
    next.splice(to, 0, name)
    flushSync(() => show(next))
    // The button of a moved column has lost the focus with its position in the page.
    button.focus()
    const messageParams = { name: labelOf(resource, name), place: formatNumber(locale, to + 2) }
    setAnnouncement(t('columns.moved', { ...messageParams, count: shownColumns.length + 1 }))
  }
  return (
    <div>
      <ul aria-label={t('columns.shown')} className="max-h-[300px] overflow-y-auto">
        <ColumnRow name={labelOf(resource, firstColumn)} shown isFixed />
        {shownColumns.map((name, index) => (
          <ColumnRow
            key={name}
            name={labelOf(resource, name)}
            shown
            onToggle={() => show(shownColumns.filter((one) => one !== name))}
            onMove={(button, by) => moveColumn(button, name, by)}
            isFirst={index === 0}
            isLast={index === shownColumns.length - 1}
          />
        ))}
        {otherColumns.map((name) => (
          <ColumnRow key={name} name={labelOf(resource, name)} onToggle={() => show([...shownColumns, name])} />
        ))}
      </ul>
      <output className="sr-only">{announcement}</output>
    </div>
  )
}

interface ColumnRowProps {
  name: string
  shown?: boolean
  /** The name of the record is a column that cannot be hidden. */
  isFixed?: boolean
  isFirst?: boolean
  isLast?: boolean
  onToggle?: () => void
  onMove?: (button: HTMLElement, by: number) => void
}

function ColumnRow({ name, shown = false, isFixed = false, isFirst, isLast, onToggle, onMove }: ColumnRowProps) {
  const t = useT()
  const disabledReason = useDisabledReason(isFixed && t('columns.always'))
  return (
    <li className="flex min-h-9 items-center gap-1 rounded-1 ps-1.5 hover:bg-hover max-md:min-h-11">
      <label className="flex min-w-0 flex-1 items-center gap-2.5 py-1">
        <input
          type="checkbox"
          checked={shown}
          {...disabledReason.props}
          onChange={() => onToggle?.()}
          className="check shrink-0 aria-disabled:opacity-50"
        />
        {disabledReason.note}
        <span className="min-w-0 wrap-anywhere">{name}</span>
      </label>
      {onMove ? (
        <>
          <IconButton
            label={t('columns.earlier', { name })}
            icon={<ChevronUp size={16} aria-hidden />}
            disabled={isFirst && t('list.isFirst')}
            onClick={(event) => onMove(event.currentTarget, -1)}
            className="size-8! max-md:size-11!"
          />
          <IconButton
            label={t('columns.later', { name })}
            icon={<ChevronDown size={16} aria-hidden />}
            disabled={isLast && t('list.isLast')}
            onClick={(event) => onMove(event.currentTarget, 1)}
            className="size-8! max-md:size-11!"
          />
        </>
      ) : null}
    </li>
  )
}
