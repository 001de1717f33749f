/** Rows of price changes: product and district, price, change, and the price it is compared with. */
import type { PriceChange, PriceChanges, PriceSeason } from '@dala/model'
import { useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { ChangeText } from './change-text.tsx'
import { priceText } from './price-text.ts'

/** Number of price changes that are rendered first, and added with each press. */
const pageSize = 100

interface ChangesTableProps {
  data: PriceChanges
  rows: readonly PriceChange[]
  showsSeason: boolean
  /** Whether the server has more price changes than it sent. */
  isCut: boolean
}

const base = 'border-t border-line px-4 py-2 align-top max-md:px-2.5'
const cell = cx(base, 'text-start')
const number = cx(base, 'text-end tabular-nums')

export function ChangesTable({ data, rows, showsSeason: withSeason, isCut }: ChangesTableProps) {
  const t = useT()
  const locale = useLocale()
  const [shownCount, setShownCount] = useState(pageSize)
  const products = new Map(data.products.map((product) => [product.id, product]))
  const districts = new Map(data.districts.map((district) => [district.id, district]))
  if (rows.length === 0) return <EmptyState title={t('empty.noData')} text={t('empty.noResults')} />
  const headings: readonly (readonly [name: string, isNumber: boolean])[] = [
    [t('products.one'), false],
    [t('field.price'), true],
    [t('price.change'), false],
    [t('prices.base'), true],
    ...(withSeason ? [[t('prices.season'), false] as const] : []),
  ]
  return (
    <>
      <ScrollRegion aria-label={t('prices.view.changes')} className="overflow-x-auto">
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr className="text-sm text-muted">
              {headings.map(([name, isNumber]) => (
                <th key={name} scope="col" className={cx(isNumber ? number : cell, 'font-medium')}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownCount).map((row) => {
              const product = products.get(row.product)
              return (
                <tr key={`${row.product}/${row.district}`}>
                  <th scope="row" className={cx(cell, 'font-semibold')}>
                    {product?.name}
                    <span className="block text-sm font-normal text-muted">{districts.get(row.district)?.name}</span>
                  </th>
                  <td className={number}>
                    {priceText(locale, row.value)}
                    <span className="block text-xs text-muted">{product?.unit?.name}</span>
                  </td>
                  <td className={cell}>
                    <ChangeText change={row.change_pct} changeBand={row.band} gap={row.gap} />
                  </td>
                  <td className={cx(number, 'text-muted')}>
                    {row.base ? (
                      <>
                        {priceText(locale, row.base.value)}
                        <span className="block text-xs">{formatDate(row.base.date)}</span>
                      </>
                    ) : null}
                  </td>
                  {withSeason ? (
                    <td className={cell}>{row.season ? <SeasonText season={row.season} /> : null}</td>
                  ) : null}
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > shownCount || isCut ? (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-3 text-sm text-muted">
          {rows.length > shownCount ? (
            <Button onClick={() => setShownCount(shownCount + pageSize)}>
              {t('prices.showMore', { count: Math.min(pageSize, rows.length - shownCount) })}
            </Button>
          ) : null}
          {isCut ? t('prices.cut') : null}
        </div>
      ) : null}
    </>
  )
}

function SeasonText({ season: { value, level, years } }: { season: PriceSeason }) {
  const t = useT()
  const locale = useLocale()
  return (
    <span className={level === 'usual' ? 'text-muted' : 'text-warning-text'}>
      {t(`prices.season.${level}`)} <span className="tabular-nums">{formatNumber(locale, value)}</span>
      <span className="block text-xs text-muted">{t('prices.seasonYears', { count: years })}</span>
    </span>
  )
}
