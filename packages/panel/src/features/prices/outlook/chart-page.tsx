/**
 * The price of a product over time, a line for each of up to six districts, with the same figures as a table
 * (market §6).
 */
import {
  maxPriceLines,
  maxPricePoints,
  type PriceMeasure,
  priceMeasures,
  type ReportInterval,
  reportIntervals,
  resources,
  type Screen,
} from '@dala/model'
import type { SeriesAnswer } from '@dala/model/api/price-outlook'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import Image from 'lucide-react/icons/image'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useOfferedRecords } from '../../../fields/relation/use-offers.ts'
import { cx } from '../../../lib/class-names.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useStable } from '../../../lib/hooks/use-stable.ts'
import { Button } from '../../../ui/button.tsx'
import { MultiCombobox } from '../../../ui/inputs/combobox.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { daysAfter, daysBetween, today } from '../day-marks.ts'
import { type ChartRow, chartRows, chooseInterval, lineNames, type LinePoints } from './chart-rows.ts'
import { ChartSpan } from './chart-span.tsx'
import { OutlookBar, useProduct } from './outlook-bar.tsx'
import { AnsweredSection, OutlookPage } from './outlook-page.tsx'
import { exportQuery, seriesQuery } from './outlook-queries.ts'
import { type OutlookSearch, type OutlookState, useOutlookState } from './outlook-search.ts'
import { intervalText, priceText, unitText } from './price-text.ts'
import { SavePrices } from './save-prices.tsx'
import { PriceSeriesTable } from './series-table.tsx'

/** Milliseconds without a move after which the brush of the chart counts as at rest. */
const settleDelay = 250

const PriceChart = lazyPart(async () => (await import('./price-chart.tsx')).PriceChart)

/** The last published day, where the chart ends; today while there is none. */
function useLastDay(): string | undefined {
  const query = { fields: ['date'], filters: { state: 'published' }, sort: 'date:desc' }
  const { data } = useQuery(
    resourceQueries(resources.pricedates).list({ ...query, pagination: { pageSize: 1, withCount: false } }),
  )
  const date = data?.entries[0]?.['date']
  return data && (typeof date === 'string' ? date : today())
}

export function PriceChartPage({ screen }: { screen: Screen }) {
  const t = useT()
  const locale = useLocale()
  const state = useOutlookState()
  const product = useProduct(state)
  const lastDay = useLastDay()
  const search = { ...state.search, product }
  const days = daysOf(search, lastDay ?? today())
  const interval = search.interval ?? chooseInterval(daysBetween(days.from, days.to))
  const isIntervalTooFine = interval === 'day' && daysBetween(days.from, days.to) > maxPricePoints
  const query = seriesQuery(search, days, interval, locale)
  const series = useQuery({ ...query, enabled: product !== undefined && lastDay !== undefined && !isIntervalTooFine })
  return (
    <OutlookPage screen={screen} view="chart" actions={<SavePrices query={exportQuery(search, days, locale)} />}>
      <OutlookBar state={state} filters={['product', 'region']}>
        {lastDay === undefined ? null : <ChartSpan state={state} days={days} />}
        <Choices state={state} />
      </OutlookBar>
      <DistrictChoice state={state} answer={series.data} />
      {isIntervalTooFine ? (
        <Sheet hasPadding>
          <p role="alert">{t('prices.span.tooFine', { max: formatNumber(locale, maxPricePoints) })}</p>
        </Sheet>
      ) : (
        <AnsweredSection answer={series.data} error={series.error} onRetry={() => void series.refetch()}>
          {(answer) => (
            <div
              aria-busy={series.isPlaceholderData}
              className={cx('transition-opacity duration-(--dur-2)', series.isPlaceholderData && 'opacity-60')}
            >
              {/* The brush of the chart cannot take over more or fewer intervals, so other intervals need a
                  new one. */}
              <ChartSheet key={JSON.stringify(answer.meta)} answer={answer} state={state} />
            </div>
          )}
        </AnsweredSection>
      )}
    </OutlookPage>
  )
}

/**
 * Days of the chart: those that the user has typed, otherwise the selected span up to the last published day.
 */
function daysOf({ from, to, span }: OutlookSearch, newestDay: string) {
  return from !== undefined && to !== undefined
    ? { from, to }
    : { from: daysAfter(newestDay, 1 - Number(span)), to: newestDay }
}

/** Interval and measure of the price chart. */
function Choices({ state: { search, change } }: { state: OutlookState }) {
  const t = useT()
  const steps: readonly (ReportInterval | 'auto')[] = ['auto', ...reportIntervals]
  return (
    <>
      <Select
        variant="filter"
        aria-label={t('statistics.interval')}
        value={search.interval ?? 'auto'}
        onValueChange={(interval) => change({ interval: interval === 'auto' ? undefined : interval })}
        choices={steps.map((value) => ({ value, label: t(`statistics.intervals.${value}`) }))}
      />
      <Select<PriceMeasure>
        variant="filter"
        aria-label={t('prices.measure')}
        value={search.measure}
        onValueChange={(measure) => change({ measure })}
        choices={priceMeasures.map((value) => ({ value, label: t(`prices.measure.${value}`) }))}
      />
    </>
  )
}

/**
 * Districts with a line of their own in the chart; without any there is one line for the region or the
 * country.
 */
function DistrictChoice({
  state: { search, change },
  answer,
}: {
  state: OutlookState
  answer: SeriesAnswer | undefined
}) {
  const t = useT()
  const { region, districts } = search
  const offeredDistricts = useOfferedRecords(resources.districts, region === undefined ? undefined : { region })
  // Name of a district, which is known once the district was offered or returned.
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const answeredNames = Object.fromEntries(
    (answer?.data.lines ?? []).flatMap(({ district }) => (district ? [[String(district.id), district.name]] : [])),
  )
  const selectedDistricts = districts.map((id) => ({ value: id, label: answeredNames[id] ?? names[id] ?? '…' }))
  const options = offeredDistricts.options.map(({ value, label }) => ({ value: String(value), label }))
  const isFull = districts.length >= maxPriceLines
  return (
    <div className="mb-4 max-w-[760px]">
      <MultiCombobox
        aria-label={t('prices.lines')}
        placeholder={t('prices.lines.add', { max: String(maxPriceLines) })}
        value={selectedDistricts}
        onValueChange={(chosenDistricts) => {
          setNames({ ...names, ...Object.fromEntries(chosenDistricts.map(({ value, label }) => [value, label])) })
          change({ districts: chosenDistricts.slice(0, maxPriceLines).map(({ value }) => String(value)) })
        }}
        options={isFull ? selectedDistricts : options}
        onSearch={offeredDistricts.onSearch}
        loading={offeredDistricts.loading}
      />
      <output className="mt-1 block text-sm text-muted empty:hidden">
        {isFull ? t('prices.lines.full', { max: String(maxPriceLines) }) : null}
      </output>
    </div>
  )
}

/** Range of the chart's rows that the address names; all rows where it names none. */
function visibleRange(rows: readonly ChartRow[], { first, last }: OutlookSearch): LinePoints {
  const fullRange = { first: 0, last: Math.max(0, rows.length - 1) }
  if (first === undefined || last === undefined) return fullRange
  const firstIndex = rows.findIndex(({ t }) => t >= first)
  const end = rows.findLastIndex(({ t }) => t <= last)
  return firstIndex < 0 || end <= firstIndex ? fullRange : { first: firstIndex, last: end }
}

/** Waits for the chart's drawing in a frame, because its code is lazy-loaded. */
const waitForChart = (frame: HTMLElement): Promise<SVGSVGElement> =>
  new Promise((resolve) => {
    const checkDrawing = () => {
      const chartDrawing = frame.querySelector<SVGSVGElement>('[data-drawing] svg')
      if (!chartDrawing) return
      observer.disconnect()
      resolve(chartDrawing)
    }
    const observer = new MutationObserver(checkDrawing)
    observer.observe(frame, { childList: true, subtree: true })
    checkDrawing()
  })

function ChartSheet({ answer: { data, meta }, state }: { answer: SeriesAnswer; state: OutlookState }) {
  const t = useT()
  const locale = useLocale()
  const frame = useRef<HTMLDivElement>(null)
  const [isSaving, setSaving] = useState(false)
  const rows = chartRows(data.lines)
  const { first, last } = state.search
  // While the brush of the chart moves, its range is stored only here; the address gets it when the brush is
  // at rest.
  const [movedRange, setMovedRange] = useState<{ part: LinePoints; from: string }>()
  const address = `${first}/${last}`
  const shownRange = movedRange?.from === address ? movedRange.part : visibleRange(rows, state.search)
  const storeRange = useStable(() => {
    const [firstRow, end] = [rows[shownRange.first], rows[shownRange.last]]
    const isWholeRange = shownRange.first === 0 && shownRange.last === rows.length - 1
    state.show(isWholeRange || !firstRow || !end ? undefined : { first: firstRow.t, last: end.t })
  })
  useEffect(() => {
    if (movedRange?.from !== address) return undefined
    const timer = setTimeout(storeRange, settleDelay)
    return () => clearTimeout(timer)
  }, [movedRange, address, storeRange])
  const names = lineNames(t, data.lines)
  const shownRows = rows.slice(shownRange.first, shownRange.last + 1)
  const title = `${data.product.name}, ${unitText(t, data.unit)}`
  const dayText = (day: string) => intervalText(day, meta.interval)
  const text = (value: number | null) => priceText(locale, value)
  const isEmpty = rows.every(({ values }) => values.every(({ value }) => value === null))
  const rangeText = t('prices.stretch', {
    measure: t(`prices.measure.${meta.measure}`),
    from: formatDate(shownRows[0]?.t ?? meta.from),
    to: formatDate(shownRows.at(-1)?.t ?? meta.to),
  })
  return (
    <Sheet hasPadding className="min-w-0" aria-label={title}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">
          {title} <span className="text-sm font-normal text-muted">{rangeText}</span>
        </h2>
        {isEmpty ? null : (
          <Button
            icon={<Image size={18} aria-hidden />}
            isBusy={isSaving}
            onClick={() => {
              if (!frame.current) return
              setSaving(true)
              const image = { title: `${title}. ${rangeText}`, names, name: `prices-${meta.from}-${meta.to}.png` }
              void Promise.all([waitForChart(frame.current), import('./chart-image.ts')])
                .then(([drawing, { saveChart }]) => saveChart(drawing, image))
                .catch(() =>
                  showToast({ kind: 'error', title: t('error.network.title'), text: t('error.network.message') }),
                )
                .finally(() => setSaving(false))
            }}
          >
            {t('prices.asImage')}
          </Button>
        )}
      </div>
      {isEmpty ? (
        <p className="text-muted">{t('empty.noData')}</p>
      ) : (
        <div ref={frame} className="grid gap-4">
          <Suspense fallback={<Skeleton className="h-[340px] w-full" />}>
            <PriceChart
              chartSummary={`${title}. ${rangeText}`}
              rows={rows}
              names={names}
              part={shownRange}
              onPart={(newRange) => setMovedRange({ part: newRange, from: address })}
              text={text}
              dayText={dayText}
            />
          </Suspense>
          <PriceSeriesTable name={title} rows={shownRows} names={names} text={text} dayText={dayText} />
        </div>
      )}
    </Sheet>
  )
}
