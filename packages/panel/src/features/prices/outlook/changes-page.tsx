/** The largest price changes within 1, 7, 30 or 365 days (market §4, §6). */
import { changeWindows, type PriceBand, priceBands, type PriceChange, type Screen } from '@dala/model'
import type { ChangesAnswer } from '@dala/model/api/price-outlook'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Newspaper from 'lucide-react/icons/newspaper'
import { useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { DateInput } from '../../../ui/inputs/date-input.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { ChangesTable } from './changes-table.tsx'
import { OutlookBar } from './outlook-bar.tsx'
import { AnsweredSection, OutlookPage } from './outlook-page.tsx'
import { changesQuery, exportQuery } from './outlook-queries.ts'
import { type OutlookState, useOutlookState, writeOutlookSearch } from './outlook-search.ts'
import { SavePrices } from './save-prices.tsx'

/** Selected day of the price changes: the typed day, or the last published one. */
export function DayInput({ state: { search, change }, shown }: { state: OutlookState; shown: string | null }) {
  const t = useT()
  // Typed text that is no complete day yet; the address has the last complete day.
  const [typedDate, setTypedDate] = useState<string | null | undefined>(undefined)
  return (
    <DateInput
      aria-label={t('field.date')}
      className="w-[164px]"
      value={typedDate === undefined ? (search.date ?? shown) : typedDate}
      onValueChange={(date) => {
        const isDay = date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date)
        setTypedDate(isDay ? undefined : date)
        if (isDay) change({ date })
      }}
    />
  )
}

export function PriceChangesPage({ screen }: { screen: Screen }) {
  const t = useT()
  const locale = useLocale()
  const state = useOutlookState()
  // The product is a parameter of the chart and the map only, not of the price changes.
  const search = { ...state.search, product: undefined }
  const changes = useQuery(changesQuery(search, locale))
  const date = changes.data?.data.date ?? null
  return (
    <OutlookPage
      screen={screen}
      view="changes"
      actions={
        <>
          <Link to="/app/price-list/bulletin" search={writeOutlookSearch(search)} className={buttonClass('plain')}>
            <Newspaper size={18} aria-hidden />
            <span data-word="">{t('prices.bulletin')}</span>
          </Link>
          {date === null ? null : <SavePrices query={exportQuery(search, { from: date, to: date }, locale)} />}
        </>
      }
    >
      <OutlookBar state={state} filters={['region', 'category']}>
        <DayInput state={state} shown={date} />
        <SegmentedControl
          label={t('prices.window')}
          value={search.window}
          onValueChange={(window) => state.change({ window })}
          segments={changeWindows.map((value) => ({ value, label: t(`prices.window.${value}`) }))}
        />
      </OutlookBar>
      <AnsweredSection answer={changes.data} error={changes.error} onRetry={() => void changes.refetch()}>
        {(answer) => (
          <div
            aria-busy={changes.isPlaceholderData}
            className={cx('transition-opacity duration-(--dur-2)', changes.isPlaceholderData && 'opacity-60')}
          >
            <PriceMovers answer={answer} />
          </div>
        )}
      </AnsweredSection>
    </OutlookPage>
  )
}

const moverShares = ['all', 'sharp', 'moving', 'steady', 'none'] as const
type MoverShare = (typeof moverShares)[number]

const isInShare = (share: MoverShare, { band }: PriceChange) =>
  share === 'all' || (share === 'none' ? band === null : band === share)

function PriceMovers({ answer: { data, meta } }: { answer: ChangesAnswer }) {
  const t = useT()
  const locale = useLocale()
  const [share, setShare] = useState<MoverShare>('all')
  const changedCount = priceBands.reduce((sum, band) => sum + meta.bands[band], 0)
  const counts: Record<MoverShare, number> = { ...meta.bands, all: meta.total, none: meta.total - changedCount }
  const labelOf = (moverShare: MoverShare) =>
    moverShare === 'all' || moverShare === 'none'
      ? t(`prices.share.${moverShare}`)
      : t(`prices.band.${moverShare satisfies PriceBand}`)
  return (
    <Sheet aria-label={t('prices.view.changes')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 max-md:px-3.5">
        <SegmentedControl
          label={t('prices.share')}
          value={share}
          onValueChange={setShare}
          segments={moverShares.map((moverShare) => ({
            value: moverShare,
            label: labelOf(moverShare),
            count: formatNumber(locale, counts[moverShare]),
          }))}
        />
        <output className="text-sm text-muted">
          {data.date === null ? null : t('prices.priced', { count: meta.priced, date: formatDate(data.date) })}
        </output>
      </div>
      <ChangesTable
        data={data}
        rows={data.rows.filter((row) => isInShare(share, row))}
        showsSeason={meta.window === 365}
        isCut={meta.more}
      />
    </Sheet>
  )
}
