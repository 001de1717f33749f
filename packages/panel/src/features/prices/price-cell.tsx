/** One field of the price table: the price, how it stands against the day before, and what became of its saving. */
import { type ComponentProps, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useLocale } from '../../lib/i18n.ts'
import { controlClass } from '../../ui/control-class.ts'
import type { CellEdit, CellEdits, CellPlace } from './cell-edits.ts'
import { CellNote } from './cell-note.tsx'
import { editPrices, readCell, showPrices } from './cell-text.ts'
import { cellKey, type GridCell } from './price-grid.ts'

export interface PriceCellProps extends Pick<ComponentProps<'input'>, 'onKeyDown' | 'onPaste'> {
  edits: CellEdits
  place: CellPlace
  cell: GridCell | undefined
  /** Product and district, in words. */
  name: string
  /** Its row and column, by which the keys find their way. */
  at: string
  readOnly: boolean
}

/** What an unfocused field shows of an edit: prices grouped, and what is no price as it was typed. */
function shownEdit(locale: Parameters<typeof showPrices>[0], { text }: CellEdit): string {
  const read = readCell(text)
  return 'prices' in read ? showPrices(locale, read.prices) : text
}

export function PriceCell({ edits, place, cell, name, at, readOnly, ...handlers }: PriceCellProps) {
  const locale = useLocale()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isEntered = useRef(false)
  const [isFocused, setFocused] = useState(false)
  // Before the next key arrives, and after the ungrouped text was drawn: typing replaces it, as in a sheet.
  useLayoutEffect(() => {
    if (isFocused) input.current?.select()
  }, [isFocused])
  const key = cellKey(place.market, place.product, place.district)
  const edit = useSyncExternalStore(edits.subscribe, () => edits.get(key))
  const isSaved = useSyncExternalStore(edits.subscribe, () => edits.isSaved(key))
  const figures = useSyncExternalStore(edits.subscribe, () => edits.figures(key, cell))
  const hasProblem = edit !== undefined && !['typing', 'waiting', 'saving'].includes(edit.state)
  const note = (
    <CellNote
      id={id}
      edits={edits}
      cellId={key}
      edit={isFocused && !hasProblem ? undefined : edit}
      isSaved={isSaved}
      cell={cell}
      price={figures.price}
      unit={place.unit}
    />
  )
  if (readOnly) {
    return (
      <div className="min-w-[112px] pt-1 text-end">
        <span className="tabular-nums">{figures.price === null ? '—' : showPrices(locale, figures)}</span>
        {note}
      </div>
    )
  }
  const shown = isFocused ? editPrices(locale, figures) : showPrices(locale, figures)
  return (
    <div className="min-w-[112px] text-end">
      <input
        {...handlers}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        data-cell={at}
        aria-label={name}
        aria-describedby={id}
        aria-invalid={hasProblem || undefined}
        className={cx(controlClass, 'px-2! text-end tabular-nums')}
        value={edit ? (isFocused ? edit.text : shownEdit(locale, edit)) : shown}
        ref={input}
        onFocus={() => {
          setFocused(true)
          isEntered.current = true
        }}
        onMouseUp={(event) => {
          // The click that enters the field would put the caret into it; the next one does.
          if (isEntered.current) event.currentTarget.select()
          isEntered.current = false
        }}
        onChange={(event) => edits.type(place, event.target.value, cell)}
        onBlur={() => {
          setFocused(false)
          edits.leave(key, cell)
        }}
      />
      {note}
    </div>
  )
}
