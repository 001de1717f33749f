/**
 * The question below a price cell: the suspected error in its price, the usual prices, and the possible
 * answers.
 */
import { type Locale, paramsOfFlag, type PriceFlag } from '@dala/model'
import { Popover as Base } from '@base-ui/react/popover'
import CircleAlert from 'lucide-react/icons/circle-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import type { CellEdit, CellEdits } from './cell-edits.ts'
import { type Prices, readCell, showPrices, rejectionMessage, writePrices } from './cell-text.ts'
import type { PriceSpot } from './price-cell.tsx'
import type { CellState } from './price-grid.ts'
import { focusCell } from './price-table.tsx'

interface SlipPopoverProps {
  edits: CellEdits
  frame: RefObject<HTMLElement | null>
  /** Element of the question about a price, for callers that move the focus into it. */
  popup: RefObject<HTMLDivElement | null>
  /** Price cells that wait for the user, in the order of the table. */
  waiting: readonly { spot: PriceSpot; at: string }[]
}

export function SlipPopover({ edits, frame, popup, waiting }: SlipPopoverProps) {
  const openQuestion = useSyncExternalStore(edits.subscribe, edits.openQuestion)
  const index = waiting.findIndex(({ spot }) => spot.key === openQuestion)
  const currentCell = waiting[index]
  if (!currentCell) return null
  // The question about a price closes once it is answered, and its cell takes back the focus.
  const onDone = () => {
    if (!popup.current?.contains(document.activeElement)) return
    const [row = 0, column = 0] = currentCell.at.split(':').map(Number)
    focusCell(frame.current, { row, column })
  }
  return (
    <Base.Root
      // Each price cell needs a popover of its own, because a popover does not change its anchor.
      key={currentCell.at}
      open
      // Only Escape closes the question about a price: the user can continue to type in other cells.
      onOpenChange={(isOpen, { reason }) => {
        if (isOpen || reason !== 'escape-key') return
        onDone()
        edits.ask(undefined)
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={() => frame.current?.querySelector(`[data-cell="${currentCell.at}"]`) ?? null}
          align="start"
          sideOffset={6}
          className="float-positioner"
        >
          <Base.Popup ref={popup} initialFocus={false} finalFocus={false} className="float-popup md:w-[388px]">
            <Question
              key={currentCell.spot.key}
              edits={edits}
              spot={currentCell.spot}
              place={`${index + 1}`}
              total={`${waiting.length}`}
              onDone={onDone}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface QuestionProps {
  edits: CellEdits
  spot: PriceSpot
  place: string
  total: string
  /** Called before the question about a price closes. */
  onDone: () => void
}

/** Text of the question about a price. */
function useTitle(edit: CellEdit | undefined, figures: CellState): string {
  const t = useT()
  const locale = useLocale()
  if (edit?.state === 'clash') return t('prices.clash')
  if (edit) return edit.problem ?? t('prices.notSaved')
  const { flag } = figures
  if (!flag) return t('prices.toConfirm')
  const reason = rejectionMessage(flag.code, paramsOfFlag(flag, locale))
  if (!flag.suggestion) return reason
  const [value, suggestedText] = [showPrices(locale, figures), showPrices(locale, flag.suggestion)]
  return t('prices.slip', { words: reason, value, meant: suggestedText })
}

/** Usual prices of a cell: yesterday, the median and the neighbours. */
function usualPricesText(
  t: ReturnType<typeof useT>,
  locale: Locale,
  { cell }: PriceSpot,
  flag: PriceFlag | null,
): string {
  const number = (value: number) => formatNumber(locale, value)
  return [
    cell?.prev ? t('prices.slip.before', { value: number(cell.prev.price) }) : '',
    flag?.median === undefined ? '' : t('prices.slip.median', { count: flag.count ?? 0, value: number(flag.median) }),
    flag?.neighbours
      ? t('prices.slip.neighbours', { min: number(flag.neighbours.min), max: number(flag.neighbours.max) })
      : '',
  ]
    .filter(Boolean)
    .join(', ')
}

function Question({ edits, spot, place, total, onDone }: QuestionProps) {
  const t = useT()
  const locale = useLocale()
  const edit = useSyncExternalStore(edits.subscribe, () => edits.get(spot.key))
  const figures = useSyncExternalStore(edits.subscribe, () => edits.figures(spot.key, spot.cell))
  const [isKeeping, setKeeping] = useState(false)
  const { flag } = figures
  const suggestion = edit ? edit.suggestion : flag?.suggestion
  const needsNote = !edit && flag?.severity !== 'look'
  const isRed = edit !== undefined || needsNote
  const context = usualPricesText(t, locale, spot, edit ? null : flag)
  const correctPrice = (newPrices: Prices) => {
    onDone()
    edits.batch(() => {
      edits.setText(spot.place, writePrices(newPrices), spot.cell)
      edits.leave(spot.key, spot.cell)
    })
  }
  const discardText = (state: CellEdit['state']) => {
    onDone()
    if (state === 'failed') edits.retry(spot.key)
    else edits.forget(spot.key)
  }
  const confirm = (note?: string) => {
    onDone()
    edits.confirm(spot.place, spot.cell, note)
    if (note !== undefined) edits.ask(undefined)
  }
  const title = useTitle(edit, figures)
  const Sign = isRed ? CircleAlert : TriangleAlert
  return (
    <div className="grid gap-3 p-3">
      <Base.Title className="flex items-start gap-2 text-md font-semibold">
        <Sign
          size={18}
          aria-hidden
          className={isRed ? 'mt-0.5 shrink-0 text-danger-text' : 'mt-0.5 shrink-0 text-warning-text'}
        />
        {title}
      </Base.Title>
      <p className="text-sm text-muted">
        {spot.name}
        {context ? `. ${context}.` : ''}
      </p>
      {edit?.state === 'clash' && edit.colleagueFigures ? (
        <PriceConflict edits={edits} spot={spot} edit={edit} onDone={onDone} />
      ) : isKeeping ? (
        <NoteForm onKeep={confirm} />
      ) : (
        <div className="flex flex-wrap gap-2">
          {suggestion ? (
            <Button kind="primary" onClick={() => correctPrice(suggestion)}>
              <KeyLabel cap="Enter">{t('prices.correctTo', { value: showPrices(locale, suggestion) })}</KeyLabel>
            </Button>
          ) : null}
          {edit ? (
            <Button data-answer="" onClick={() => discardText(edit.state)}>
              <KeyLabel cap="F6">{t(edit.state === 'failed' ? 'action.retry' : 'prices.takeBack')}</KeyLabel>
            </Button>
          ) : needsNote ? (
            <Button data-answer="" onClick={() => setKeeping(true)}>
              <KeyLabel cap="F6">{t('prices.keepWithNote')}</KeyLabel>
            </Button>
          ) : (
            <Button data-answer="" onClick={() => confirm()}>
              <KeyLabel cap="F6">{t('prices.keep')}</KeyLabel>
            </Button>
          )}
        </div>
      )}
      <p className="flex items-center justify-between gap-3 border-t border-line pt-2 text-xs text-muted">
        <span>{needsNote ? t('prices.onlyWithNote') : ''}</span>
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          {t('form.coverage', { filled: place, all: total })}
          <span className="max-md:hidden">
            <KeyCaps caps={['F8']} />
          </span>
        </span>
      </p>
    </div>
  )
}

/** Label of an answer's button, with the key that presses it from the price cell, or focuses it. */
function KeyLabel({ cap, children }: { cap: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      {children}
      <kbd aria-hidden className="rounded-1 border border-current px-1.5 font-sans text-xs leading-tight max-md:hidden">
        {cap}
      </kbd>
    </span>
  )
}

/** Both prices of a conflict in a price cell: the user's and that of a colleague. */
function PriceConflict({
  edits,
  spot,
  edit,
  onDone,
}: {
  edits: CellEdits
  spot: PriceSpot
  edit: CellEdit
  onDone: () => void
}) {
  const t = useT()
  const locale = useLocale()
  const parsedCell = readCell(edit.text)
  const ownPrices = 'prices' in parsedCell ? showPrices(locale, parsedCell.prices) : edit.text
  const settleConflict = (chosenSide: 'mine' | 'theirs') => {
    onDone()
    edits.settle(spot.key, chosenSide)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button data-answer="" onClick={() => settleConflict('theirs')}>
        {t('prices.theirs', { value: (edit.colleagueFigures && showPrices(locale, edit.colleagueFigures)) || '—' })}
      </Button>
      <Button onClick={() => settleConflict('mine')}>{t('prices.mine', { value: ownPrices || '—' })}</Button>
    </div>
  )
}

function NoteForm({ onKeep }: { onKeep: (note: string) => void }) {
  const t = useT()
  const [note, setNote] = useState('')
  const [isAsked, setAsked] = useState(false)
  const isBlank = note.trim() === ''
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isBlank) setAsked(true)
        else onKeep(note.trim())
      }}
    >
      <Field label={t('prices.reason')} required error={isAsked && isBlank ? t('validation.reason') : undefined}>
        <Input ref={field} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <Button kind="primary" type="submit">
        {t('prices.keep')}
      </Button>
    </form>
  )
}
