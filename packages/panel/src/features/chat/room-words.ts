/** The words of a room's row. */
import { formatSpan, type Translate } from '../../lib/format.ts'
import type { Person, Room } from './chat-data.ts'

/** The other side of a room: the customer for the desk, the consultant for who asks. */
export function partnerOf(
  { sender, receiver, assignee }: Pick<Room, 'sender' | 'receiver' | 'assignee'>,
  reader: number,
): Person | null {
  return sender.id === reader ? (assignee ?? receiver) : sender
}

/** What was said last. */
export function lastWords(t: Translate, { last_message: last }: Pick<Room, 'last_message'>): string {
  if (!last) return t('empty.noMessages')
  return last.text ?? t('chat.lastPicture')
}

/** "waits 2 h", or nothing when nobody waits. */
export function waitingWords(
  t: Translate,
  { waiting_since: since }: Pick<Room, 'waiting_since'>,
  now: Date,
): string | undefined {
  return since ? t('chat.waits', { time: formatSpan(t, since, now) }) : undefined
}
