/** The messages of a room in one column, by days; the reader's place in them is kept. */
import { nameOfCard } from '../../api/error-toasts.ts'
import { useQuery } from '@tanstack/react-query'
import ArrowDown from 'lucide-react/icons/arrow-down'
import { useEffect, useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { dateToDay, formatLongDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import type { Message, OpenRoom, Person } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { type Day, firstUnreadOf, groupMessages } from './message-groups.ts'
import { MessageItem } from './message-item.tsx'
import { type ShownMessage, toShown } from './shown-message.ts'
import { dropOutgoing, type Outgoing, useOutbox } from './outbox.ts'
import { partnerOf } from './room-words.ts'
import { useSeen } from './use-seen.ts'
import { useThreadScroll } from './use-thread-scroll.ts'

export interface ThreadLogProps {
  room: OpenRoom
  reader: Reader
  messages: readonly Message[]
  /** The key of the outbox of this room. */
  outbox: string
  /** The revision of the room that the messages are of. */
  rev: number
  earlier: { load: () => void; busy: boolean; failed: boolean } | undefined
  /** Sends a failed message again; absent while the reader may not write. */
  onRetry: ((outgoing: Outgoing) => void) | undefined
}

export function ThreadLog({ room, reader, messages, outbox, rev, earlier, onRetry }: ThreadLogProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const outgoing = useOutbox(outbox)
  // What was new when the room was opened stays marked while it is open.
  const [opened] = useState(() => ({
    count: room.unread_message,
    newest: messages.at(-1)?.seq ?? undefined,
    first: firstUnreadOf(messages, reader.id, room.unread_message),
  }))
  const arrived = new Set(messages.flatMap(({ client_id }) => client_id ?? []))
  const arrivals = [...arrived].join()
  useEffect(() => dropOutgoing(outbox, new Set(arrivals.split(','))), [outbox, arrivals])

  const self: Person = {
    id: reader.id,
    username: me?.username ?? '',
    first_name: me?.name ?? null,
    last_name: me?.surname ?? null,
  }
  const waiting = outgoing.filter(({ clientId }) => !arrived.has(clientId)).map((each) => toShown(each, self))
  const shown: ShownMessage[] = [...messages, ...waiting]
  const [first, last] = [shown[0], shown.at(-1)]
  const { box, atEnd, fresh, onScroll, toEnd } = useThreadScroll({
    first: first?.id,
    last: last?.id,
    count: shown.length,
    isOwn: last?.sender.id === reader.id,
  })
  const newest = messages.at(-1)?.seq ?? undefined
  // Opening a room reads it; what comes while the reader is further up is read when he gets there.
  useSeen(room.id, atEnd || newest === opened.newest ? newest : undefined)

  const partner = partnerOf(room, reader.id)
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-label={t('chat.log', { name: partner ? nameOfCard(partner) : t('consultation.unassigned') })}
        // Keyboards scroll it.
        tabIndex={0}
        onScroll={onScroll}
        className="h-full overflow-y-auto overscroll-contain px-5 pb-4 -outline-offset-2 [overflow-anchor:none] max-md:px-3.5"
      >
        <div>
          {earlier ? (
            <div className="grid justify-items-center gap-1.5 pt-4">
              <Button busy={earlier.busy} onClick={earlier.load}>
                {t('chat.loadEarlier')}
              </Button>
              {earlier.failed ? <FieldError>{t('chat.messagesFailed')}</FieldError> : null}
            </div>
          ) : null}
          {shown.length === 0 ? <p className="py-10 text-center text-muted">{t('empty.noMessages')}</p> : null}
          {groupMessages(shown, opened.first).map((day) => (
            <DaySection
              key={day.day}
              day={day}
              unread={opened.count}
              room={room}
              reader={reader}
              rev={rev}
              onRetry={onRetry}
              outbox={outbox}
            />
          ))}
        </div>
      </div>
      {!atEnd && shown.length > 0 ? (
        <Button
          icon={<ArrowDown size={16} aria-hidden />}
          onClick={toEnd}
          className="absolute end-5 bottom-3 shadow-2 max-md:end-3.5"
        >
          {fresh > 0 ? t('chat.newCount', { count: fresh }) : t('chat.toEnd')}
        </Button>
      ) : null}
    </div>
  )
}

interface DayProps extends Pick<ThreadLogProps, 'room' | 'reader' | 'rev' | 'onRetry' | 'outbox'> {
  day: Day<ShownMessage>
  unread: number
}

function DaySection({ day: { day, turns }, unread, ...rest }: DayProps) {
  const t = useT()
  const now = useNow()
  const yesterday = dateToDay(new Date(now.getTime() - 86_400_000))
  const words =
    day === dateToDay(now) ? t('chat.today') : day === yesterday ? t('chat.yesterday') : formatLongDate(t, day)
  return (
    <section aria-label={words}>
      <div aria-hidden className="sticky top-0 z-1 flex justify-center py-2.5">
        <span className="rounded-full border border-line bg-surface px-3 py-0.5 text-sm text-muted">{words}</span>
      </div>
      <ol>
        {turns.map((turn) => (
          <li key={turn.message.id}>
            {turn.isFirstUnread ? (
              <div data-unread className="mt-4 flex items-center gap-3 text-sm font-semibold text-brand-text">
                <i aria-hidden className="h-px flex-1 bg-brand-ui" />
                {t('chat.newCount', { count: unread })}
                <i aria-hidden className="h-px flex-1 bg-brand-ui" />
              </div>
            ) : null}
            <MessageItem turn={turn} now={now} {...rest} />
          </li>
        ))}
      </ol>
    </section>
  )
}
