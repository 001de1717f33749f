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
  first: string
  /** The further shown columns, in order. */
  shown: readonly string[]
  /** The hidden columns. */
  others: readonly string[]
  nameOf: (column: string) => string
  onChange: (shown: string[]) => void
}

/** Columns in order, each with its position; the hidden columns follow. */
export function ColumnList({ first, shown, others, nameOf, onChange }: ColumnListProps) {
  const t = useT()
  const locale = useLocale()
  const [announcement, setAnnouncement] = useState('')

  const moveColumn = (button: HTMLElement, column: string, by: number) => {
    const from = shown.indexOf(column)
    const to = from + by
    if (to < 0 || to >= shown.length) return
    const next = shown.filter((one) => one !== column)
    next.splice(to, 0, column)
    flushSync(() => onChange(next))
    // The button of a moved column has lost the focus with its position in the page.
    button.focus()
    const messageParams = { name: nameOf(column), place: formatNumber(locale, to + 2) }
    setAnnouncement(t('columns.moved', { ...messageParams, count: shown.length + 1 }))
  }
  return (
    <div>
      <ul aria-label={t('columns.shown')} className="max-h-[300px] overflow-y-auto">
        <ColumnRow name={nameOf(first)} shown isFixed />
        {shown.map((column, index) => (
          <ColumnRow
            key={column}
            name={nameOf(column)}
            shown
            onToggle={() => onChange(shown.filter((one) => one !== column))}
            onMove={(button, by) => moveColumn(button, column, by)}
            isFirst={index === 0}
            isLast={index === shown.length - 1}
          />
        ))}
        {others.map((column) => (
          <ColumnRow key={column} name={nameOf(column)} onToggle={() => onChange([...shown, column])} />
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
