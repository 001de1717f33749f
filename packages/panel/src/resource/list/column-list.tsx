/** The columns of a list or of a report's records: which are shown, and in which order. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useDisabledReason } from '../../ui/disabled-reason.tsx'

interface ColumnListProps {
  /** The column that is always shown first. */
  firstColumn: string
  /** The further shown columns, in order. */
  shownColumns: readonly string[]
  /** The hidden columns. */
  hiddenColumns: readonly string[]
  nameOf: (column: string) => string
  onChange: (shownColumns: string[]) => void
}

/** Columns in order, each with its position; the hidden columns follow. */
export function ColumnList({ firstColumn, shownColumns, hiddenColumns, nameOf, onChange }: ColumnListProps) {
  const t = useT()
  const locale = useLocale()
  const [announcement, setAnnouncement] = useState('')

  const moveColumn = (button: HTMLElement, column: string, step: number) => {
    const columnIndex = shownColumns.indexOf(column)
    const newIndex = columnIndex + step
    if (newIndex < 0 || newIndex >= shownColumns.length) return
    const movedColumns = shownColumns.filter((shownColumn) => shownColumn !== column)
    movedColumns.splice(newIndex, 0, column)
    flushSync(() => onChange(movedColumns))
    // The button of a moved column has lost the focus with its position in the page.
    button.focus()
    const messageParams = { name: nameOf(column), place: formatNumber(locale, newIndex + 2) }
    setAnnouncement(t('columns.moved', { ...messageParams, count: shownColumns.length + 1 }))
  }
  return (
    <div>
      <ul aria-label={t('columns.shown')} className="max-h-[300px] overflow-y-auto">
        <ColumnRow name={nameOf(firstColumn)} shown isFixed />
        {shownColumns.map((column, index) => (
          <ColumnRow
            key={column}
            name={nameOf(column)}
            shown
            onToggle={() => onChange(shownColumns.filter((shownColumn) => shownColumn !== column))}
            onMove={(button, step) => moveColumn(button, column, step)}
            isFirst={index === 0}
            isLast={index === shownColumns.length - 1}
          />
        ))}
        {hiddenColumns.map((column) => (
          <ColumnRow key={column} name={nameOf(column)} onToggle={() => onChange([...shownColumns, column])} />
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
  onMove?: (button: HTMLElement, step: number) => void
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
