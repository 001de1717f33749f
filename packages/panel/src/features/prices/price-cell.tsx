/**
 * One cell of the price table: the price of the day before and the current price; a text field while it is
 * active.
 */
import { choiceLabel, resources } from '@dala/model'
import type { GridCell } from '@dala/model/api/prices'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { memo, useCallback, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import type { CellEdit, CellEdits, CellPlace } from './cell-edits.ts'
import { editPrices, readCell, showPrices } from './cell-text.ts'
import { type CellKind, changeOf, kindOf } from './price-grid.ts'

/** Cell of the price table, with its position. */
export interface PriceSpot {
  key: string
  place: CellPlace
  cell: GridCell | undefined
  /** Whether the district had no market on the day. */
  isClosed: boolean
  /** Product and district of the price cell, as text. */
  name: string
}

interface PriceCellProps {
  edits: CellEdits
  spot: PriceSpot
  /** Row and column of the price cell, used for keyboard navigation. */
  at: string
  isActive: boolean
  isSelected: boolean
  isEditable: boolean
  /** Returns whether the active field takes the focus when it is rendered; true only once. */
  shouldFocus: () => boolean
  /** Name of a colleague who types in the price cell. */
  colleague: string | undefined
}

/** Text of an edit in a price cell: prices with digit groups, other text as it was typed. */
function editText(locale: Parameters<typeof showPrices>[0], { text }: CellEdit): string {
  const parsedCell = readCell(text)
  return 'prices' in parsedCell ? showPrices(locale, parsedCell.prices) : text
}

const kindClasses: Readonly<Record<CellKind, string>> = {
  entered: '',
  carried: 'text-muted',
  look: 'bg-warning-soft text-warning-text font-semibold',
  confirm: 'bg-danger-soft text-danger-text font-semibold',
  gap: '',
  none: '',
  closed: 'bg-sunken text-muted',
}

/**
 * Classes for the borders of price cells: unsaved cells have their own border, the active one the focus ring.
 */
const edgeClasses = {
  unsaved: 'shadow-[inset_0_0_0_1.5px_var(--danger-text)] bg-danger-soft text-danger-text font-semibold',
  selected: 'bg-selected',
} as const

const icons: Partial<Record<CellKind, typeof CircleAlert>> = { look: TriangleAlert, confirm: CircleAlert }

// A price table has thousands of cells: each is rendered again only when its own figures change.
export const PriceCell = memo(function PriceCell(props: PriceCellProps) {
  const { edits, spot, at, isActive, isSelected, isEditable, shouldFocus, colleague } = props
  const { key, cell, isClosed } = spot
  const t = useT()
  const locale = useLocale()
  const subscribe = useCallback((listener: () => void) => edits.subscribeCell(key, listener), [edits, key])
  const edit = useSyncExternalStore(subscribe, () => edits.get(key))
  const figures = useSyncExternalStore(subscribe, () => edits.figures(key, cell))
  const isUnsaved = isEditable && edit !== undefined && ['wrong', 'failed', 'clash'].includes(edit.state)
  const kind = kindOf(figures, cell?.prev ?? null, isClosed)
  const Sign = isUnsaved ? CircleAlert : icons[kind]
  const isField = isActive && isEditable
  const shownText = edit && isEditable ? editText(locale, edit) : showPrices(locale, figures)
  return (
    <td
      data-cell={at}
      data-kind={isUnsaved ? 'unsaved' : kind}
      tabIndex={isActive && !isField ? 0 : -1}
      aria-selected={isSelected || undefined}
      className={cx(
        'relative h-8 border-e border-b border-line p-0 text-end tabular-nums outline-offset-[-2px] max-md:h-11',
        isField && 'has-focus-visible:shadow-[inset_0_0_0_2px_var(--focus)]!',
        edit && isEditable && !isUnsaved ? '' : kindClasses[kind],
        isUnsaved && edgeClasses.unsaved,
        isSelected && edgeClasses.selected,
      )}
    >
      {/* The size of a price cell does not depend on its content, so the browser lays out one cell, not the
          table. A previous price that does not fit beside the price wraps to a hidden second line, so no
          figure is cut off. */}
      <div className="flex h-[31px] flex-row-reverse flex-wrap content-start justify-between gap-x-1.5 px-2 contain-strict max-md:h-[43px]">
        <span className="flex h-full min-w-0 items-center justify-end gap-1.5">
          {colleague === undefined ? null : <ColleagueInitials name={colleague} />}
          {edit?.state === 'saving' || edit?.state === 'waiting' ? <Spinner /> : null}
          {edit?.state === 'pending' ? <span aria-hidden>⋯</span> : null}
          {cell?.late && !edit ? <LateIcon /> : null}
          {Sign ? <Sign size={15} aria-hidden className="shrink-0" /> : null}
          {kind === 'carried' && !edit ? (
            <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-brand-ui" />
          ) : null}
          {isField ? (
            <CellField
              {...{ edits, spot, edit, shouldFocus }}
              figures={editPrices(locale, figures)}
              shown={shownText}
            />
          ) : (
            <CellText kind={edit && isEditable ? 'entered' : kind} shown={shownText} />
          )}
        </span>
        {cell?.prev && !isClosed ? <FormerPrice prev={cell.prev} isAlarming={kind === 'confirm'} /> : null}
        {isUnsaved || kind === 'carried' || kind === 'look' || kind === 'confirm' ? (
          <span className="sr-only">{isUnsaved ? t('prices.notSaved') : kindLabel(kind)}</span>
        ) : null}
      </div>
    </td>
  )
})

/** Icon of a price that was entered after its day. */
function LateIcon() {
  const t = useT()
  return (
    <span data-tip={t('field.late')} className="shrink-0 text-muted">
      <Clock size={13} aria-hidden />
      <span className="sr-only">{t('field.late')}</span>
    </span>
  )
}

/** Label of a price cell's kind, for users who cannot see its colour. */
function kindLabel(kind: CellKind): string {
  if (kind === 'carried') return firstTranslation(choiceLabel(resources.pricelists, 'origin', 'carried'))
  return firstTranslation(choiceLabel(resources.pricelists, 'state', 'check'))
}

function FormerPrice({ prev, isAlarming }: { prev: NonNullable<GridCell['prev']>; isAlarming: boolean }) {
  const locale = useLocale()
  return (
    <span
      className={cx(
        'flex h-full items-center text-xs whitespace-nowrap',
        isAlarming ? 'text-danger-text' : 'text-muted',
      )}
    >
      {formatNumber(locale, prev.price)}
    </span>
  )
}

/** Initials of a colleague who is typing in the price cell. */
function ColleagueInitials({ name }: { name: string }) {
  const letters = name
    .split(/\s+/)
    .slice(0, 2)
    .map((namePart) => Array.from(namePart)[0] ?? '')
  return (
    <span data-tip={name} className="rounded-1 bg-brand-soft px-1 text-xs leading-tight text-on-brand-soft">
      <span aria-hidden>{letters.join('')}</span>
      <span className="sr-only">{name}</span>
    </span>
  )
}

function CellText({ kind, shown }: { kind: CellKind; shown: string }) {
  const t = useT()
  if (kind === 'closed') return <span className="truncate text-xs">{t('prices.noMarket')}</span>
  if (kind === 'gap' && shown === '')
    return <span aria-hidden className="w-8 translate-y-1.5 border-b border-dashed border-muted" />
  return <span className={cx('truncate', textSize(shown))}>{shown}</span>
}

/** Number of characters that fit into a price cell at the usual size, beside an icon. */
const largeTextLength = 9

/** Long texts in a price cell, such as ranges, are smaller: that is better than cut-off text. */
const textSize = (cellText: string) => (cellText.length > largeTextLength ? 'text-xs' : 'text-md')

/** Minimum width of the price field, in characters. */
const minWidth = 6

interface CellFieldProps extends Pick<PriceCellProps, 'edits' | 'spot' | 'shouldFocus'> {
  edit: CellEdit | undefined
  /** Stored figures of a price cell in their editing format. */
  figures: string
  shown: string
}

function CellField({ edits, spot, edit, shouldFocus, figures, shown }: CellFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isEntered = useRef(false)
  const [isFocused, setFocused] = useState(false)
  useLayoutEffect(() => {
    if (shouldFocus()) input.current?.focus()
  }, [shouldFocus])
  const isTyping = edit?.state === 'typing'
  const hasProblem = edit !== undefined && ['wrong', 'failed', 'clash'].includes(edit.state)
  const text = isTyping || hasProblem ? (edit?.text ?? '') : edit || !isFocused ? shown : figures
  // The text of the focused price field is selected again after a save has rendered it, so that typing
  // replaces it.
  useLayoutEffect(() => {
    if (isFocused && !isTyping) input.current?.select()
  }, [isFocused, isTyping, text])
  return (
    <>
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={spot.name}
        aria-describedby={id}
        aria-invalid={hasProblem || undefined}
        className="min-w-0 bg-transparent text-end text-md text-inherit outline-0"
        value={text}
        // The field of a price cell is as wide as its text, so that the price of the day before stays
        // visible.
        style={{ width: `${Math.max(minWidth, text.length + 1)}ch` }}
        onFocus={() => {
          setFocused(true)
          isEntered.current = true
        }}
        onBlur={() => setFocused(false)}
        onMouseUp={(event) => {
          // The first click in a price cell selects its text; only a second click places the caret.
          if (isEntered.current) event.currentTarget.select()
          isEntered.current = false
        }}
        onChange={(event) => edits.setText(spot.place, event.target.value, spot.cell)}
      />
      <CellDescription id={id} edits={edits} spot={spot} edit={edit} />
    </>
  )
}

/**
 * The fault of the active price cell, otherwise the price of the day before and the change; screen readers
 * read it with the field.
 */
function CellDescription({ id, edits, spot, edit }: { id: string } & Pick<CellFieldProps, 'edits' | 'spot' | 'edit'>) {
  const t = useT()
  const locale = useLocale()
  const { cell, place, key } = spot
  const { price } = edits.figures(key, cell)
  const change = cell && cell.price === price ? cell.change_pct : changeOf(price, place.unit, cell?.prev ?? null)
  return (
    <span id={id} className="sr-only">
      {edit?.problem ?? (edit ? t('prices.notSaved') : '')}{' '}
      {cell?.prev
        ? `${t('prices.before', { date: formatDate(cell.prev.date) })} ${formatNumber(locale, cell.prev.price)}`
        : ''}{' '}
      {change === null ? '' : `${formatNumber(locale, change)} %`}
    </span>
  )
}
