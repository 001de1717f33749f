/** A message as the thread shows it: one of the server, or one on its way to it. */
import type { QuotedMessage } from '@dala/model'
import type { Message, Person } from '../chat-data.ts'
import type { Outgoing } from '../core/queue.ts'

export type ShownMessage = Pick<
  Message,
  'text' | 'kind' | 'seen' | 'attachments' | 'createdAt' | 'edited_at' | 'quoted'
> & {
  id: number | string
  /** Its place in the room; one that is on its way has none yet. */
  seq: number | undefined
  clientId: string | null
  sender: Person
  outgoing?: Outgoing
  /** As the server has it. */
  stored?: Message
}

export function toStored(message: Message): ShownMessage {
  // Messages of before quotes were told have none.
  const quoted: QuotedMessage | null = message.quoted ?? null
  return { ...message, quoted, clientId: message.client_id, stored: message }
}

/** What is in the outbox, as a message of its writer. */
export function toShown(outgoing: Outgoing, sender: Person): ShownMessage {
  const { clientId, text, attachments, at, kind, quoted } = outgoing
  const common = { seq: undefined, seen: false, edited_at: null } as const
  return {
    ...common,
    id: clientId,
    clientId,
    kind,
    quoted,
    sender,
    text: text || null,
    attachments: [...attachments],
    createdAt: at,
    outgoing,
  }
}
