/** One day of prices: how it stands, and the table in which it is entered. */
import type { Entry } from '@dala/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/api-error.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { isEntry, useTitleOf } from '../../fields/field-display.tsx'
import { resourceNamed } from '../../fields/targets.ts'
import { cx } from '../../lib/class-names.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import type { OverviewParts, OverviewProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureState } from '../../ui/failure-state.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { CellEdits, type SaveAnswer } from './cell-edits.ts'
import { MarkWords } from './day-mark.tsx'
import { markOf } from './day-marks.ts'
import { DaySteps } from './day-steps.tsx'
import { GridBar } from './grid-bar.tsx'
import { cellKey, cellsByKey, type Grid, type GridCell, gridQuery, type Market, nextPlace } from './price-grid.ts'
import { focusCell, positionOf, PriceTable } from './price-table.tsx'

/** The state, and who published it when. */
function DayLine({ record }: { record: Entry }) {
  const t = useT()
  const nameOf = useTitleOf(resourceNamed('users'))
  const { published_at: at, published_by: by, note } = record
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <MarkWords mark={markOf(record)} />
      {typeof at === 'string' ? (
        <span className="tabular-nums">
          {formatDateTime(at)}
          {isEntry(by) ? <>, {nameOf(by)}</> : null}
        </span>
      ) : null}
      {typeof note === 'string' && note !== '' ? (
        <span>
          {t('field.note')}: {note}
        </span>
      ) : null}
    </span>
  )
}

/** The part of the address that says which part of the day is shown. */
function useShown() {
  const search: { region?: unknown; category?: unknown; market?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? value : undefined)
  const market: Market = search.market === 'wholesale' ? 'wholesale' : 'retail'
  return {
    shown: { region: text(search.region), category: text(search.category), market },
    change: (next: Readonly<Record<string, string | undefined>>) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      }),
  }
}

/** What is typed is kept for the one who types it. */
function DayOverview({ record }: OverviewProps) {
  const { data: me } = useQuery(meQuery)
  return me ? <DayTable record={record} user={me.id} /> : null
}

function DayTable({ record, user }: { record: Entry; user: number }) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const may = useMay(resourceNamed('pricelists'))
  const { shown, change } = useShown()
  const frame = useRef<HTMLElement>(null)
  const [edits] = useState(
    () =>
      new CellEdits({
        storageKey: `draft/prices/${user}/${record.id}`,
        send: async (market, cells) => {
          const body = { data: { pricedate: record.id, market_type: market, cells } }
          return (await call<{ data: SaveAnswer }>('PUT', '/pricelists/grid', { body })).data
        },
        wordsOf: (failure) => (failure instanceof Error ? wordsOfFailure(failure) : ''),
        onSaved: () => {
          // The table shows what was saved already; it is read anew when it is opened again.
          void cache.invalidateQueries({ queryKey: ['resource', 'pricelists'], refetchType: 'none' })
          void cache.invalidateQueries({ queryKey: ['resource', 'pricedates'] })
        },
      }),
  )
  const {
    data: grid,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery(gridQuery({ pricedate: record.id, ...shown }, locale))
  const isPublished = record['state'] === 'published'
  const readOnly = isPublished || !may('update')

  const focusNext = (table: Grid, wanted: 'empty' | 'unsettled') => {
    const { products, districts } = table.data
    const cells = cellsByKey(table, shown.market)
    const from = positionOf(document.activeElement) ?? { row: 0, column: -1 }
    const size = { rows: products.length, columns: districts.length }
    const find = (isWanted: (key: string, cell: GridCell | undefined) => boolean) => {
      const place = nextPlace(size, from, ({ row, column }) => {
        const [product, district] = [products[row], districts[column]]
        const key = product && district && cellKey(shown.market, product.id, district.id)
        return key !== undefined && isWanted(key, cells.get(key))
      })
      return place !== undefined && focusCell(frame.current, place)
    }
    const isEmpty = (key: string, cell: GridCell | undefined) =>
      edits.figures(key, cell).price === null && !edits.get(key)
    // What the day before had is missed first.
    if (wanted === 'empty') return find((key, cell) => isEmpty(key, cell) && Boolean(cell?.prev)) || find(isEmpty)
    const isHere = find((key) => ['wrong', 'clash'].includes(edits.get(key)?.state ?? ''))
    const elsewhere = isHere ? undefined : edits.unsettled()
    if (elsewhere) change({ market: elsewhere.market, region: String(elsewhere.region ?? ''), category: undefined })
  }

  if (error && !isPlaceholderData && !grid) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    return (
      <Sheet>
        <FailureState
          title={t('list.failed')}
          text={wordsOfFailure(error)}
          {...status}
          onRetry={() => void refetch()}
        />
      </Sheet>
    )
  }
  if (!grid) return <TableWaiting />
  const isEmpty = grid.data.products.length === 0 || grid.data.districts.length === 0
  return (
    <Sheet aria-label={t('price.title')} className="overflow-hidden">
      {isPublished && may('update') ? (
        <p className="flex items-start gap-2 border-b border-line bg-sunken px-4 py-3 text-sm">
          <Lock size={16} aria-hidden className="mt-0.5 shrink-0" />
          {t('prices.published')}
        </p>
      ) : null}
      <GridBar
        grid={grid}
        market={shown.market}
        category={shown.category}
        edits={edits}
        readOnly={readOnly}
        onChange={change}
        onNext={(wanted) => focusNext(grid, wanted)}
      />
      {grid.meta.more ? <p className="px-4 pb-3 text-sm text-muted">{t('prices.more')}</p> : null}
      {isEmpty ? (
        <EmptyState title={t('empty.noData')} text={t('prices.emptyTable')} />
      ) : (
        <div
          aria-busy={isPlaceholderData}
          className={cx('transition-opacity duration-(--dur-2)', isPlaceholderData && 'opacity-60')}
        >
          <PriceTable grid={grid} market={shown.market} edits={edits} readOnly={readOnly} frame={frame} />
          {readOnly ? null : <p className="border-t border-line px-4 py-3 text-sm text-muted">{t('prices.keys')}</p>}
        </div>
      )}
    </Sheet>
  )
}

function TableWaiting() {
  return (
    <Delayed>
      <Sheet padded className="grid gap-4">
        {Array.from({ length: 8 }, (_, row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </Sheet>
    </Delayed>
  )
}

export const dayOverview: OverviewParts = { Overview: DayOverview, Line: DayLine, Actions: DaySteps }
