/** Which of what happens at the desk is told to the reader, and when he is left in peace (chat §5, notifications). */
import type { ChatMessage } from '@dala/model'
import type { DeskEvent } from './desk-events.ts'

type Choice = 'all' | 'mine' | 'none'

export interface Listener {
  id: number
  choice: Choice
  quietFrom: string | null
  quietTo: string | null
}

/** What is told: a message in a room, or a room that was given to the reader. */
export interface Notice {
  type: 'message' | 'assigned'
  room: number
  /** The message that the room is opened at. */
  seq?: number
  from?: ChatMessage['sender']
  text?: string | null
}

/** A line of the reader's inbox, as far as the desk looks at it. */
export interface InboxLine {
  id: number
  kind: string
  address: string | null
  readAt: string | null
}

/** What the server has found at the desk and said in the inbox: a room that nobody takes, one that came back. */
const heardKinds: readonly string[] = ['desk.waiting', 'desk.returned']

/** The newest line that was known; lines above it are new. */
export const newestOf = (inbox: readonly InboxLine[]): number => Math.max(0, ...inbox.map(({ id }) => id))

/** The new unread lines that ring: they are of rooms that nobody has, so only who wants none is left in peace. */
export function ringingLines<L extends InboxLine>(
  inbox: readonly L[],
  known: number,
  { choice }: Pick<Listener, 'choice'>,
): L[] {
  if (choice === 'none') return []
  return inbox.filter(({ id, kind, readAt }) => id > known && readAt === null && heardKinds.includes(kind))
}

const minutesOf = (clock: string): number | undefined => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** Whether a moment lies in the quiet hours, which may go over midnight. */
export function isQuiet({ quietFrom, quietTo }: Pick<Listener, 'quietFrom' | 'quietTo'>, now: Date): boolean {
  const from = minutesOf(quietFrom ?? '')
  const to = minutesOf(quietTo ?? '')
  if (from === undefined || to === undefined || from === to) return false
  const at = now.getHours() * 60 + now.getMinutes()
  return from < to ? at >= from && at < to : at >= from || at < to
}

/** What an event is told as; undefined for what is the reader's own, is none of his business or is no news. */
export function noticeOf(event: DeskEvent, { id, choice }: Pick<Listener, 'id' | 'choice'>): Notice | undefined {
  if (choice === 'none') return undefined
  if (event.type === 'assigned') return event.to === id ? { type: 'assigned', room: event.room } : undefined
  const { change, row, room } = event
  if (change.type !== 'created' || !row || row.sender.id === id) return undefined
  const { data } = change
  if ('deleted' in data) return undefined
  const isMine = (row.assignee ?? row.receiver)?.id === id
  if (!isMine && choice !== 'all') return undefined
  if ('partial' in data) {
    // One that is too long for the wire stands in the row with its beginning; a note does not, and is told without words.
    const last = row.last_message?.id === data.id ? row.last_message : undefined
    if (!last) return { type: 'message', room, seq: data.rev }
    if (last.sender === id) return undefined
    return { type: 'message', room, seq: data.rev, from: row.sender, text: last.text }
  }
  if (data.kind === 'system' || data.sender.id === id) return undefined
  return { type: 'message', room, seq: data.seq, from: data.sender, text: data.text }
}
