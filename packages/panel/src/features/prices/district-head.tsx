/** The column header of a district: its name, its progress, and its actions. */
import type { GridDistrict } from '@dala/model/api/prices'
import { memo, useMemo, useSyncExternalStore } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { useIsCut } from '../../ui/use-is-cut.ts'
import type { CellEdits } from './cell-edits.ts'
import { kindsOf } from './day-kinds.ts'
import type { PriceSpot } from './price-cell.tsx'
import { progressOf, type TableMode, tallyOf } from './price-grid.ts'

interface DistrictHeadProps {
  district: GridDistrict
  priceSpots: readonly (readonly PriceSpot[])[]
  column: number
  edits: CellEdits
  isActive: boolean
  mode: TableMode
  onMarket: (district: number, isClosed: boolean) => void
  onCarry: (spots: readonly PriceSpot[]) => void
}

// A key press renders only the headers of the column that is left and of the column that is entered.
export const DistrictHead = memo(function DistrictHead(props: DistrictHeadProps) {
  const { district, priceSpots: spotRows, column, edits, isActive, mode, onMarket, onCarry } = props
  const t = useT()
  const locale = useLocale()
  const cells = useMemo(() => spotRows.flatMap((row) => row[column] ?? []), [spotRows, column])
  const readKinds = useMemo(() => kindsOf(edits, cells), [edits, cells])
  const countCells = () => {
    const { filled, expected } = progressOf(tallyOf(readKinds()))
    return `${filled}/${expected}`
  }
  const [filledCount = 0, expectedCount = 0] = useSyncExternalStore(edits.subscribe, countCells).split('/').map(Number)
  const label = t('form.coverage', {
    filled: formatNumber(locale, filledCount),
    all: formatNumber(locale, expectedCount),
  })
  const [nameRef, isCut] = useIsCut()
  const name = (
    <span
      key={district.name}
      ref={nameRef}
      data-name=""
      // Letters of the district's name extend two pixels beyond its tight lines: the padding makes room for
      // them.
      className="-my-0.5 line-clamp-2 py-0.5 text-xs leading-[14px] font-semibold wrap-break-word"
    >
      {district.name}
    </span>
  )
  const tooltip = isCut ? district.name : undefined
  const content = (
    <span className="block truncate text-xs leading-[14px] font-normal text-muted tabular-nums">{label}</span>
  )
  return (
    <th
      scope="col"
      className={cx(
        'sticky top-0 z-2 h-11 border-e border-b border-e-line border-b-line-strong bg-surface p-0 text-end align-bottom leading-tight',
        isActive && 'text-brand-text',
      )}
    >
      {mode === 'edit' ? (
        <Menu
          trigger={
            <button
              type="button"
              data-tip={tooltip}
              className="block h-full min-h-[43px] w-full min-w-0 px-1.5 text-end hover:bg-hover max-md:min-h-11"
            >
              {name}
              {content}
            </button>
          }
        >
          {({ Item }) => (
            <>
              <Item onClick={() => onCarry(cells)}>{t('prices.asYesterday')}</Item>
              <Item onClick={() => onMarket(district.id, !district.no_market)}>
                {t(district.no_market ? 'prices.hasMarket' : 'prices.closeMarket')}
              </Item>
            </>
          )}
        </Menu>
      ) : (
        <span data-tip={tooltip} className="block px-1.5">
          {name}
          {content}
        </span>
      )}
    </th>
  )
})
