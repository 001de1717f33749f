/** Texts for the row of a room in the list. */
import type { Translate } from '../../../lib/format.ts'
import type { OpenRoom, RoomPerson, Room } from '../chat-data.ts'

/** The other side of a room: the customer for the desk, the consultant for the customer. */
export function partnerOf(
  { sender, receiver, assignee }: Pick<OpenRoom, 'sender' | 'receiver' | 'assignee'>,
  reader: number,
): RoomPerson | null {
  return sender.id === reader ? (assignee ?? receiver) : sender
}

/** Text for the last message of a room. */
export function lastMessageText(t: Translate, { last_message: lastMessage }: Pick<Room, 'last_message'>): string {
  if (!lastMessage) return t('empty.noMessages')
  return lastMessage.text ?? t('chat.lastAttachment')
}
