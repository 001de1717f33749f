/** The thread of one room: its head, its messages, and the composer. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { meQuery } from '../../../api/session.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { type OpenRoom, type RoomPerson, roomQuery } from '../chat-data.ts'
import { isStaff } from '../desk-search.ts'
import { HandOverNotice } from '../hand-over/handed-over.tsx'
import { firstUnreadOf } from './message-groups.ts'
import { dropOutgoingMessages, useOutbox } from '../outbox/outbox.ts'
import { OutgoingState } from '../outbox/outgoing-state.tsx'
import type { Reader } from '../reader.ts'
import type { RoomView } from '../live/room-view.ts'
import { outgoingToShown, storedToShown } from './shown-message.ts'
import { isRoomLost, removedRoomPermissions, roomPermissions } from '../room-permissions.ts'
import { ThreadHead } from './head.tsx'
import { ThreadLog } from './log.tsx'
import { setReplyTarget } from '../composer/use-reply-target.ts'
import { useRoomLog } from '../live/use-room-log.ts'
import { useSendMessage } from '../composer/use-send-message.ts'
import { WritingArea } from '../composer/writing-place.tsx'

export interface ThreadProps {
  id: number
  reader: Reader
  /** Returns to the list of rooms where the list is not beside the thread. */
  onBack: (() => void) | undefined
  person: { open: boolean; toggle: () => void }
  /** Whether the user chose the room in the list in order to write. */
  isChosen: boolean
}

export function Thread(props: ThreadProps) {
  const { id } = props
  const t = useT()
  const room = useQuery(roomQuery(id, useLocale()))
  const log = useRoomLog(id)
  const [isOpened, setOpened] = useState(false)
  const [isRetried, setRetried] = useState(false)

  const loadError = (!room.data && room.error) || (log.status === 'failed' && log.error)
  // The messages since the last visit of a room are known only after the first answers of this visit.
  const isKnown = room.data !== undefined && room.isFetchedAfterMount && log.status === 'ready' && log.isSynced
  const firstUnreadSeq = room.data?.first_unread_seq ?? undefined
  const isFar = firstUnreadSeq !== undefined && log.hasOlder && (log.messages[0]?.seq ?? 0) > firstUnreadSeq
  if (isKnown && !isFar && !isOpened) setOpened(true)
  const { loadAround } = log
  useEffect(() => {
    // More messages are unread than a page holds: the thread opens at the first of them.
    if (isKnown && isFar && !isOpened) loadAround(firstUnreadSeq).catch(() => setOpened(true))
  }, [isKnown, isFar, isOpened, firstUnreadSeq, loadAround])

  if (loadError && !isOpened) {
    const status = loadError instanceof ApiError && loadError.status > 0 ? { status: loadError.status } : {}
    const retryAllMessages = () => {
      setRetried(true)
      void room.refetch()
      log.retry()
    }
    return (
      <div className="min-h-0 overflow-y-auto">
        <FailureState
          title={t('chat.messagesFailed')}
          text={messageOfFailure(loadError)}
          {...status}
          onRetry={retryAllMessages}
        />
        <UnsentLeftovers room={id} />
      </div>
    )
  }
  if (!room.data || !isOpened) return <WaitingRooms />
  return (
    <OpenThread
      {...props}
      isGone={isRoomLost(room.error)}
      isChosen={props.isChosen || isRetried}
      room={room.data}
      log={log}
    />
  )
}

/** Shows unsent text of a room that cannot be opened (any more), to copy or to discard. */
function UnsentLeftovers({ room }: { room: number }) {
  const t = useT()
  const outgoingMessage = useOutbox(room).filter(({ state }) => state !== 'sent')
  if (outgoingMessage.length === 0) return null
  return (
    <ul aria-label={t('chat.draftKept')} className="mx-auto grid max-w-[68ch] gap-3 px-5 pb-6">
      {outgoingMessage.map((unsentMessage) => (
        <li key={unsentMessage.clientId}>
          <p className="rounded-2 border border-line bg-surface px-3.5 py-2 wrap-anywhere whitespace-pre-wrap">
            {unsentMessage.text}
          </p>
          <OutgoingState outgoingMessage={unsentMessage} onRetry={undefined} />
        </li>
      ))}
    </ul>
  )
}

interface OpenThreadProps extends ThreadProps {
  room: OpenRoom
  log: RoomView
  /** Notice that the room was assigned to another consultant while it was open. */
  isGone: boolean
}

function OpenThread({ reader, onBack, person, isChosen, room, log, isGone }: OpenThreadProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const { send, retry } = useSendMessage(reader.id, room.id)
  const outgoingMessage = useOutbox(room.id)
  const { messages } = log
  const [openingState] = useState(() => ({
    count: room.unread_message,
    first: firstUnreadMessage(room, log, reader.id),
  }))

  const arrivedClientIds = new Set(messages.flatMap(({ client_id }) => client_id ?? []))
  const isArrived = outgoingMessage.some(({ clientId }) => arrivedClientIds.has(clientId))
  useEffect(() => {
    if (isArrived) dropOutgoingMessages(new Set(messages.flatMap(({ client_id }) => client_id ?? [])))
  }, [isArrived, messages])

  const ownPerson: RoomPerson = {
    id: reader.id,
    username: me?.username ?? '',
    first_name: me?.name ?? null,
    last_name: me?.surname ?? null,
  }
  const waitingMessages = log.hasNewer ? [] : outgoingMessage.filter(({ clientId }) => !arrivedClientIds.has(clientId))
  const shownMessages = [
    ...messages.map(storedToShown),
    ...waitingMessages.map((unsentMessage) => outgoingToShown(unsentMessage, ownPerson)),
  ]
  const permissions = isGone ? removedRoomPermissions : roomPermissions(room, reader)
  return (
    <section className="flex min-h-0 min-w-0 flex-col" aria-label={t('chatrooms.one')}>
      <ThreadHead room={room} reader={reader} onBack={onBack} person={person} />
      {room.assignee?.id === reader.id && room.state !== 'closed' && !isGone ? (
        <HandOverNotice room={room.id} reader={reader.id} messages={messages} />
      ) : null}
      <ThreadLog
        room={room}
        reader={reader}
        log={log}
        shown={shownMessages}
        opened={openingState}
        // An observer from the staff does not mark messages as read (chat §5).
        mayMark={permissions.userSide !== 'desk' || !isStaff(reader)}
        focusesLog={isChosen && !permissions.mayWrite}
        onReply={permissions.mayWrite ? (message) => setReplyTarget(room.id, message) : undefined}
        // A user who may not write to the other side may still write notes.
        getRetry={(failedMessage) =>
          permissions.mayWrite || (failedMessage.kind === 'note' && permissions.mayNote)
            ? () => retry(failedMessage)
            : undefined
        }
      />
      <WritingArea
        room={room}
        reader={reader}
        permissions={permissions}
        isChosen={isChosen}
        onSend={(message) => {
          send(message)
          if (log.hasNewer) void log.loadNewest().catch(() => undefined)
        }}
      />
    </section>
  )
}

/** Message below the line that marks new messages in a thread. */
function firstUnreadMessage(
  { first_unread_seq: unreadSeq, unread_message }: OpenRoom,
  { messages }: RoomView,
  reader: number,
) {
  if (unreadSeq === undefined) return firstUnreadOf(messages, reader, unread_message)
  return messages.find(
    ({ seq, sender, kind }) => unreadSeq !== null && seq >= unreadSeq && sender.id !== reader && kind === 'message',
  )?.id
}

function WaitingRooms() {
  return (
    <DelayedContent>
      <div className="grid content-start gap-4" aria-hidden>
        <div className="flex items-center gap-3 border-b border-line px-4 py-2.5">
          <Skeleton className="size-9 rounded-2" />
          <Skeleton className="h-4 w-32" />
        </div>
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className="flex gap-3 px-5">
            <Skeleton className="size-9 rounded-2" />
            <Skeleton className={row % 2 ? 'h-14 w-1/2' : 'h-10 w-2/3'} />
          </div>
        ))}
      </div>
    </DelayedContent>
  )
}
