/** The rooms of the desk with their segments, search, order and filters; more of them come by a button. */
import type { Screen } from '@dala/model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { ApiError } from '../../api/api-error.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { newAddress } from '../../resource/screen-address.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureState } from '../../ui/failure-state.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { Delayed, Skeleton } from '../../ui/skeleton.tsx'
import { roomsQuery } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { type DeskSearch, isNarrowed, isStaff, scopes } from './desk-search.ts'
import { RoomRow } from './room-row.tsx'
import { RoomsFilters } from './rooms-filters.tsx'

export interface RoomsPaneProps {
  screen: Screen
  reader: Reader
  search: DeskSearch
  chosen: number | undefined
  onChange: (next: DeskSearch) => void
}

export function RoomsPane({ screen, reader, search, chosen, onChange }: RoomsPaneProps) {
  const t = useT()
  const locale = useLocale()
  const may = useMay(screen.resource)
  const {
    data,
    error,
    isPlaceholderData,
    refetch,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
  } = useInfiniteQuery(roomsQuery(search, reader))
  const [first] = data?.pages ?? []
  const rooms = data?.pages.flatMap(({ results }) => results) ?? []
  const { person: _person, ...kept } = search
  return (
    <div className="flex min-h-0 min-w-0 flex-col border-line md:border-e">
      <div className="flex items-center gap-2 px-4 pt-3">
        <h1 className="flex min-w-0 flex-1 items-baseline gap-x-2 text-xl leading-tight font-semibold">
          {t('chatrooms.many')}
          {first ? <span className="font-light text-muted">{formatNumber(locale, first.pagination.total)}</span> : null}
        </h1>
        {isStaff(reader) ? (
          <Select
            look="filter"
            aria-label={t('chat.scope')}
            value={search.scope ?? 'all'}
            onValueChange={(value) => {
              const { scope: _scope, ...rest } = search
              onChange(value === 'mine' ? { ...rest, scope: value } : rest)
            }}
            choices={scopes.map((value) => ({ value, label: t(`chat.scope.${value}`) }))}
          />
        ) : null}
        {may('create') ? (
          <Link
            {...newAddress(screen)}
            search={kept}
            aria-label={t('chat.newTitle')}
            data-tip={t('chat.newTitle')}
            // Its own edge is empty: the sign stands above the edge of what follows.
            className={`${iconButtonClass} -me-2`}
          >
            <Plus size={20} aria-hidden />
          </Link>
        ) : null}
      </div>
      <RoomsFilters reader={reader} search={search} counts={first?.counts} onChange={onChange} />
      <div
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-t border-line"
        aria-busy={isPlaceholderData}
      >
        {error && !data ? (
          <FailureState
            title={t('chat.roomsFailed')}
            text={wordsOfFailure(error)}
            {...(error instanceof ApiError && error.status > 0 ? { status: error.status } : {})}
            onRetry={() => void refetch()}
          />
        ) : data ? (
          rooms.length > 0 ? (
            <>
              <ul className={cx('transition-opacity duration-(--dur-2)', isPlaceholderData && 'opacity-60')}>
                {rooms.map((room) => (
                  <RoomRow
                    key={room.id}
                    screen={screen}
                    room={room}
                    reader={reader}
                    isChosen={room.id === chosen}
                    search={kept}
                  />
                ))}
              </ul>
              {hasNextPage ? (
                <div className="grid justify-items-center gap-1 p-3">
                  <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    {t(isFetchNextPageError ? 'action.retry' : 'chat.loadMore')}
                  </Button>
                </div>
              ) : null}
            </>
          ) : isNarrowed(search) ? (
            <EmptyState
              title={t('empty.noData')}
              text={t('empty.noResults')}
              action={
                <Button
                  onClick={() =>
                    onChange({
                      ...(search.scope && { scope: search.scope }),
                      ...(search.sort && { sort: search.sort }),
                    })
                  }
                >
                  {t('action.clearFilters')}
                </Button>
              }
            />
          ) : (
            <EmptyState title={t('empty.noData')} text={t('chatrooms.about')} />
          )
        ) : (
          <Waiting />
        )}
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <Delayed>
      <div aria-hidden>
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex gap-3 border-b border-line px-4 py-3">
            <Skeleton className="size-9 rounded-2" />
            <div className="grid flex-1 content-center gap-2">
              <Skeleton className="h-3.5 w-1/2" />
              <Skeleton className="h-3 w-4/5" />
            </div>
          </div>
        ))}
      </div>
    </Delayed>
  )
}
