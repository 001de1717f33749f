/** The page of one price day: the table in which it is entered, checked and corrected. */
import { type Entry, mustBeConfirmed, type PriceMarket } from '@dala/model'
import type { GridAnswer } from '@dala/model/api/prices'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { callServer } from '../../api/client.ts'
import { onConnection } from '../../api/connection.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { cx } from '../../lib/class-names.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useStable } from '../../lib/hooks/use-stable.ts'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { ImportLink } from '../../resource/import-link.tsx'
import { useMay } from '../../resource/use-may.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import type { CellEdits, CellTarget } from './cell-edits.ts'
import { CorrectionDialog } from './correction-dialog.tsx'
import { useDayEdits } from './day-edits.ts'
import { kindsOf } from './day-kinds.ts'
import { DayLine } from './day-line.tsx'
import { DayNeighbours } from './day-neighbours.tsx'
import { DaySteps } from './day-steps.tsx'
import { GridBar, GridFoot } from './grid-bar.tsx'
import type { PriceSpot } from './price-cell.tsx'
import { cellKey, cellsByKey, gridQuery, nextPlace, type Position, tallyOf } from './price-grid.ts'
import { focusCell, positionOf, PriceTable } from './price-table.tsx'
import { SlipPopover } from './slip-popover.tsx'
import { useColleagues } from './use-colleagues.ts'

/** Search parameters that select the visible part of the price day. */
function useShown() {
  const search: { region?: unknown; category?: unknown; market?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? value : undefined)
  const market: PriceMarket = search.market === 'wholesale' ? 'wholesale' : 'retail'
  return {
    shown: { region: text(search.region), category: text(search.category), market },
    change: (filterChange: Readonly<Record<string, string | undefined>>) =>
      void navigate({
        to: '.',
        search: (formerSearch: object) => ({ ...formerSearch, ...filterChange }),
        replace: true,
        resetScroll: false,
      }),
  }
}

function DayOverview({ record }: OverviewProps) {
  const edits = useDayEdits(record)
  return edits ? <DaySheet record={record} edits={edits} /> : null
}

/**
 * The sheet with the price table fills the window below the head, so that the page itself does not scroll.
 */
const sheetClass =
  'flex min-h-0 flex-1 flex-col overflow-hidden max-md:h-[calc(100dvh-var(--top-h)-72px)] max-md:min-h-[420px]'

function DaySheet({ record, edits }: { record: Entry; edits: CellEdits }) {
  const t = useT()
  const locale = useLocale()
  const { shown, change } = useShown()
  const {
    data: grid,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery(gridQuery({ pricedate: record.id, ...shown }, locale))
  const isPublished = record['state'] === 'published'

  // Edits that waited for the connection or for the page to open are sent automatically.
  useEffect(() => {
    if (isPublished) return undefined
    edits.resume()
    window.addEventListener('online', edits.resume)
    const unsubscribe = onConnection((isConnected) => isConnected && edits.resume())
    return () => {
      window.removeEventListener('online', edits.resume)
      unsubscribe()
    }
  }, [edits, isPublished])

  if (error && !isPlaceholderData && !grid) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    return (
      <Sheet>
        <FailureState
          title={t('list.failed')}
          text={messageOfFailure(error)}
          {...status}
          onRetry={() => void refetch()}
        />
      </Sheet>
    )
  }
  if (!grid) return <TableWaiting />
  return (
    // The sheet has no name, because the price table in it has the same name and two such landmarks could not
    // be distinguished.
    <Sheet className={sheetClass}>
      <DayTable {...{ record, edits, grid, shown, change, isPlaceholderData, isPublished }} />
    </Sheet>
  )
}

/** A published day is read only; its unsent edits from before are shown here and nowhere else. */
function PublishedNote({ edits }: { edits: CellEdits }) {
  const t = useT()
  const may = useMay(resourceNamed('pricelists'))
  useSyncExternalStore(edits.subscribe, edits.version)
  const unsavedCount = edits.unsaved().length
  if (!may('update')) return null
  return (
    <p className="flex min-w-0 flex-1 basis-[260px] items-start gap-1.5 text-xs leading-[1.3] text-muted md:order-2">
      <Lock size={14} aria-hidden className="mt-px shrink-0" />
      <span>
        {t('prices.published')}{' '}
        {unsavedCount > 0 ? (
          <>
            <span className="text-danger-text">{t('prices.unsaved', { count: unsavedCount })}</span>{' '}
            <LinkButton onClick={() => edits.discard()}>{t('prices.discard')}</LinkButton>
          </>
        ) : null}
      </span>
    </p>
  )
}

interface DayTableProps {
  record: Entry
  edits: CellEdits
  grid: GridAnswer
  shown: ReturnType<typeof useShown>['shown']
  change: ReturnType<typeof useShown>['change']
  isPlaceholderData: boolean
  isPublished: boolean
}

const waitingStates = ['wrong', 'clash', 'failed']

function DayTable({ record, edits, grid, shown, change, isPlaceholderData, isPublished }: DayTableProps) {
  const t = useT()
  const cache = useQueryClient()
  const may = useMay(resourceNamed('pricelists'))
  const frame = useRef<HTMLElement>(null)
  const selectedSpots = useRef<readonly PriceSpot[]>([])
  const [correctedSpot, setCorrectedSpot] = useState<PriceSpot>()
  const [isCorrecting, setCorrecting] = useState(false)
  useSyncExternalStore(edits.subscribe, edits.version)
  const { products, districts, pricedate } = grid.data
  const { market } = shown
  const cells = useMemo(() => cellsByKey(grid, market), [grid, market])
  const colleagues = useColleagues(record.id, edits)
  const mode = isPublished ? (may('update') ? 'correct' : 'read') : may('update') ? 'edit' : 'read'

  const size = { rows: products.length, columns: districts.length }
  const keys = useMemo(
    () => products.flatMap(({ id }) => districts.map((district) => cellKey(market, id, district.id))),
    [products, districts, market],
  )
  const readKinds = useMemo(
    () =>
      kindsOf(
        edits,
        keys.map((key, index) => ({
          key,
          cell: cells.get(key),
          isClosed: districts[index % districts.length]?.no_market ?? false,
        })),
      ),
    [keys, cells, districts, edits],
  )
  const kinds = useSyncExternalStore(edits.subscribe, readKinds)
  const tally = useMemo(() => tallyOf(kinds), [kinds])
  const indexOf = ({ row, column }: Position) => row * size.columns + column
  const keyAt = (position: Position) => keys[indexOf(position)] ?? ''
  const kindOfCell = (position: Position) => kinds[indexOf(position)] ?? 'none'
  const isWaitingAt = (index: number) => {
    const edit = edits.get(keys[index] ?? '')
    return edit ? waitingStates.includes(edit.state) : ['confirm', 'look'].includes(kinds[index] ?? 'none')
  }
  const isWaiting = (position: Position) => isWaitingAt(indexOf(position))
  const waitingPositions =
    mode === 'edit'
      ? keys.flatMap((_, index): Position[] =>
          isWaitingAt(index) ? [{ row: Math.floor(index / size.columns), column: index % size.columns }] : [],
        )
      : []

  const onNext = useStable((target: 'empty' | 'flagged') => {
    const startPosition = positionOf(document.activeElement) ?? { row: 0, column: -1 }
    const focusNextCell = (isWanted: (cellPosition: Position) => boolean): boolean => {
      const position = nextPlace(size, startPosition, isWanted)
      if (position === undefined) return false
      focusCell(frame.current, position)
      if (target === 'flagged') edits.ask(keyAt(position))
      return true
    }
    if (target === 'flagged') {
      const hiddenEdit = focusNextCell(isWaiting)
        ? undefined
        : edits.unsaved().find(({ state }) => waitingStates.includes(state))
      if (hiddenEdit) edits.setTarget(hiddenEdit.place)
      return
    }
    const isFree = (cellPosition: Position) => edits.get(keyAt(cellPosition)) === undefined
    // Price cells with a price on the day before come first.
    if (!focusNextCell((cellPosition) => kindOfCell(cellPosition) === 'gap' && isFree(cellPosition)))
      focusNextCell((cellPosition) => kindOfCell(cellPosition) === 'none' && isFree(cellPosition))
  })

  const carryPricesOver = useMutation({
    meta: { missed: t('message.notDone', { what: t('prices.asYesterday') }) },
    mutationFn: async (priceSpots: readonly PriceSpot[]) => {
      const ids = (idOf: (spot: PriceSpot) => number) => [...new Set(priceSpots.map(idOf))]
      const scope = {
        products: priceSpots.length > 0 ? ids(({ place }) => place.product) : products.map(({ id }) => id),
        districts: priceSpots.length > 0 ? ids(({ place }) => place.district) : districts.map(({ id }) => id),
      }
      const data = { to: pricedate.date, market_type: market, only_empty: true, ...scope }
      return (await callRoute('POST /api/pricelists/copy', { body: { data } })).data
    },
    onSuccess: ({ cells: carriedCells }) => {
      edits.applyCarried(carriedCells)
      showToast({ kind: 'success', title: t('prices.carriedOver', { count: carriedCells.length }) })
      void cache.invalidateQueries({ queryKey: ['resource', 'pricedates'] })
    },
  })
  const onCarry = useStable((priceSpots: readonly PriceSpot[]) => carryPricesOver.mutate(priceSpots))

  const setMarketOpen = useMutation({
    meta: { missed: t('message.notDone', { what: t('prices.closeMarket') }) },
    mutationFn: ({ district, isClosed }: { district: number; isClosed: boolean }) => {
      const no_market = isClosed ? { connect: [district] } : { disconnect: [district] }
      return callServer('PUT', `/pricedates/${record.id}`, { body: { data: { no_market } } })
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  const onMarket = useStable((district: number, isClosed: boolean) => setMarketOpen.mutate({ district, isClosed }))
  const questionPopup = useRef<HTMLDivElement>(null)
  const onQuestion = useStable(() => {
    const popup = questionPopup.current
    const answer = popup?.querySelector<HTMLElement>('[data-answer]') ?? popup?.querySelector<HTMLElement>('input')
    answer?.focus()
  })
  const onCorrect = useStable((priceSpot: PriceSpot) => {
    setCorrectedSpot(priceSpot)
    setCorrecting(true)
  })
  const onChosen = useStable((priceSpots: readonly PriceSpot[]) => {
    selectedSpots.current = priceSpots
  })
  const onChange = useStable(change)
  const onCarryAll = useStable(() =>
    carryPricesOver.mutate(selectedSpots.current.length > 1 ? selectedSpots.current : []),
  )
  const onNextFlagged = useStable(() => onNext('flagged'))
  useTargetCell(edits, grid, shown, change, frame)

  const isEmpty = size.rows === 0 || size.columns === 0
  return (
    <>
      <GridBar
        grid={grid}
        market={market}
        category={shown.category}
        tally={tally}
        waiting={waitingPositions.length}
        readOnly={mode !== 'edit'}
        note={isPublished ? <PublishedNote edits={edits} /> : null}
        isCarrying={carryPricesOver.isPending}
        onChange={onChange}
        onCarry={onCarryAll}
        onNext={onNextFlagged}
      />
      {grid.meta.more ? <p className="px-4 pb-2 text-sm text-muted">{t('prices.more')}</p> : null}
      {isEmpty ? (
        <EmptyState title={t('empty.noData')} text={t('prices.emptyTable')} />
      ) : (
        <div
          aria-busy={isPlaceholderData}
          className={cx(
            'flex min-h-0 flex-1 flex-col transition-opacity duration-(--dur-2)',
            isPlaceholderData && 'opacity-60',
          )}
        >
          <PriceTable
            // Another part of the day is another price table, which is entered at its first cell.
            key={`${market}/${grid.data.region}`}
            {...{
              grid,
              market,
              edits,
              mode,
              frame,
              colleagues,
              onNext,
              onQuestion,
              onCarry,
              onCorrect,
              onMarket,
              onChosen,
            }}
          />
          <GridFoot tally={tally} unsavedCount={edits.count('wrong', 'failed', 'clash')} readOnly={mode !== 'edit'} />
        </div>
      )}
      {mode === 'edit' ? (
        <SlipPopover
          edits={edits}
          frame={frame}
          popup={questionPopup}
          waiting={waitingPositions.flatMap((cellPosition) => {
            const [product, district] = [products[cellPosition.row], districts[cellPosition.column]]
            if (!product || !district) return []
            const [key, cell] = [keyAt(cellPosition), cells.get(keyAt(cellPosition))]
            const unit = cell?.unit ?? product.unit?.id ?? null
            const cellLocation = { market, region: grid.data.region, product: product.id, district: district.id, unit }
            const priceSpot = {
              key,
              place: cellLocation,
              cell,
              isClosed: district.no_market,
              name: `${product.name}, ${district.name}`,
            }
            return [{ spot: priceSpot, at: `${cellPosition.row}:${cellPosition.column}` }]
          })}
        />
      ) : null}
      {correctedSpot ? (
        <CorrectionDialog
          key={correctedSpot.key}
          spot={correctedSpot}
          pricedate={record.id}
          open={isCorrecting}
          onOpenChange={setCorrecting}
        />
      ) : null}
    </>
  )
}

/** Navigates to the requested price cell: to its part of the day first, then to the cell. */
function useTargetCell(
  edits: CellEdits,
  grid: GridAnswer,
  shownFilters: DayTableProps['shown'],
  change: DayTableProps['change'],
  frame: { current: HTMLElement | null },
): void {
  const { region, products, districts } = grid.data
  const target = useSyncExternalStore(edits.subscribe, edits.target)
  const goToTarget = useStable((cell: CellTarget) => {
    const row = products.findIndex(({ id }) => id === cell.product)
    const column = districts.findIndex(({ id }) => id === cell.district)
    const isInTable = shownFilters.market === cell.market && row >= 0 && column >= 0
    if (!isInTable) {
      const isRegion = cell.region === null || String(cell.region) === shownFilters.region || cell.region === region
      // The visible price table is complete and lacks the cell, so the cell no longer exists.
      if (isRegion && shownFilters.market === cell.market && shownFilters.category === undefined)
        return edits.setTarget(undefined)
      return change({ market: cell.market, region: String(cell.region ?? ''), category: undefined })
    }
    edits.setTarget(undefined)
    focusCell(frame.current, { row, column })
    const key = cellKey(cell.market, cell.product, cell.district)
    if (edits.get(key) || mustBeConfirmed(edits.figures(key, cellsByKey(grid, cell.market).get(key)))) edits.ask(key)
  })
  useEffect(() => {
    if (target) goToTarget(target)
  }, [target, goToTarget, products, districts])
}

function TableWaiting() {
  return (
    <DelayedContent>
      <Sheet hasPadding className={cx(sheetClass, 'gap-4')}>
        {Array.from({ length: 12 }, (_, row) => (
          <Skeleton key={row} className="h-8 w-full" />
        ))}
      </Sheet>
    </DelayedContent>
  )
}

function DayActions(props: OverviewProps) {
  const { screen, record } = props
  const { date, state } = record
  return (
    <>
      <DayNeighbours screen={screen} record={record} />
      {/* On a phone the head has space for the steps of the day only; the list of days has this link too. */}
      <span className="contents max-md:hidden">
        <ImportLink
          resource={resourceNamed('pricelists')}
          date={typeof date === 'string' ? date : undefined}
          // A published day is corrected, rarely imported: its head needs the space for the state.
          variant={state === 'published' ? 'icon' : 'button'}
        />
      </span>
      <DaySteps {...props} />
    </>
  )
}

export const dayOverview: OverviewSlots = {
  isDense: true,
  Overview: DayOverview,
  Line: DayLine,
  Actions: DayActions,
}
