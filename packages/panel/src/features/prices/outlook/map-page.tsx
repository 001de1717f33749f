/**
 * The prices of a product by district: lowest, median and highest, a map, and a table with the same figures
 * (market §6).
 */
import type { PriceChanges, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatDate } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { ChangeText } from './change-text.tsx'
import { DayInput } from './changes-page.tsx'
import { OutlookBar, useProduct } from './outlook-bar.tsx'
import { AnsweredSection, OutlookPage } from './outlook-page.tsx'
import { changesQuery, exportQuery } from './outlook-queries.ts'
import { useOutlookState } from './outlook-search.ts'
import { changeText, priceText, unitText } from './price-text.ts'
import { SavePrices } from './save-prices.tsx'
import { type PlacedPrice, placedPrices, type PriceSpread, computePriceSpread } from './spread.ts'

const PriceMap = lazyPart(async () => (await import('./price-map.tsx')).PriceMap)

export function PriceMapPage({ screen }: { screen: Screen }) {
  const locale = useLocale()
  const state = useOutlookState()
  const product = useProduct(state)
  const search = { ...state.search, product, category: undefined }
  const changes = useQuery({ ...changesQuery(search, locale), enabled: product !== undefined })
  const date = changes.data?.data.date ?? null
  return (
    <OutlookPage
      screen={screen}
      view="map"
      actions={date === null ? null : <SavePrices query={exportQuery(search, { from: date, to: date }, locale)} />}
    >
      <OutlookBar state={state} filters={['product', 'region']}>
        <DayInput state={state} shown={date} />
      </OutlookBar>
      <AnsweredSection answer={changes.data} error={changes.error} onRetry={() => void changes.refetch()}>
        {({ data }) => (
          <div
            aria-busy={changes.isPlaceholderData}
            className={cx('transition-opacity duration-(--dur-2)', changes.isPlaceholderData && 'opacity-60')}
          >
            <SpreadSheet data={data} />
          </div>
        )}
      </AnsweredSection>
    </OutlookPage>
  )
}

function SpreadSheet({ data }: { data: PriceChanges }) {
  const t = useT()
  const [product] = data.products
  const prices = placedPrices(data)
  const priceSpread = computePriceSpread(data)
  if (!product || !priceSpread || prices.length === 0)
    return (
      <Sheet>
        <EmptyState
          title={t('empty.noData')}
          text={data.date === null ? null : t('prices.noneOn', { date: formatDate(data.date) })}
        />
      </Sheet>
    )
  const title = `${product.name}, ${unitText(t, product.unit)}`
  return (
    <div className="grid grid-cols-1 gap-4">
      <SpreadTiles title={title} date={data.date} spread={priceSpread} />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(340px,2fr)]">
        <Sheet className="overflow-hidden" aria-label={t('prices.view.map')}>
          <Suspense fallback={<Skeleton className="h-[460px] w-full" />}>
            <PriceMap data={data} />
          </Suspense>
        </Sheet>
        <Sheet aria-label={title}>
          <SpreadTable title={title} prices={prices} spread={priceSpread} />
        </Sheet>
      </div>
    </div>
  )
}

function SpreadTiles({ title, date, spread }: { title: string; date: string | null; spread: PriceSpread }) {
  const t = useT()
  const locale = useLocale()
  const tiles = [
    { name: t('prices.measure.min'), value: spread.low, text: spread.lowDistrict },
    { name: t('prices.measure.median'), value: spread.median, text: t('prices.ofPrices', { count: spread.n }) },
    { name: t('prices.measure.max'), value: spread.highPrice, text: spread.highDistrict },
  ]
  return (
    <Sheet aria-label={t('prices.spread')}>
      <h2 className="px-5 pt-4 text-lg font-semibold max-md:px-4">
        {title} <span className="text-sm font-normal text-muted">{formatDate(date)}</span>
      </h2>
      <ul className="grid grid-cols-3 gap-px overflow-hidden rounded-3">
        {tiles.map(({ name, value, text }) => (
          <li key={name} className="min-w-0 px-5 py-4 max-md:px-3">
            <p className="text-sm font-medium text-muted">{name}</p>
            <p className="text-2xl leading-tight font-light tabular-nums max-md:text-xl">{priceText(locale, value)}</p>
            <p className="text-sm text-muted wrap-break-word max-md:text-xs">{text}</p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

const base = 'border-t border-line px-4 py-2 align-top max-md:px-3'
const cell = cx(base, 'text-start')
const numberCellClass = cx(base, 'text-end tabular-nums')

function SpreadTable({
  title,
  prices,
  spread,
}: {
  title: string
  prices: readonly PlacedPrice[]
  spread: PriceSpread
}) {
  const t = useT()
  const locale = useLocale()
  return (
    <ScrollRegion aria-label={t('prices.asTable', { name: title })} className="max-h-[520px] overflow-auto">
      <table className="w-full border-separate border-spacing-0">
        <thead>
          <tr className="text-sm text-muted *:border-t-0">
            <th scope="col" className={cx(cell, 'font-medium')}>
              {t('field.district')}
            </th>
            <th scope="col" className={cx(numberCellClass, 'font-medium')}>
              {t('field.price')}
            </th>
            <th scope="col" className={cx(numberCellClass, 'font-medium')}>
              {t('prices.toMedian')}
            </th>
            <th scope="col" className={cx(cell, 'font-medium')}>
              {t('price.change')}
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map(({ id, name, value, isCarried: isCarriedOver, row }) => (
            <tr key={id}>
              <th scope="row" className={cx(cell, 'font-semibold')}>
                {name}
                {isCarriedOver ? (
                  <span className="block text-xs font-normal text-muted">{t('prices.carriedPoint')}</span>
                ) : null}
              </th>
              <td className={numberCellClass}>{priceText(locale, value)}</td>
              <td className={cx(numberCellClass, 'text-muted')}>
                {changeText(locale, Math.round((value / spread.median - 1) * 1000) / 10)}
              </td>
              <td className={cell}>
                <ChangeText change={row.change_pct} changeBand={row.band} gap={row.gap} isShort />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
