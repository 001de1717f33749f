/** The table of a day: products down, districts across, walked through by the keyboard as a sheet is. */
import { type ClipboardEvent, type KeyboardEvent, memo, type RefObject } from 'react'
import { useT } from '../../lib/i18n.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import type { CellEdits, CellPlace } from './cell-edits.ts'
import { readBlock } from './cell-text.ts'
import { PriceCell } from './price-cell.tsx'
import { cellKey, cellsByKey, type Grid, type GridProduct, type Market, type Position } from './price-grid.ts'

export interface PriceTableProps {
  grid: Grid
  market: Market
  edits: CellEdits
  readOnly: boolean
  /** The frame, for who wants to move the focus into it. */
  frame: RefObject<HTMLElement | null>
}

/** Where a field stands by its mark. */
export function positionOf(element: Element | null): Position | undefined {
  const [, row, column] = /^(\d+):(\d+)$/.exec(element?.getAttribute('data-cell') ?? '') ?? []
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) }
}

/** Puts the focus into a field. Out: whether there is one. */
export function focusCell(frame: Element | null, { row, column }: Position): boolean {
  const field = frame?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  field?.focus()
  return field !== null && field !== undefined
}

/** The direction a key leads to; left and right only from the edge of the text. */
function directionOf(event: KeyboardEvent<HTMLInputElement>): Position | undefined {
  const { key, shiftKey, ctrlKey, altKey, metaKey, currentTarget } = event
  if (ctrlKey || altKey || metaKey) return undefined
  if (key === 'Enter') return { row: shiftKey ? -1 : 1, column: 0 }
  if (shiftKey) return undefined
  if (key === 'ArrowDown' || key === 'ArrowUp') return { row: key === 'ArrowDown' ? 1 : -1, column: 0 }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const { selectionStart: start, selectionEnd: end, value } = currentTarget
  const isWhole = start === 0 && end === value.length
  const isForward = (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl')
  if (isWhole) return { row: 0, column: isForward ? 1 : -1 }
  if (start !== end) return undefined
  if (key === 'ArrowLeft' && start === 0) return { row: 0, column: isForward ? 1 : -1 }
  return key === 'ArrowRight' && end === value.length ? { row: 0, column: isForward ? 1 : -1 } : undefined
}

// A day has hundreds of fields: the table is drawn anew when its own data changes, not with every saved price.
export const PriceTable = memo(function PriceTable({ grid, market, edits, readOnly, frame }: PriceTableProps) {
  const t = useT()
  const { products, districts, region } = grid.data
  const cells = cellsByKey(grid, market)
  const placeAt = ({ row, column }: Position): CellPlace | undefined => {
    const [product, district] = [products[row], districts[column]]
    if (!product || !district) return undefined
    const cell = cells.get(cellKey(market, product.id, district.id))
    const unit = cell?.unit ?? product.unit?.id ?? null
    return { market, region, product: product.id, district: district.id, unit }
  }
  const keyAt = ({ product, district }: CellPlace) => cellKey(market, product, district)

  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const from = positionOf(event.currentTarget)
    if (!from) return
    if (event.key === 'F2') {
      const { length } = event.currentTarget.value
      event.preventDefault()
      event.currentTarget.setSelectionRange(length, length)
      return
    }
    const place = placeAt(from)
    if (event.key === 'Escape' && place && edits.get(keyAt(place))) {
      event.preventDefault()
      edits.forget(keyAt(place))
      return
    }
    const direction = directionOf(event)
    if (!direction) return
    event.preventDefault()
    const next = { row: from.row + direction.row, column: from.column + direction.column }
    // On the last row there is nowhere to go: the field is left all the same, so that it is saved.
    if (!focusCell(frame.current, next) && place && event.key === 'Enter')
      edits.leave(keyAt(place), cells.get(keyAt(place)))
  }

  /** A block from a sheet fills the fields from here on; each is checked as if it were typed. */
  const handlePaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const from = positionOf(event.currentTarget)
    const block = readBlock(event.clipboardData.getData('text'))
    if (!from || !block) return
    event.preventDefault()
    for (const [down, line] of block.entries()) {
      for (const [across, text] of line.entries()) {
        const place = placeAt({ row: from.row + down, column: from.column + across })
        if (!place || place.unit === null) continue
        edits.type(place, text, cells.get(keyAt(place)))
        edits.leave(keyAt(place), cells.get(keyAt(place)))
      }
    }
  }

  return (
    <ScrollRegion
      ref={frame}
      aria-label={t('price.title')}
      className="max-h-[calc(100dvh-var(--top-h)-96px)] min-h-[320px] scroll-ps-[180px] scroll-pt-16 overflow-auto border-t border-line max-md:scroll-ps-[130px]"
    >
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">{t('price.title')}</caption>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky start-0 top-0 z-3 border-e border-b border-line bg-surface px-4 py-2 text-start text-sm font-medium text-muted max-md:px-3"
            >
              {t('products.one')}
            </th>
            {districts.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                className="sticky top-0 z-2 border-b border-line bg-surface px-2 py-2 text-end align-bottom text-sm font-medium"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:first-child>*]:border-t-0">
          {products.map((product, row) => (
            <tr key={product.id}>
              <ProductHead product={product} />
              {districts.map((district, column) => {
                const place = placeAt({ row, column })
                return place ? (
                  <td key={district.id} className="border-t border-line px-2 py-1.5 align-top">
                    <PriceCell
                      // Another market is another price: what was typed belongs to the one it was typed in.
                      key={market}
                      edits={edits}
                      place={place}
                      cell={cells.get(keyAt(place))}
                      name={`${product.name}, ${district.name}`}
                      at={`${row}:${column}`}
                      readOnly={readOnly || place.unit === null}
                      onKeyDown={handleKey}
                      onPaste={handlePaste}
                    />
                  </td>
                ) : null
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
})

function ProductHead({ product: { name, unit } }: { product: GridProduct }) {
  const t = useT()
  return (
    <th
      scope="row"
      className="sticky start-0 z-1 w-[180px] min-w-[160px] border-e border-t border-line bg-surface px-4 py-2.5 text-start align-top font-semibold max-md:w-[120px] max-md:min-w-[112px] max-md:px-3"
    >
      {name}
      <span className="block text-xs font-normal text-muted">{unit ? unit.name : t('prices.noUnit')}</span>
    </th>
  )
}
