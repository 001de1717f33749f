/** The rows of a thread: messages, the days before them, and the line above what is new. */
import { groupMessages } from './message-groups.ts'
import type { ShownMessage } from './shown-message.ts'

export type ThreadRow =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'unread'; key: string }
  | {
      kind: 'message'
      key: string
      message: ShownMessage
      /** The first of a run: who wrote it, and when, stands above. */
      isHeaded: boolean
      day: string
      /** Its place among the messages, from 1. */
      place: number
    }

export interface RowsOf {
  messages: readonly ShownMessage[]
  firstUnread: number | string | undefined
  /** Earlier messages are not loaded: which day the first one begins is not known. */
  hasOlder: boolean
  /** The first messages of the pages as they came: they keep their header, so that nothing moves when others come before. */
  joints: ReadonlySet<number | string>
}

/** A key that stays when a message on its way arrives. */
const keyOf = ({ id, sender, clientId }: ShownMessage): string =>
  clientId === null ? String(id) : `${sender.id}/${clientId}`

export function threadRows({ messages, firstUnread, hasOlder, joints }: RowsOf): ThreadRow[] {
  const rows: ThreadRow[] = []
  let place = 0
  for (const { day, turns } of groupMessages(messages, firstUnread)) {
    if (rows.length > 0 || !hasOlder) rows.push({ kind: 'day', key: `day/${day}`, day })
    for (const { message, isHeaded, isFirstUnread } of turns) {
      place += 1
      if (isFirstUnread) rows.push({ kind: 'unread', key: 'unread' })
      rows.push({
        kind: 'message',
        key: keyOf(message),
        message,
        isHeaded: isHeaded || joints.has(message.id),
        day,
        place,
      })
    }
  }
  return rows
}

/** How high a row may be before it is measured: near enough that the thumb of the scroll bar hardly moves. */
export function likelyHeight(row: ThreadRow | undefined): number {
  if (row?.kind !== 'message') return 48
  const { message, isHeaded } = row
  const lines = (message.text ?? '').split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 74), 0)
  const pictures = message.attachments.length === 1 ? 252 : Math.ceil(message.attachments.length / 4) * 136
  return (isHeaded ? 60 : 26) + lines * 25 + pictures + (message.quoted ? 52 : 0)
}
