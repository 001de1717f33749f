/** The messages of a room in one column; the list is virtualised, and the scroll position is preserved. */
import ArrowDown from 'lucide-react/icons/arrow-down'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import type { Message, OpenRoom } from '../chat-data.ts'
import type { OutgoingMessage } from '../core/queue.ts'
import type { Reader } from '../reader.ts'
import { partnerOf } from '../rooms/room-text.ts'
import type { RoomView } from '../live/room-view.ts'
import type { ShownMessage } from './shown-message.ts'
import { dayClass, ThreadRow, dayLabel } from './row.tsx'
import { threadRows } from './rows.ts'
import { readDeskSearch } from '../desk-search.ts'
import { useJump } from './use-jump.ts'
import { isFocusFree } from './focus.ts'
import { useNewMessages } from './use-new-messages.ts'
import { useThreadKeys } from './use-thread-keys.ts'
import { useThreadPlace } from './use-thread-place.ts'

export interface ThreadLogProps {
  room: OpenRoom
  reader: Reader
  log: RoomView
  /** Loaded messages of the log, followed by unsent messages. */
  shown: readonly ShownMessage[]
  /** Unread messages at the time the room was opened; the mark above them stays. */
  opened: { count: number; first: number | string | undefined }
  /** Whether messages that the user reads in this thread count as read. */
  mayMark: boolean
  /** Whether the log takes the focus: the user has chosen the room, but may not write in it. */
  focusesLog: boolean
  onReply: ((message: Message) => void) | undefined
  /** Returns the function that retries a failed message; undefined when the user may not send the message. */
  getRetry: (unsentMessage: OutgoingMessage) => (() => void) | undefined
}

export function ThreadLog({
  room,
  reader,
  log,
  shown,
  opened,
  mayMark,
  focusesLog,
  onReply,
  getRetry,
}: ThreadLogProps) {
  const t = useT()
  const now = useNow()
  const { hasOlder, hasNewer, loadingPage, hasPagingFailed, pageStarts } = log
  // The rows are memoized: the log renders at every scroll step, and a room may have ten thousand messages.
  const firstUnread = opened.first
  const rows = useMemo(
    () => threadRows({ messages: shown, firstUnread, hasOlder, pageStarts }),
    [shown, firstUnread, hasOlder, pageStarts],
  )
  const lastShown = shown.at(-1)
  const isFree = loadingPage === undefined && !hasPagingFailed
  const threadScroll = useThreadPlace({
    rows,
    isWhole: !hasNewer,
    isOwn: lastShown?.sender.id === reader.id,
    newestMessage: lastShown?.clientId ?? lastShown?.id.toString(),
    loadOlder: hasOlder && isFree ? log.loadOlder : undefined,
    loadNewer: hasNewer && isFree ? log.loadNewer : undefined,
  })
  const { box, virtualizer, isAtEnd, topDay } = threadScroll
  const activeMessage = useThreadKeys(box)
  const { found, jump, toNewest } = useJump(room.id, log, threadScroll)
  // Links of a search and of a notification name the message at which the thread opens.
  const { at } = readDeskSearch(useSearch({ strict: false }))
  const goTo = useEffectEvent((seq: number) => jump(seq))
  useEffect(() => {
    if (at !== undefined) goTo(at)
  }, [at])
  const { fresh, announcement } = useNewMessages(room.id, reader.id, log.messages, {
    isAtEnd,
    mayMark,
    lastSeq: room.last_seq ?? 0,
  })

  useEffect(() => {
    if (!focusesLog) return
    // The log of messages takes the focus after the page has set its own, also when a reassigned room hides
    // the composer.
    const frame = requestAnimationFrame(() => {
      if (isFocusFree()) box.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [focusesLog, box])

  const partner = partnerOf(room, reader.id)
  const setSize = hasOlder || hasNewer ? -1 : shown.length
  const focusableId = shown.some(({ id }) => String(id) === activeMessage)
    ? activeMessage
    : lastShown && String(lastShown.id)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* The day of the topmost visible message has a separate line: over the messages it would cover their
          text. */}
      <p aria-hidden className="flex h-9 shrink-0 items-center justify-center">
        {topDay ? <span className={dayClass}>{dayLabel(t, topDay, now)}</span> : null}
      </p>
      <div
        ref={box}
        role="log"
        // Rows of the thread appear and disappear while scrolling; the line below announces new messages.
        aria-live="off"
        aria-label={t('chat.log', { name: partner ? nameOfCard(partner) : t('consultation.unassigned') })}
        // The log of messages can be scrolled by keyboard.
        tabIndex={0}
        onScroll={threadScroll.onScroll}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none]"
      >
        {shown.length === 0 ? <p className="py-10 text-center text-muted">{t('empty.noMessages')}</p> : null}
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          {shown.length === 0 ? null : hasOlder ? (
            <div className="absolute inset-x-0 top-0 flex items-center justify-center gap-3 pt-2">
              <Button isBusy={loadingPage === 'older'} onClick={log.loadOlder}>
                {t('chat.loadEarlier')}
              </Button>
              {hasPagingFailed ? <FieldError>{t('chat.messagesFailed')}</FieldError> : null}
            </div>
          ) : (
            <p className="absolute inset-x-0 top-0 pt-5 text-center text-sm text-muted">{t('chat.beginning')}</p>
          )}
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]
            return row ? (
              <ThreadRow
                key={key}
                row={row}
                index={index}
                start={start}
                measure={virtualizer.measureElement}
                unread={opened.count}
                setSize={setSize}
                room={room}
                reader={reader}
                rev={log.rev}
                marks={log.marks}
                now={now}
                activeMessage={focusableId}
                found={found}
                mayMark={mayMark}
                onJump={jump}
                onReply={onReply}
                getRetry={getRetry}
              />
            ) : null
          })}
        </div>
      </div>
      <output className="sr-only">{announcement}</output>
      {isAtEnd || shown.length === 0 ? null : (
        <Button
          icon={<ArrowDown size={16} aria-hidden />}
          onClick={() => {
            toNewest()
            // The button that scrolls to the newest message disappears at the end of the log, so the log
            // takes the focus.
            box.current?.focus({ preventScroll: true })
          }}
          className="absolute end-5 bottom-3 shadow-2 max-md:end-3.5"
        >
          {fresh > 0 ? t('chat.newCount', { count: fresh }) : t('chat.toEnd')}
        </Button>
      )}
    </div>
  )
}
