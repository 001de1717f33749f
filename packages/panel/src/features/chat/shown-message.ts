/** A message as the thread shows it: one of the server, or one on its way to it. */
import type { Message, Person } from './chat-data.ts'
import type { Outgoing } from './outbox.ts'

export type ShownMessage = Pick<
  Message,
  'sender' | 'text' | 'kind' | 'seen' | 'attachments' | 'createdAt' | 'edited_at'
> & {
  id: number | string
  outgoing?: Outgoing
}

/** What is in the outbox, as a message of its writer. */
export function toShown(outgoing: Outgoing, sender: Person): ShownMessage {
  const { clientId, text, attachments, at } = outgoing
  const common = { kind: 'message', seen: false, edited_at: null } as const
  return { ...common, id: clientId, sender, text: text || null, attachments, createdAt: at, outgoing }
}
