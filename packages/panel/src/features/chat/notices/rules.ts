/**
 * Rules that decide which chat events notify the user, and when quiet hours apply (chat §5, notifications).
 */
import { type ChatMessage, type QuietHours, quietMinutesLeft } from '@dala/model'
import type { DeskEvent } from './desk-events.ts'

type NoticeChoice = 'all' | 'mine' | 'none'

export interface NoticeRecipient extends QuietHours {
  id: number
  choice: NoticeChoice
}

/** A notification: a message in a room, or a room that was assigned to the user. */
export interface Notice {
  type: 'message' | 'assigned'
  room: number
  /** `seq` of the message that the notified room opens at. */
  seq?: number
  from?: ChatMessage['sender']
  text?: string | null
}

/** Fields of an inbox line that the chat desk reads. */
export interface InboxLine {
  id: number
  kind: string
  address: string | null
  readAt: string | null
}

/** Inbox kinds that the server creates for the desk: a room nobody takes, and a room that was returned. */
const ringingKinds: readonly string[] = ['desk.waiting', 'desk.returned']

/** Id of the newest known inbox line; lines with a higher id are new. */
export const newestOf = (inbox: readonly InboxLine[]): number => Math.max(0, ...inbox.map(({ id }) => id))

/**
 * New unread inbox lines that ring. They are about unassigned rooms, so only a user who wants no
 * notifications is left out.
 */
export function ringingLines<L extends InboxLine>(
  inbox: readonly L[],
  lastSeenId: number,
  { choice }: Pick<NoticeRecipient, 'choice'>,
): L[] {
  if (choice === 'none') return []
  return inbox.filter(({ id, kind, readAt }) => id > lastSeenId && readAt === null && ringingKinds.includes(kind))
}

/** Returns whether a time is inside the user's quiet hours, by the clock of this device. */
export const isQuiet = (hours: QuietHours, now: Date): boolean =>
  quietMinutesLeft(hours, now.getHours() * 60 + now.getMinutes()) > 0

/**
 * The notification of an event; undefined for the user's own messages, for rooms they do not follow, and for
 * other changes.
 */
export function noticeOf(event: DeskEvent, { id, choice }: Pick<NoticeRecipient, 'id' | 'choice'>): Notice | undefined {
  if (choice === 'none') return undefined
  if (event.type === 'assigned') return event.to === id ? { type: 'assigned', room: event.room } : undefined
  const { change, row, room } = event
  if (change.type !== 'created' || !row || row.sender.id === id) return undefined
  const { data } = change
  if ('deleted' in data) return undefined
  const isMine = (row.assignee ?? row.receiver)?.id === id
  if (!isMine && choice !== 'all') return undefined
  if ('partial' in data) {
    // A message too long for its event is announced with its beginning from the room's row; a note without
    // text.
    const lastMessage = row.last_message?.id === data.id ? row.last_message : undefined
    if (!lastMessage) return { type: 'message', room, seq: data.rev }
    if (lastMessage.sender === id) return undefined
    return { type: 'message', room, seq: data.rev, from: row.sender, text: lastMessage.text }
  }
  if (data.kind === 'system' || data.sender.id === id) return undefined
  return { type: 'message', room, seq: data.seq, from: data.sender, text: data.text }
}
