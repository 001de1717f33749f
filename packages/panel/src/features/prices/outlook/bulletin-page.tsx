/** The prices of a week on one page: for the screen, for printing, or for saving as PDF with the browser. */
import { choiceLabel, type ChangedProduct, type PriceChanges, resources, type Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Printer from 'lucide-react/icons/printer'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { formatDate } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { useNameRecord } from '../../../lib/record-name.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { daysAfter } from '../day-marks.ts'
import { bulletinOf, maxProducts, type MovedPrice } from './bulletin.ts'
import './bulletin.css'
import { DayInput } from './changes-page.tsx'
import { OutlookBar, useChoices } from './outlook-bar.tsx'
import { AnsweredSection } from './outlook-page.tsx'
import { changesQuery } from './outlook-queries.ts'
import { useOutlookState, writeOutlookSearch } from './outlook-search.ts'
import { changeText, priceText } from './price-text.ts'

export function PriceBulletinPage({ screen }: { screen: Screen }) {
  const t = useT()
  const locale = useLocale()
  const state = useOutlookState()
  // A bulletin always covers a week, whatever window the changes page has.
  const search = { ...state.search, product: undefined, window: '7' as const }
  const changes = useQuery(changesQuery(search, locale))
  const regions = useChoices(resources.regions)
  const title = t('prices.bulletin')
  useDocumentTitle(title)
  useNameRecord(title)
  return (
    <>
      <PageHead
        title={title}
        about={t('prices.bulletin.about')}
        actions={
          <>
            <Link to="/app/price-list/changes" search={writeOutlookSearch(search)} className={buttonClass('plain')}>
              <ArrowLeft size={18} aria-hidden className="mirrored" />
              {t('prices.view.changes')}
            </Link>
            <Button kind="primary" icon={<Printer size={18} aria-hidden />} onClick={() => window.print()}>
              {t('prices.print')}
            </Button>
          </>
        }
      />
      <OutlookBar state={state} filters={['region', 'category']}>
        <DayInput state={state} shown={changes.data?.data.date ?? null} />
      </OutlookBar>
      <AnsweredSection answer={changes.data} error={changes.error} onRetry={() => void changes.refetch()}>
        {({ data }) => (
          <BulletinPaper
            data={data}
            place={regions?.find(({ value }) => value === search.region)?.label ?? t('prices.country')}
            market={firstTranslation(choiceLabel(resources.pricelists, 'market_type', search.market))}
            publisher={firstTranslation([`${screen.labelPrefix}.many`])}
          />
        )}
      </AnsweredSection>
    </>
  )
}

interface PaperProps {
  data: PriceChanges
  place: string
  market: string
  publisher: string
}

function BulletinPaper({ data, place, market, publisher }: PaperProps) {
  const t = useT()
  const { date } = data
  const { products, more, risenPrices: risingPrices, fallenPrices: fallingPrices } = bulletinOf(data)
  if (date === null || products.length === 0)
    return (
      <Sheet>
        <EmptyState title={t('empty.noData')} text={t('prices.bulletin.none')} />
      </Sheet>
    )
  return (
    <article className="bulletin" aria-label={t('prices.bulletin')}>
      <header>
        <p className="bulletin-publisher">Dala · {publisher}</p>
        <h2>{t('prices.bulletin')}</h2>
        <p>
          {place}. {market}.{' '}
          {t('prices.bulletin.week', { from: formatDate(daysAfter(date, -6)), to: formatDate(date) })}
        </p>
      </header>
      <ProductTable products={products} />
      <div className="bulletin-movers">
        <PriceMovers title={t('prices.bulletin.risen')} movers={risingPrices} />
        <PriceMovers title={t('prices.bulletin.fallen')} movers={fallingPrices} />
      </div>
      <footer>
        {t('prices.bulletin.how')}{' '}
        {more > 0 ? t('prices.bulletin.more', { count: more, max: String(maxProducts) }) : null}
      </footer>
    </article>
  )
}

function ProductTable({ products }: { products: readonly ChangedProduct[] }) {
  const t = useT()
  const locale = useLocale()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('products.one')}</th>
          <th scope="col">{t('units.one')}</th>
          <th scope="col">{t('prices.measure.median')}</th>
          <th scope="col">{t('prices.bulletin.range')}</th>
          <th scope="col">{t('prices.bulletin.districts')}</th>
          <th scope="col">{t('prices.bulletin.change')}</th>
        </tr>
      </thead>
      <tbody>
        {products.map(({ id, name, unit, median, low, high, n, change_pct: change, band }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{unit?.name}</td>
            <td>{priceText(locale, median)}</td>
            <td>
              {priceText(locale, low)}–{priceText(locale, high)}
            </td>
            <td>{n}</td>
            <td className={band === 'sharp' ? 'bulletin-sharp' : undefined}>
              {change === null ? '–' : changeText(locale, change)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PriceMovers({ title, movers }: { title: string; movers: readonly MovedPrice[] }) {
  const t = useT()
  const locale = useLocale()
  return (
    <section>
      <h3>{title}</h3>
      {movers.length === 0 ? (
        <p>{t('prices.bulletin.noMovers')}</p>
      ) : (
        <ol>
          {movers.map(({ product, district, change }) => (
            <li key={`${product}/${district}`}>
              {product}, {district}: <b>{changeText(locale, change)}</b>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
