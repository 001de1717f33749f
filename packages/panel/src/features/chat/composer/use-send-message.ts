/** Queues messages: each is shown immediately, sent in order, and retried until the server has it. */
import type { ChatAttachment, QuotedMessage } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { enqueueMessage, type OutgoingMessage, retry } from '../core/queue.ts'
import type { WrittenKind } from './drafts.ts'
import { changeQueue, dropOutgoingMessages } from '../outbox/outbox.ts'
import { startSender } from '../outbox/sender.ts'
import { roomStoresOf } from '../live/use-room-log.ts'

export interface NewMessage {
  kind: WrittenKind
  text: string
  attachments: readonly ChatAttachment[]
  /** Id of the message that the new message answers. */
  replyTo: number | null
}

export interface SendMessage {
  send: (message: NewMessage) => void
  /** Sends a queued message again: one that failed, or one that has waited for longer than a day. */
  retry: (unsentMessage: OutgoingMessage) => void
  remove: (unsentMessage: OutgoingMessage) => void
}

export function useSendMessage(user: number, room: number): SendMessage {
  const cache = useQueryClient()
  useEffect(() => void startSender(cache, user), [cache, user])
  /** Quoted message, as the thread shows it until the server returns the quote. */
  const quoteMessage = (id: number | null): QuotedMessage | null => {
    const quotedMessage = roomStoresOf(cache)
      .get(room)
      ?.read()
      .messages.find((listedMessage) => listedMessage.id === id)
    return quotedMessage
      ? {
          id: quotedMessage.id,
          seq: quotedMessage.seq,
          sender: quotedMessage.sender,
          text: quotedMessage.text,
          kind: quotedMessage.kind,
        }
      : null
  }
  return {
    send: (message) => {
      const outgoingMessage = { ...message, clientId: crypto.randomUUID(), user, room, at: new Date().toISOString() }
      void changeQueue((queue) => enqueueMessage(queue, { ...outgoingMessage, quoted: quoteMessage(message.replyTo) }))
    },
    retry: ({ clientId }) => void changeQueue((queue) => retry(queue, clientId)),
    remove: ({ clientId }) => dropOutgoingMessages(new Set([clientId])),
  }
}
