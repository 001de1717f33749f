/** The rooms of the desk with their filters, or the messages that a search finds in them. */
import type { Screen } from '@dala/model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Plus from 'lucide-react/icons/plus'
import type { MouseEvent } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { newAddress } from '../../../resource/screen-address.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { roomsQuery } from '../chat-data.ts'
import { type DeskSearch, isDesk, hasRoomFilters, isStaff, listOf, clearFilters } from '../desk-search.ts'
import { MessageHits } from './message-hits.tsx'
import { NoticeSettings, SoundQuestion } from '../notices/notice-settings.tsx'
import { QueueBar } from '../outbox/queue-bar.tsx'
import type { Reader } from '../reader.ts'
import { RoomsFilters } from './filters.tsx'
import { RoomsList } from './list.tsx'

export interface RoomsPaneProps {
  screen: Screen
  reader: Reader
  search: DeskSearch
  chosen: number | undefined
  onChange: (changedSearch: DeskSearch) => void
}

const useRooms = (search: DeskSearch, reader: Reader) => useInfiniteQuery(roomsQuery(search, reader))

export function RoomsPane({ screen, reader, search, chosen, onChange }: RoomsPaneProps) {
  const t = useT()
  const locale = useLocale()
  const may = useMay(screen.resource)
  const listSearch = listOf(search)
  const rooms = useRooms(listSearch, reader)
  const [firstPage] = rooms.data?.pages ?? []
  return (
    <div className="flex min-h-0 min-w-0 flex-col border-line md:border-e">
      <div className="flex items-center gap-1 px-4 pt-3">
        <h1 className="flex min-w-0 flex-1 items-baseline gap-x-2 text-xl leading-tight font-semibold">
          {t('chatrooms.many')}
          {firstPage && search.in !== 'messages' ? (
            <span className="font-light text-muted">{formatNumber(locale, firstPage.pagination.total ?? 0)}</span>
          ) : null}
        </h1>
        {isDesk(reader) ? <NoticeSettings /> : null}
        {isStaff(reader) ? (
          <Link
            to={`/app/${screen.path}`}
            search={{ view: 'board' }}
            aria-label={t('chat.board')}
            data-tip={t('chat.board')}
            className={iconButtonClass}
          >
            <LayoutDashboard size={19} aria-hidden />
          </Link>
        ) : null}
        {may('create') ? (
          <Link
            {...newAddress(screen)}
            search={{ ...listSearch }}
            aria-label={t('chat.newTitle')}
            data-tip={t('chat.newTitle')}
            // The padding of the icon button is empty: the negative margin aligns its icon with the edge
            // below.
            className={`${iconButtonClass} -me-2`}
          >
            <Plus size={20} aria-hidden />
          </Link>
        ) : null}
      </div>
      <RoomsFilters
        reader={reader}
        search={listSearch}
        counts={firstPage?.counts}
        chosen={chosen}
        // The person pane stays open while the user filters the room list.
        onChange={(newSearch) => onChange({ ...newSearch, ...(search.person && { person: search.person }) })}
      />
      {isDesk(reader) ? <SoundQuestion /> : null}
      <QueueBar screen={screen} />
      <div
        className="flex min-h-0 flex-1 flex-col overflow-y-auto border-t border-line -outline-offset-2"
        aria-busy={rooms.isPlaceholderData}
        // Element of the pane that takes the focus when a focused element disappears.
        tabIndex={-1}
      >
        {search.in && search.q ? (
          <MessageHits
            screen={screen}
            reader={reader}
            q={search.q}
            search={listSearch}
            at={search.at}
            chosen={chosen}
          />
        ) : (
          <Rooms
            screen={screen}
            reader={reader}
            search={listSearch}
            chosen={chosen}
            rooms={rooms}
            onChange={onChange}
          />
        )}
      </div>
    </div>
  )
}

/** A button of the pane that disappears on press moves the focus to the room list. */
const restoreFocus = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })

interface RoomsProps extends RoomsPaneProps {
  rooms: ReturnType<typeof useRooms>
}

function Rooms({ rooms, screen, reader, search, chosen, onChange }: RoomsProps) {
  const t = useT()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = rooms
  const rows = data?.pages.flatMap(({ results }) => results) ?? []
  if (error && !data) {
    const status = error instanceof ApiError && error.status > 0 ? { status: error.status } : {}
    return (
      <FailureState
        title={t('chat.roomsFailed')}
        text={messageOfFailure(error)}
        {...status}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <WaitingRooms />
  if (rows.length === 0) {
    if (!hasRoomFilters(search)) return <EmptyState title={t('empty.noData')} text={t('chatrooms.about')} />
    return (
      <EmptyState
        title={t('empty.noData')}
        text={t('empty.noResults')}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {search.q ? (
              <Button
                kind="primary"
                onClick={(event) => {
                  restoreFocus(event)
                  onChange({ ...search, in: 'messages' })
                }}
              >
                {t('chat.searchMessages')}
              </Button>
            ) : null}
            <Button
              onClick={(event) => {
                restoreFocus(event)
                onChange(clearFilters(search))
              }}
            >
              {t('action.clearFilters')}
            </Button>
          </div>
        }
      />
    )
  }
  return (
    <RoomsList
      screen={screen}
      // A room that moved between two pages of the list during loading appears once.
      rooms={[...new Map(rows.map((room) => [room.id, room])).values()]}
      total={data.pages[0]?.pagination.total ?? rows.length}
      reader={reader}
      chosen={chosen}
      search={search}
      isFaded={rooms.isPlaceholderData}
      more={
        hasNextPage
          ? { load: () => void fetchNextPage(), busy: isFetchingNextPage, failed: isFetchNextPageError }
          : undefined
      }
    />
  )
}

function WaitingRooms() {
  return (
    <DelayedContent>
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
    </DelayedContent>
  )
}
