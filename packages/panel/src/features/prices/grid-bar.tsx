/** Above the table: which part of the day is shown, how far it is, and what became of the saving. */
import { useSyncExternalStore } from 'react'
import { choiceLabel, resources } from '@dala/model'
import { formatNumber } from '../../lib/format.ts'
import { tFirst, useLocale, useT } from '../../lib/i18n.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { CellEdits } from './cell-edits.ts'
import { Bar } from './coverage-bar.tsx'
import { cellKey, cellsByKey, type Grid, type Market, markets, progressOf } from './price-grid.ts'

const everything = 'all'

export interface GridBarProps {
  grid: Grid
  market: Market
  category: string | undefined
  edits: CellEdits
  readOnly: boolean
  /** Changes the address. */
  onChange: (next: Readonly<Record<string, string | undefined>>) => void
  /** Leads to the next field that is empty, or whose price waits for its writer. */
  onNext: (wanted: 'empty' | 'unsettled') => void
}

export function GridBar({ grid, market, category, edits, readOnly, onChange, onNext }: GridBarProps) {
  const t = useT()
  const { regions, categories } = grid.meta
  const choices = (list: Grid['meta']['regions']) => list.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-3 px-4 py-3.5 max-md:px-3.5">
      <Select
        look="filter"
        aria-label={t('field.region')}
        value={grid.data.region === null ? null : String(grid.data.region)}
        onValueChange={(region) => onChange({ region })}
        choices={choices(regions)}
        className="max-w-[260px]"
      />
      <Select
        look="filter"
        aria-label={t('productcategories.one')}
        value={category ?? everything}
        onValueChange={(value) => onChange({ category: value === everything ? undefined : value })}
        choices={[{ value: everything, label: t('prices.allProducts') }, ...choices(categories)]}
        className="max-w-[260px]"
      />
      <Segmented
        label={t('field.market_type')}
        value={market}
        onValueChange={(value) => onChange({ market: value === 'retail' ? undefined : value })}
        segments={markets.map((value) => ({
          value,
          label: tFirst(choiceLabel(resources.pricelists, 'market_type', value)),
        }))}
      />
      <div className="ms-auto flex flex-wrap items-center gap-x-4 gap-y-2 max-md:ms-0">
        {readOnly ? null : <SaveState edits={edits} onNext={onNext} />}
        <Progress grid={grid} market={market} edits={edits} />
        {readOnly ? null : <Button onClick={() => onNext('empty')}>{t('prices.nextEmpty')}</Button>}
      </div>
    </div>
  )
}

function Progress({ grid, market, edits }: Pick<GridBarProps, 'grid' | 'market' | 'edits'>) {
  const t = useT()
  const locale = useLocale()
  // Cells saved since the table was loaded count too.
  useSyncExternalStore(edits.subscribe, edits.version)
  const known = cellsByKey(grid, market)
  const { products, districts } = grid.data
  const all = products.flatMap((product) =>
    districts.map((district) => {
      const key = cellKey(market, product.id, district.id)
      return { price: edits.figures(key, known.get(key)).price, prev: known.get(key)?.prev ?? null }
    }),
  )
  const { filled, expected } = progressOf(all)
  const figures = { filled: formatNumber(locale, filled), all: formatNumber(locale, expected) }
  return (
    <div className="grid min-w-[110px] gap-1 text-sm tabular-nums">
      {t('form.coverage', figures)}
      <Bar filled={filled} expected={expected} />
    </div>
  )
}

function SaveState({ edits, onNext }: Pick<GridBarProps, 'edits' | 'onNext'>) {
  const t = useT()
  useSyncExternalStore(edits.subscribe, edits.version)
  const [failed, wrong] = [edits.count('failed', 'kept'), edits.count('wrong', 'clash')]
  const failure = edits.failure()
  const isBusy = edits.count('waiting', 'saving') > 0
  return (
    <output className="flex flex-wrap items-center gap-x-3 text-sm">
      {isBusy ? <span className="text-muted">{t('prices.saving')}</span> : null}
      {wrong > 0 ? (
        <LinkButton danger onClick={() => onNext('unsettled')}>
          {t('prices.toSettle', { count: wrong })}
        </LinkButton>
      ) : null}
      {failed > 0 ? (
        <>
          <span className="text-danger-text">
            {t('prices.unsaved', { count: failed })}
            {failure ? `. ${failure}` : ''}
          </span>
          <LinkButton onClick={() => edits.retry()}>{t('action.retry')}</LinkButton>
        </>
      ) : null}
      {!isBusy && wrong + failed === 0 ? <span className="text-muted">{t('prices.allSaved')}</span> : null}
    </output>
  )
}
