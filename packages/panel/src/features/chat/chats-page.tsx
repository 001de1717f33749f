/**
 * The chat desk: rooms, the thread of one of them, and the pane about the person; side by side if the width
 * allows.
 */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { nameOfCard } from '../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { useHasWidth } from '../../lib/hooks/use-has-width.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { roomQuery } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { partnerOf } from './rooms/room-text.ts'
import { NewRoom } from './rooms/new-room.tsx'
import { PersonPane } from './person/pane.tsx'
import { type DeskSearch, isStaff, listOf, readDeskSearch } from './desk-search.ts'
import { useDeskLive } from './live/desk-live.ts'
import { RoomsPane } from './rooms/pane.tsx'
import { Thread } from './thread/thread.tsx'
import { UnsentQuestion } from './outbox/unsent-question.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'

const BoardPage = lazyPart(async () => (await import('./board/board-page.tsx')).BoardPage)

/**
 * Minimum width of the thread, in pixels; if the person pane would reduce it, that pane becomes a page of its
 * own.
 */
const threadWidth = 640
const roomsWidth = 320
const personWidth = 280
const threePanesWidth = roomsWidth + threadWidth + personWidth

export interface ChatsPageProps {
  screen: Screen
  /** Id of the open chat room, `new`, or undefined while no room is chosen. */
  index?: string
}

export function ChatsPage({ screen, index }: ChatsPageProps) {
  const t = useT()
  const navigate = useNavigate()
  const search = readDeskSearch(useSearch({ strict: false }))
  const { data: me } = useQuery(meQuery)
  const onPhone = useMedia(phoneQuery)
  const [frame, fitsThreePanes] = useHasWidth(threePanesWidth)
  // A room opened by its address is for reading; a room chosen in the list is for writing.
  const [initialIndex] = useState(index)
  const room = index !== undefined && /^\d{1,10}$/.test(index) ? Number(index) : undefined
  const isPersonOpen = room !== undefined && (fitsThreePanes ? search.person !== 'closed' : search.person === 'open')
  useDocumentTitle(t('chatrooms.many'))
  useDeskLive(me?.id)
  if (!me) return null

  const { role, isConsultant } = callerRoleOf(me)
  const reader = { id: me.id, role, isConsultant }
  const change = (nextSearch: DeskSearch, replace = true) =>
    void navigate({ to: '.', search: { ...nextSearch }, replace })
  const list = listOf(search)
  const goToList = () => void navigate({ to: `/app/${screen.path}`, search: list })
  const togglePerson = () => {
    if (fitsThreePanes) change({ ...list, ...(isPersonOpen && { person: 'closed' }) })
    // In a window too narrow for three panes the person pane is a page of its own, and Back returns to the
    // thread.
    else change({ ...list, ...(!isPersonOpen && { person: 'open' }) }, isPersonOpen)
  }

  if (search.view === 'board' && index === undefined && isStaff(reader)) {
    return (
      <Suspense fallback={null}>
        <BoardPage screen={screen} />
      </Suspense>
    )
  }
  // Whether the person pane replaces the thread, in a window too narrow for both.
  const isPersonAlone = isPersonOpen && !fitsThreePanes
  const isRoomsShown = !onPhone || index === undefined
  return (
    <Sheet
      isStrip
      aria-label={t('chatrooms.many')}
      // On a phone the thread of messages fills the whole window.
      data-thread={isRoomsShown ? undefined : ''}
      className={cx(
        'mt-2 -mb-4 flex h-[calc(100dvh-var(--top-h)-var(--lines-h)-32px)] min-h-96 flex-col',
        'max-md:-mx-3.5 max-md:mt-0 max-md:rounded-none max-md:border-x-0',
        isRoomsShown
          ? 'max-md:mb-0 max-md:h-auto max-md:min-h-[calc(100dvh-var(--top-h)-var(--lines-h)-110px)]'
          : 'max-md:-mb-24 max-md:h-[calc(100dvh-var(--top-h)-var(--lines-h)-4px)] max-md:border-y-0',
      )}
    >
      {/* The listener for sent messages must be mounted before the first message is sent. */}
      <UnsentQuestion />
      {room === undefined ? null : <NameOfRoom id={room} reader={reader} />}
      <div
        ref={frame}
        className={cx(
          'grid min-h-0 flex-1 md:grid-cols-[280px_minmax(0,1fr)]',
          isPersonOpen && fitsThreePanes
            ? 'lg:grid-cols-[320px_minmax(640px,1fr)_280px]'
            : 'lg:grid-cols-[320px_minmax(0,1fr)]',
        )}
      >
        {isRoomsShown ? (
          <RoomsPane screen={screen} reader={reader} search={search} chosen={room} onChange={change} />
        ) : null}
        {index === undefined ? (
          onPhone ? null : (
            <div className="grid content-center overflow-y-auto">
              <EmptyState title={t('validation.selectChat')} />
            </div>
          )
        ) : room === undefined ? (
          <NewRoom screen={screen} reader={reader} onBack={onPhone ? goToList : undefined} />
        ) : isPersonAlone ? null : (
          <Thread
            key={`thread-${room}`}
            id={room}
            reader={reader}
            onBack={onPhone ? goToList : undefined}
            person={{ open: isPersonOpen, toggle: togglePerson }}
            isChosen={index !== initialIndex}
          />
        )}
        {isPersonOpen && room !== undefined ? (
          <PersonPane key={`person-${room}`} id={room} reader={reader} onClose={togglePerson} />
        ) : null}
      </div>
    </Sheet>
  )
}

/** Label of the last breadcrumb on the chat desk. */
function NameOfRoom({ id, reader }: { id: number; reader: Reader }) {
  const { data: room } = useQuery(roomQuery(id, useLocale()))
  const partner = room && partnerOf(room, reader.id)
  useNameRecord(partner ? nameOfCard(partner) : undefined)
  return null
}
