/** Chat message, as the thread shows it: a stored one, or an unsent one. */
import type { QuotedMessage } from '@dala/model'
import type { Message, RoomPerson } from '../chat-data.ts'
import type { OutgoingMessage } from '../core/queue.ts'

export type ShownMessage = Pick<
  Message,
  'text' | 'kind' | 'seen' | 'attachments' | 'createdAt' | 'edited_at' | 'quoted'
> & {
  id: number | string
  /** Position of the message in the room; an unsent message has no position yet. */
  seq: number | undefined
  clientId: string | null
  sender: RoomPerson
  outgoingMessage?: OutgoingMessage
  /** Chat message, as stored on the server. */
  stored?: Message
}

export function storedToShown(message: Message): ShownMessage {
  // Messages stored before quotes existed have no quote.
  const quotedMessage: QuotedMessage | null = message.quoted ?? null
  return { ...message, quoted: quotedMessage, clientId: message.client_id, stored: message }
}

/** Converts a message of the outbox for the thread. */
export function outgoingToShown(unsentMessage: OutgoingMessage, sender: RoomPerson): ShownMessage {
  const { clientId, text, attachments, at, kind, quoted } = unsentMessage
  const commonFields = { seq: undefined, seen: false, edited_at: null } as const
  return {
    ...commonFields,
    id: clientId,
    clientId,
    kind,
    quoted,
    sender,
    text: text || null,
    attachments: [...attachments],
    createdAt: at,
    outgoingMessage: unsentMessage,
  }
}
