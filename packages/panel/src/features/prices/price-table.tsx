/**
 * The price table of a day: products in rows, districts in columns, with the keyboard navigation of a
 * spreadsheet.
 */
import type { PriceMarket } from '@dala/model'
import type { GridAnswer, GridProduct } from '@dala/model/api/prices'
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import type { CellEdits } from './cell-edits.ts'
import { readBlock, writeBlock, writePrices } from './cell-text.ts'
import { DistrictHead } from './district-head.tsx'
import { PriceCell, type PriceSpot } from './price-cell.tsx'
import {
  type CellBlock,
  blockBetween,
  cellKey,
  cellsByKey,
  type Position,
  positionsIn,
  type TableMode,
} from './price-grid.ts'

export interface PriceTableProps {
  grid: GridAnswer
  market: PriceMarket
  edits: CellEdits
  mode: TableMode
  /** Frame of the price table, for callers that move the focus into it. */
  frame: RefObject<HTMLElement | null>
  /** Names of colleagues who are typing, by price cell. */
  colleagues: ReadonlyMap<string, string>
  /** Moves to the next price cell that is empty or waits for the user. */
  onNext: (target: 'empty' | 'flagged') => void
  /** Moves the focus into the open question about a price. */
  onQuestion: () => void
  /** Carries yesterday's prices over to the given cells. */
  onCarry: (spots: readonly PriceSpot[]) => void
  onCorrect: (spot: PriceSpot) => void
  /** Marks a district as without a market on the day, or as with one. */
  onMarket: (district: number, isClosed: boolean) => void
  /** Called with the selected price cells, including the cell being edited. */
  onChosen: (spots: readonly PriceSpot[]) => void
}

/** Reads the position of a price cell from its element. */
export function positionOf(element: Element | null): Position | undefined {
  const mark = element?.closest('[data-cell]')?.getAttribute('data-cell')
  const [, row, column] = /^(\d+):(\d+)$/.exec(mark ?? '') ?? []
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) }
}

/** Focuses a price cell. Returns whether the cell exists. */
export function focusCell(frame: Element | null, { row, column }: Position): boolean {
  const cell = frame?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  const field = cell?.querySelector<HTMLElement>('input') ?? cell
  field?.focus()
  return cell !== null && cell !== undefined
}

const isWhole = ({ selectionStart, selectionEnd, value }: HTMLInputElement) =>
  selectionStart === 0 && selectionEnd === value.length

/** Direction of an arrow key in the price table; left and right only from the edge of the text. */
function directionOf(key: string, input: HTMLInputElement | undefined): Position | undefined {
  if (key === 'ArrowDown' || key === 'ArrowUp') return { row: key === 'ArrowDown' ? 1 : -1, column: 0 }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const isForward = (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl')
  const step = { row: 0, column: isForward ? 1 : -1 }
  if (!input || isWhole(input)) return step
  const { selectionStart: start, selectionEnd: end, value } = input
  if (start !== end) return undefined
  return start === (key === 'ArrowLeft' ? 0 : value.length) ? step : undefined
}

/** Number of price table rows that Page Up and Page Down move. */
const pageRows = 15

export const PriceTable = memo(function PriceTable(props: PriceTableProps) {
  const { grid, market, edits, mode, frame, colleagues } = props
  const { onNext, onCarry, onCorrect, onChosen } = props
  const t = useT()
  const { products, districts, region } = grid.data
  const [activePosition, setActive] = useState<Position>({ row: 0, column: 0 })
  const [corner, setCorner] = useState<Position>()
  const shouldTakeFocus = useRef(false)
  const shouldFocus = useCallback(() => {
    const isRequested = shouldTakeFocus.current
    shouldTakeFocus.current = false
    return isRequested
  }, [])
  const rows = useMemo(() => {
    const cells = cellsByKey(grid, market)
    return products.map((product) =>
      districts.map((district): PriceSpot => {
        const key = cellKey(market, product.id, district.id)
        const cell = cells.get(key)
        const unit = cell?.unit ?? product.unit?.id ?? null
        const cellLocation = { market, region, product: product.id, district: district.id, unit }
        return {
          key,
          place: cellLocation,
          cell,
          isClosed: district.no_market,
          name: `${product.name}, ${district.name}`,
        }
      }),
    )
  }, [grid, market, products, districts, region])
  const block: CellBlock | undefined = corner && blockBetween(corner, activePosition)
  const findSpot = ({ row, column }: Position): PriceSpot | undefined => rows[row]?.[column]
  const listSpots = (block: CellBlock): PriceSpot[] =>
    [...positionsIn(block)].flatMap((position) => findSpot(position) ?? [])
  const selectedSpots = (): PriceSpot[] => listSpots(block ?? blockBetween(activePosition, activePosition))
  const isFree = (priceSpot: PriceSpot | undefined): priceSpot is PriceSpot =>
    priceSpot !== undefined && priceSpot.place.unit !== null && mode === 'edit'
  const cellOf = (key: string) => {
    const [, product, district] = key.split('/').map(Number)
    return rows[products.findIndex(({ id }) => id === product)]?.[districts.findIndex(({ id }) => id === district)]
      ?.cell
  }

  const leavePriceCell = (position: Position) => {
    const priceSpot = findSpot(position)
    if (priceSpot) edits.leave(priceSpot.key, priceSpot.cell)
  }
  const emitSelectedBlock = (startPosition: Position | undefined, endPosition: Position) => {
    const blockSpots = listSpots(blockBetween(startPosition ?? endPosition, endPosition))
    onChosen(blockSpots)
  }
  /** Moves to a price cell; the cell that is left is checked and sent. */
  const goTo = (nextPosition: Position, isExtending = false): boolean => {
    if (!findSpot(nextPosition)) return false
    leavePriceCell(activePosition)
    shouldTakeFocus.current = true
    const blockStart = isExtending ? (corner ?? activePosition) : undefined
    setCorner(blockStart)
    setActive(nextPosition)
    emitSelectedBlock(blockStart, nextPosition)
    // A read-only price cell has no field that would take the focus.
    if (!isFree(findSpot(nextPosition))) focusCell(frame.current, nextPosition)
    return true
  }

  /** Writes texts into cells of the price table, as one action. */
  const fill = (texts: readonly (readonly [PriceSpot | undefined, string])[]) => {
    edits.batch(() => {
      for (const [priceSpot, text] of texts) {
        if (!isFree(priceSpot)) continue
        edits.setText(priceSpot.place, text, priceSpot.cell)
        edits.leave(priceSpot.key, priceSpot.cell)
      }
    })
    edits.ask(undefined)
  }
  const textOf = (priceSpot: PriceSpot): string =>
    edits.get(priceSpot.key)?.text ?? writePrices(edits.figures(priceSpot.key, priceSpot.cell))

  /** Fills the selected block down from its first line, or a price cell from the one above. */
  const fillDown = () => {
    const { top, bottom, start, end } = block ?? {
      top: activePosition.row - 1,
      bottom: activePosition.row,
      start: activePosition.column,
      end: activePosition.column,
    }
    const lowerCells = listSpots({ top: top + 1, bottom, start, end })
    const lines = [...positionsIn({ top: top + 1, bottom, start, end })]
    fill(
      lowerCells.flatMap((priceSpot, index) => {
        const source = findSpot({ row: top, column: lines[index]?.column ?? start })
        return source ? [[priceSpot, textOf(source)] as const] : []
      }),
    )
  }

  /** Confirms the selected price cells that are carried or need a check. */
  const confirmSelectedCells = () =>
    edits.batch(() => {
      for (const priceSpot of selectedSpots()) {
        const { state, origin, flag } = edits.figures(priceSpot.key, priceSpot.cell)
        if (isFree(priceSpot) && (origin === 'carried' || (state === 'check' && flag?.severity === 'look')))
          edits.confirm(priceSpot.place, priceSpot.cell)
      }
    })

  /** Handles keys that trigger a whole action of the price table. Returns whether the key was one. */
  const handleCommand = (event: KeyboardEvent, priceSpot: PriceSpot): boolean => {
    const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event
    const isCommand = (ctrlKey || metaKey) && !altKey
    const isTyping = edits.get(priceSpot.key)?.state === 'typing'
    if (key === 'F7' || key === 'F8') onNext(key === 'F7' ? 'empty' : 'flagged')
    else if (key === 'F6' && edits.openQuestion() !== undefined) props.onQuestion()
    else if (mode === 'correct' && (key === 'Enter' || key === 'F2')) onCorrect(priceSpot)
    else if (mode !== 'edit') return false
    else if (altKey && code === 'KeyY') onCarry(selectedSpots())
    // The key Z of the undo is compared by position, because a Cyrillic layout produces another letter.
    else if (isCommand && !shiftKey && code === 'KeyZ') {
      if (isTyping) edits.forget(priceSpot.key)
      else edits.undo(cellOf)
    } else if (isCommand && code === 'KeyD') fillDown()
    else if (isCommand && code === 'KeyA' && !isTyping) {
      const lastCell = { row: rows.length - 1, column: districts.length - 1 }
      setCorner(
        activePosition.row === lastCell.row && activePosition.column === lastCell.column
          ? { row: 0, column: 0 }
          : lastCell,
      )
      setActive({ row: 0, column: 0 })
      shouldTakeFocus.current = true
      emitSelectedBlock({ row: 0, column: 0 }, lastCell)
    } else if (key === ' ' && !isTyping) confirmSelectedCells()
    else if (key === 'Delete' && block) fill(selectedSpots().map((selectedSpot) => [selectedSpot, ''] as const))
    else if (key === 'Enter' && !isTyping && !shiftKey && edits.openQuestion() === priceSpot.key) {
      const suggestion =
        edits.get(priceSpot.key)?.suggestion ?? edits.figures(priceSpot.key, priceSpot.cell).flag?.suggestion
      if (!suggestion) return false
      fill([[priceSpot, writePrices(suggestion)]])
    } else return false
    return true
  }

  const handleEscape = (priceSpot: PriceSpot): boolean => {
    if (edits.get(priceSpot.key)?.state === 'typing' || edits.get(priceSpot.key)?.state === 'wrong')
      edits.forget(priceSpot.key)
    else if (edits.openQuestion() !== undefined) edits.ask(undefined)
    else if (corner) {
      setCorner(undefined)
      emitSelectedBlock(undefined, activePosition)
    }
    // The key Tab leaves the price table from its frame.
    else frame.current?.focus()
    return true
  }

  const handleKey = (event: KeyboardEvent<HTMLTableElement>) => {
    const priceSpot = findSpot(activePosition)
    if (!priceSpot || !(event.target instanceof Element) || !event.target.closest('[data-cell]')) return
    const input = event.target instanceof HTMLInputElement ? event.target : undefined
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event
    const isDone = (): boolean => {
      if (handleCommand(event, priceSpot)) return true
      if (key === 'Escape') return handleEscape(priceSpot)
      if (ctrlKey || altKey || metaKey) return false
      if (key === 'F2') {
        input?.setSelectionRange(input.value.length, input.value.length)
        return true
      }
      if (key === 'Enter') {
        // On the last row of the price table Enter leaves the cell, so that it is saved.
        if (!goTo({ row: activePosition.row + (shiftKey ? -1 : 1), column: activePosition.column }))
          leavePriceCell(activePosition)
        return true
      }
      if (key === 'Tab') {
        const cellIndex = activePosition.row * districts.length + activePosition.column + (shiftKey ? -1 : 1)
        // The key Tab leaves the price table before its first and behind its last cell.
        if (cellIndex < 0) return false
        return goTo({ row: Math.floor(cellIndex / districts.length), column: cellIndex % districts.length })
      }
      if (key === 'PageDown' || key === 'PageUp') {
        const row = activePosition.row + (key === 'PageDown' ? pageRows : -pageRows)
        return goTo({ row: Math.max(0, Math.min(rows.length - 1, row)), column: activePosition.column })
      }
      if (shiftKey && input && !isWhole(input)) return false
      const step = directionOf(key, input)
      return (
        step !== undefined &&
        (goTo({ row: activePosition.row + step.row, column: activePosition.column + step.column }, shiftKey) || true)
      )
    }
    if (!isDone()) return
    event.preventDefault()
    event.stopPropagation()
  }

  /**
   * Pastes a block into the price table, starting at the active cell; each value is checked as if it were
   * typed.
   */
  const handlePaste = (event: ClipboardEvent) => {
    const lines = readBlock(event.clipboardData.getData('text'))
    if (!lines || mode !== 'edit') return
    event.preventDefault()
    const pasteStart = block ? { row: block.top, column: block.start } : activePosition
    fill(
      lines.flatMap((line, rowOffset) =>
        line.map(
          (text, columnOffset) =>
            [findSpot({ row: pasteStart.row + rowOffset, column: pasteStart.column + columnOffset }), text] as const,
        ),
      ),
    )
  }
  const handleCopy = (event: ClipboardEvent) => {
    if (!block) return
    event.preventDefault()
    const lines = Array.from({ length: block.bottom - block.top + 1 }, (_, index) =>
      listSpots({ ...block, top: block.top + index, bottom: block.top + index }).map(textOf),
    )
    event.clipboardData.setData('text/plain', writeBlock(lines))
  }

  const handleFocus = (event: FocusEvent) => {
    const position = positionOf(event.target)
    if (!position || (position.row === activePosition.row && position.column === activePosition.column)) return
    goTo(position)
  }
  const handleBlur = (event: FocusEvent<HTMLTableElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) leavePriceCell(activePosition)
  }
  const handleMouseDown = (event: MouseEvent) => {
    const position = event.target instanceof Element ? positionOf(event.target) : undefined
    if (!position) return
    if (event.shiftKey) {
      event.preventDefault()
      goTo(position, true)
      return
    }
    // A press beside the field of the active price cell would take the focus out of it.
    const isActive = position.row === activePosition.row && position.column === activePosition.column
    if (!isActive || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    focusCell(frame.current, position)
  }
  const handleClick = (event: MouseEvent) => {
    const position = event.target instanceof Element ? positionOf(event.target) : undefined
    const priceSpot = position && findSpot(position)
    if (mode === 'correct' && priceSpot) onCorrect(priceSpot)
  }

  return (
    <ScrollRegion
      ref={frame}
      aria-label={t('price.title')}
      className="min-h-[320px] flex-1 scroll-ps-[206px] scroll-pt-12 overflow-auto [scrollbar-width:thin] border-t border-line max-md:scroll-ps-[124px]"
    >
      <table
        role="grid"
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        className="w-full table-fixed border-separate border-spacing-0 [--column:121px] [--first:206px] max-md:[--column:108px] max-md:[--first:124px]"
        style={{ minWidth: `calc(var(--first) + ${districts.length} * var(--column))` }}
        onKeyDown={handleKey}
        onPaste={handlePaste}
        onCopy={handleCopy}
        onFocus={handleFocus}
        onBlur={handleBlur}
        onMouseDown={handleMouseDown}
        onClick={handleClick}
      >
        <caption className="sr-only">{t('price.title')}</caption>
        <colgroup>
          <col className="w-(--first)" />
          {districts.map(({ id }) => (
            <col key={id} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky start-0 top-0 z-3 h-11 border-e border-b border-line-strong bg-surface px-3.5 text-start text-sm font-normal text-muted"
            >
              {t('products.one')}
            </th>
            {districts.map((district, column) => (
              <DistrictHead
                key={district.id}
                district={district}
                priceSpots={rows}
                column={column}
                edits={edits}
                isActive={column === activePosition.column}
                mode={mode}
                onMarket={props.onMarket}
                onCarry={onCarry}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((rowSpots, row) => (
            <PriceRow
              key={products[row]?.id}
              product={products[row]}
              priceSpots={rowSpots}
              row={row}
              edits={edits}
              mode={mode}
              activeColumn={row === activePosition.row ? activePosition.column : -1}
              start={block && row >= block.top && row <= block.bottom ? block.start : -1}
              end={block && row >= block.top && row <= block.bottom ? block.end : -1}
              shouldFocus={shouldFocus}
              colleagues={colleagues}
            />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
})

interface PriceRowProps extends Pick<PriceTableProps, 'edits' | 'mode' | 'colleagues'> {
  product: GridProduct | undefined
  priceSpots: readonly PriceSpot[]
  row: number
  /** Column of the active price cell; -1 in another row. */
  activeColumn: number
  /** First and last column of the selected block; -1 outside the block. */
  start: number
  end: number
  shouldFocus: () => boolean
}

// Moving to a price cell renders only the row that is left and the row that is entered.
const PriceRow = memo(function PriceRow(props: PriceRowProps) {
  const { product, priceSpots: rowSpots, row, edits, mode, activeColumn, start, end, shouldFocus, colleagues } = props
  return (
    <tr>
      <ProductHead product={product} isActive={activeColumn >= 0} />
      {rowSpots.map((priceSpot, column) => (
        <PriceCell
          key={priceSpot.key}
          edits={edits}
          spot={priceSpot}
          at={`${row}:${column}`}
          isActive={column === activeColumn}
          isSelected={start >= 0 && column >= start && column <= end}
          isEditable={mode === 'edit' && priceSpot.place.unit !== null}
          shouldFocus={shouldFocus}
          colleague={colleagues.get(priceSpot.key)}
        />
      ))}
    </tr>
  )
})

function ProductHead({ product, isActive }: { product: GridProduct | undefined; isActive: boolean }) {
  const t = useT()
  return (
    <th
      scope="row"
      className={cx(
        'sticky start-0 z-1 h-8 truncate border-e border-b border-e-line-strong border-b-line bg-surface px-3.5 text-start font-semibold max-md:h-11 max-md:whitespace-normal max-md:px-3',
        isActive && 'text-brand-text',
      )}
    >
      {product?.name}{' '}
      <span className="text-xs font-normal text-muted">{product?.unit ? product.unit.name : t('prices.noUnit')}</span>
    </th>
  )
}
