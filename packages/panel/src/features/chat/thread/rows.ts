/** The rows of a thread: messages, the days before them, and the line above new messages. */
import { isPicture } from '../chat-data.ts'
import { groupMessages } from './message-groups.ts'
import type { ShownMessage } from './shown-message.ts'

export type ThreadRow =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'unread'; key: string }
  | {
      kind: 'message'
      key: string
      message: ShownMessage
      /** Whether the message is the first of a run: it shows the sender and the time. */
      isHeaded: boolean
      day: string
      /** Position of the message in the thread, from 1. */
      position: number
    }

export interface ThreadRowsInput {
  messages: readonly ShownMessage[]
  firstUnread: number | string | undefined
  /**
   * Whether the room has earlier messages that are not loaded: the day of the first loaded one may begin
   * earlier.
   */
  hasOlder: boolean
  /**
   * Ids of the first messages of loaded pages: they keep their header, so nothing moves when earlier pages
   * load.
   */
  pageStarts: ReadonlySet<number | string>
}

/** Key of a message in the thread, which stays the same when the server has stored an unsent message. */
const keyOf = ({ id, sender, clientId }: ShownMessage): string =>
  clientId === null ? String(id) : `${sender.id}/${clientId}`

export function threadRows({ messages, firstUnread, hasOlder, pageStarts }: ThreadRowsInput): ThreadRow[] {
  const rows: ThreadRow[] = []
  let position = 0
  for (const { day, messageTurns: turns } of groupMessages(messages, firstUnread)) {
    if (rows.length > 0 || !hasOlder) rows.push({ kind: 'day', key: `day/${day}`, day })
    for (const { message, isHeaded, isFirstUnread } of turns) {
      position += 1
      if (isFirstUnread) rows.push({ kind: 'unread', key: 'unread' })
      rows.push({
        kind: 'message',
        key: keyOf(message),
        message,
        isHeaded: isHeaded || pageStarts.has(message.id),
        day,
        position,
      })
    }
  }
  return rows
}

/** Estimated height of a thread row before it is measured, close enough that the scroll bar hardly jumps. */
export function estimateRowHeight(row: ThreadRow | undefined): number {
  if (row?.kind !== 'message') return 48
  const { message, isHeaded } = row
  const lines = (message.text ?? '').split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 74), 0)
  const pictureCount = message.attachments.filter(isPicture).length
  const pictures = pictureCount === 1 ? 252 : Math.ceil(pictureCount / 4) * 136
  const documents = (message.attachments.length - pictureCount) * 54
  return (isHeaded ? 60 : 26) + lines * 25 + pictures + documents + (message.quoted ? 52 : 0)
}
