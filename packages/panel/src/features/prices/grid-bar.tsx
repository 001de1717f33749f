/**
 * The bars above and below the price table: the visible part of the day, its progress, and a legend of
 * colours and keys.
 */
import { choiceLabel, resources, priceMarkets, type PriceMarket } from '@dala/model'
import type { GridAnswer } from '@dala/model/api/prices'
import Copy from 'lucide-react/icons/copy'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { memo, type ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { progressOf, type CellCounts } from './price-grid.ts'

const allValue = 'all'

export interface GridBarProps {
  grid: GridAnswer
  market: PriceMarket
  category: string | undefined
  tally: CellCounts
  /** Price cells that wait for the user: flagged and unsaved ones. */
  waiting: number
  readOnly: boolean
  /** Reason why the price table is read-only. */
  note: ReactNode
  isCarrying: boolean
  /** Changes the search parameters of the price day. */
  onChange: (searchChange: Readonly<Record<string, string | undefined>>) => void
  onCarry: () => void
  onNext: () => void
}

export const GridBar = memo(function GridBar(props: GridBarProps) {
  const { grid, market, category, tally, waiting, readOnly, note, isCarrying, onChange, onCarry, onNext } = props
  const t = useT()
  const locale = useLocale()
  const { regions, categories } = grid.meta
  const choices = (list: GridAnswer['meta']['regions']) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2 px-3 py-[5px] max-md:gap-2 max-md:px-3">
      <Select
        variant="filter"
        aria-label={t('field.region')}
        value={grid.data.region === null ? null : String(grid.data.region)}
        onValueChange={(region) => onChange({ region })}
        choices={choices(regions)}
        // A long name of a region does not fit beside the buttons of a day that is being entered.
        className={cx('max-md:max-w-[46vw] 2xl:max-w-[256px]', readOnly ? 'md:max-w-[256px]' : 'md:max-w-[168px]')}
      />
      <Select
        variant="filter"
        aria-label={t('productcategories.one')}
        value={category ?? allValue}
        onValueChange={(value) => onChange({ category: value === allValue ? undefined : value })}
        choices={[{ value: allValue, label: t('prices.allProducts') }, ...choices(categories)]}
        className="max-w-[168px] max-md:max-w-[46vw]"
      />
      <SegmentedControl
        label={t('field.market_type')}
        value={market}
        onValueChange={(value) => onChange({ market: value === 'retail' ? undefined : value })}
        segments={priceMarkets.map((value) => ({
          value,
          label: firstTranslation(choiceLabel(resources.pricelists, 'market_type', value)),
        }))}
      />
      <Coverage tally={tally} />
      {note}
      {readOnly ? null : (
        <div className="flex gap-2 max-md:w-full md:order-2">
          <Button
            className="max-md:px-2.5!"
            icon={<Copy size={16} aria-hidden />}
            isBusy={isCarrying}
            onClick={onCarry}
          >
            {t('prices.asYesterday')}
          </Button>
          <Button
            className="max-md:flex-1 max-md:px-2!"
            icon={<TriangleAlert size={16} aria-hidden />}
            onClick={onNext}
          >
            {t('prices.nextFlagged')} <span className="tabular-nums">{formatNumber(locale, waiting)}</span>
          </Button>
        </div>
      )}
    </div>
  )
})

/**
 * Progress of a price day: entered, carried, flagged and missing cells, in figures and in one stacked bar.
 */
function Coverage({ tally }: { tally: CellCounts }) {
  const t = useT()
  const locale = useLocale()
  const { filled, expected } = progressOf(tally)
  const messageParams = { filled: formatNumber(locale, filled), all: formatNumber(locale, expected) }
  const growStyle = (count: number) => ({ flexGrow: count })
  return (
    <div className="grid min-w-[150px] max-w-[212px] flex-1 gap-1 text-sm tabular-nums max-md:max-w-none md:order-3 md:ms-auto">
      <span className="flex justify-between gap-3">
        <span>{t('form.coverage', messageParams)}</span>
        {tally.gap > 0 ? (
          <span className="text-muted">{t('prices.missing', { count: formatNumber(locale, tally.gap) })}</span>
        ) : null}
      </span>
      <span aria-hidden className="flex h-[5px] gap-0.5 overflow-hidden rounded-full bg-line">
        <span className="bg-brand-ui" style={growStyle(tally.entered)} />
        <span className="bg-line-strong" style={growStyle(tally.carried)} />
        <span className="bg-warning" style={growStyle(tally.look + tally.confirm)} />
        <span style={growStyle(tally.gap)} />
      </span>
    </div>
  )
}

interface GridFootProps {
  tally: CellCounts
  unsavedCount: number
  readOnly: boolean
}

/** Legend of the price table: its colours with counts, and the most useful keys. */
export const GridFoot = memo(function GridFoot({ tally, unsavedCount: unsavedTotal, readOnly }: GridFootProps) {
  const t = useT()
  const locale = useLocale()
  const legendItem = (key: string, className: string, label: string, count: number, icon: ReactNode = null) => (
    <li key={key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className={cx('grid h-4 w-5.5 place-items-center rounded-1 border border-line', className)}>
        {icon}
      </span>
      {label} <span className="tabular-nums">{formatNumber(locale, count)}</span>
    </li>
  )
  const dot = <span className="size-1.5 rounded-full bg-brand-ui" />
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-3 py-1 text-xs text-muted max-md:hidden">
      <ul className="flex flex-wrap gap-x-3 gap-y-1">
        {legendItem('entered', 'bg-surface', t('prices.legend.entered'), tally.entered)}
        {unsavedTotal > 0
          ? legendItem('unsaved', 'border-danger-text! bg-danger-soft', t('prices.legend.unsaved'), unsavedTotal)
          : null}
        {legendItem('carried', 'bg-surface', t('prices.legend.carried'), tally.carried, dot)}
        {legendItem('look', 'bg-warning-soft', t('prices.legend.look'), tally.look)}
        {legendItem('confirm', 'bg-danger-soft', t('prices.legend.confirm'), tally.confirm)}
        {legendItem(
          'gap',
          'bg-surface',
          t('prices.legend.missing'),
          tally.gap,
          <span className="w-2.5 border-b border-dashed border-muted" />,
        )}
        {tally.closed > 0 ? legendItem('closed', 'bg-sunken', t('prices.noMarket'), tally.closed) : null}
      </ul>
      {readOnly ? null : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {(
            [
              ['F7', 'prices.key.empty'],
              ['F8', 'prices.key.flagged'],
              ['F6', 'prices.key.question'],
              ['Ctrl Z', 'prices.key.undo'],
            ] as const
          ).map(([caps, label]) => (
            <li key={caps} className="inline-flex items-center gap-1.5 whitespace-nowrap">
              <KeyCaps caps={[caps]} />
              {t(label)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
})
