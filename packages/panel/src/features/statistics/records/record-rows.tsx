/** The rows of the records behind a figure; J and K move through them, as in lists. */
import type { RecordColumn, RecordRow, ReportUnit } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { Fragment, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { formatDateTimeIn } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress, screenOfRecords } from '../../../resource/screen-address.ts'
import { figureText } from '../figure-text.ts'

interface RecordRowsProps {
  rows: readonly RecordRow[]
  unit: ReportUnit
  /** The shown columns after the name of a record, in order. */
  columns: readonly RecordColumn[]
  /** Time zone of the report. */
  tz: string
}

export function RecordRows({ rows, unit, columns, tz }: RecordRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  /** Moves the focus to the next or the previous record. */
  const step = (event: KeyboardEvent) => {
    const move = { KeyJ: 1, KeyK: -1 }[event.code]
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const focusedIndex = links.findIndex((link) => link === document.activeElement)
    links[Math.max(0, Math.min(links.length - 1, focusedIndex + move))]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <ul ref={list}>
      {rows.map((row, rowIndex) => (
        <Row key={rowIndex} row={row} unit={unit} columns={columns} tz={tz} onKey={step} />
      ))}
    </ul>
  )
}

interface RowProps extends Omit<RecordRowsProps, 'rows'> {
  row: RecordRow
  onKey: (event: KeyboardEvent) => void
}

function Row({ row, unit, columns, tz, onKey }: RowProps) {
  const t = useT()
  const locale = useLocale()
  const { resource, id, title, at, value, person } = row
  const screen = screenOfRecords(resource)
  const name = <bdi>{title ?? t('statistics.recordHidden')}</bdi>
  // A share counts each of its cases either as one that meets its condition or as one that does not.
  const valueText =
    value === null
      ? undefined
      : unit === 'percent'
        ? t(value === 1 ? 'action.yes' : 'action.no')
        : figureText(t, locale, unit, value)
  const textOf: Readonly<Record<RecordColumn, ReactNode>> = {
    at: at === null ? null : formatDateTimeIn(at, tz),
    id: id === null ? null : `№ ${id}`,
    value: valueText,
    person: person ? <bdi>{person.name ?? t('statistics.removedPerson')}</bdi> : null,
    resource: firstTranslation([`${resource}.one`]),
  }
  // The first column is beside the name, the last one below it at the end, the others below the name.
  const [firstColumn, ...otherColumns] = columns
  const lastColumn = otherColumns.length > 1 ? otherColumns.at(-1) : undefined
  const middleColumns = (lastColumn ? otherColumns.slice(0, -1) : otherColumns).filter((column) =>
    Boolean(textOf[column]),
  )
  return (
    <li className="relative grid min-h-[52px] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line px-4 py-1.5 has-[a:hover]:bg-hover">
      {id !== null && screen ? (
        <Link
          {...recordAddress(screen, id)}
          onKeyDown={onKey}
          className="truncate font-medium text-ink after:absolute after:inset-0 focus-visible:outline-offset-[-2px]"
        >
          {name}
        </Link>
      ) : (
        <span className="truncate text-muted">{name}</span>
      )}
      <span className="text-end text-sm text-muted tabular-nums">{firstColumn && textOf[firstColumn]}</span>
      {otherColumns.length > 0 ? (
        <>
          <span className="truncate text-sm text-muted">
            {middleColumns.map((column, columnIndex) => (
              <Fragment key={column}>
                {columnIndex > 0 ? ' · ' : null}
                {textOf[column]}
              </Fragment>
            ))}
          </span>
          <span className="truncate text-end text-sm text-muted">{lastColumn && textOf[lastColumn]}</span>
        </>
      ) : null}
    </li>
  )
}
