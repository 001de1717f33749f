/** The list of rooms: arrow keys move in it, more rooms load near its end, and long lists are virtualised. */
import type { Screen } from '@dala/model'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import type { Room } from '../chat-data.ts'
import type { DeskSearch } from '../desk-search.ts'
import type { Reader } from '../reader.ts'
import { RoomRow } from './row.tsx'

/**
 * Maximum length of a list that is rendered whole: the browser's find works in it, and no row is measured.
 */
const maxPlainRows = 120
/** Estimated height of a row with three lines, in pixels; the real height is measured. */
const estimatedRowHeight = 84

export interface RoomsListProps {
  screen: Screen
  rooms: readonly Room[]
  total: number
  reader: Reader
  chosen: number | undefined
  search: DeskSearch
  isFaded: boolean
  more: { load: () => void; busy: boolean; failed: boolean } | undefined
}

export function RoomsList({ screen, rooms, total, reader, chosen, search, isFaded, more }: RoomsListProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const pendingFocusId = useRef<number | null>(null)
  const [tabStopId, setTabStopId] = useState<number | undefined>(undefined)
  const isLong = rooms.length > maxPlainRows
  const virtualizer = useVirtualizer({
    count: isLong ? rooms.length : 0,
    getScrollElement: () => box.current,
    estimateSize: () => estimatedRowHeight,
    overscan: 8,
    getItemKey: (index) => rooms[index]?.id ?? index,
  })
  const hasRoom = (id: number | undefined) => id !== undefined && rooms.some((room) => room.id === id)
  const focusableId = hasRoom(tabStopId) ? tabStopId : hasRoom(chosen) ? chosen : rooms[0]?.id

  const focusPendingRoom = () => {
    if (pendingFocusId.current === null) return
    const row = box.current?.querySelector<HTMLElement>(`[data-room="${pendingFocusId.current}"]`)
    if (!row) return
    pendingFocusId.current = null
    row.focus()
  }
  // A distant row is rendered only after the room list has scrolled to it, so the focus is tried after each
  // render.
  useLayoutEffect(focusPendingRoom)

  const focusIndex = (index: number) => {
    const room = rooms[index]
    if (!room) return
    pendingFocusId.current = room.id
    setTabStopId(room.id)
    if (isLong) virtualizer.scrollToIndex(index)
    focusPendingRoom()
  }
  const handleKey = (event: KeyboardEvent) => {
    const focusedIndex = rooms.findIndex(({ id }) => id === focusableId)
    const newIndex = { ArrowDown: focusedIndex + 1, ArrowUp: focusedIndex - 1, Home: 0, End: rooms.length - 1 }[
      event.key
    ]
    if (newIndex === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    focusIndex(Math.min(Math.max(newIndex, 0), rooms.length - 1))
  }

  const keys = {
    onKeyDown: handleKey,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const id = Number(target.dataset['room'])
      if (id) setTabStopId(id)
    },
  }

  // Load more rooms without a button: the end of five hundred rooms would take seventeen presses.
  const load = more && !more.busy && !more.failed ? more.load : undefined
  useEffect(() => {
    const element = end.current
    if (!load || !element || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), {
      root: box.current,
      rootMargin: '600px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [load])

  const rowOf = (room: Room) => (
    <RoomRow
      screen={screen}
      room={room}
      reader={reader}
      isChosen={room.id === chosen}
      isStop={room.id === focusableId}
      search={search}
    />
  )
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul
        aria-label={t('chatrooms.many')}
        data-rooms
        {...keys}
        className={cx('relative transition-opacity duration-(--dur-2)', isFaded && 'opacity-60')}
        style={isLong ? { height: virtualizer.getTotalSize() } : undefined}
      >
        {isLong
          ? virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const room = rooms[index]
              return room ? (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  aria-posinset={index + 1}
                  aria-setsize={total}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {rowOf(room)}
                </li>
              ) : null
            })
          : rooms.map((room) => <li key={room.id}>{rowOf(room)}</li>)}
      </ul>
      {more ? (
        <div ref={end} className="grid justify-items-center gap-1 p-3">
          <Button isBusy={more.busy} onClick={more.load}>
            {t(more.failed ? 'action.retry' : 'chat.loadMore')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
