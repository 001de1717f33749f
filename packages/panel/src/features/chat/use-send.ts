/** Sends messages of a room one after the other; what fails stays in the outbox with the reason. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { type Attachment, chatKeys } from './chat-data.ts'
import { type Outgoing, outboxKey, putOutgoing } from './outbox.ts'

export function useSend(user: number, room: number) {
  const cache = useQueryClient()
  const key = outboxKey(user, room)
  const { mutate } = useMutation({
    // One at a time, so that they arrive in the order they were written.
    scope: { id: key },
    meta: { inPlace: true },
    mutationFn: ({ clientId, text, attachments }: Outgoing) =>
      call('POST', '/chatmessages', {
        body: { data: { room, text, client_id: clientId, ...(attachments.length > 0 && { attachments }) } },
      }),
    onSuccess: (_answer, { reason: _reason, ...outgoing }) => {
      putOutgoing(key, { ...outgoing, state: 'sent' })
      void cache.invalidateQueries({ queryKey: chatKeys.thread(room) })
      void cache.invalidateQueries({ queryKey: ['resource', 'chatrooms'] })
    },
    onError: (error, outgoing) => {
      putOutgoing(key, { ...outgoing, state: 'failed', reason: wordsOfFailure(error) })
      // Somebody else may have the room by now.
      void cache.invalidateQueries({ queryKey: chatKeys.room(room) })
    },
  })
  const sendOff = ({ reason: _reason, ...outgoing }: Outgoing) => {
    const sending: Outgoing = { ...outgoing, state: 'sending' }
    putOutgoing(key, sending)
    mutate(sending)
  }
  return {
    send: (text: string, attachments: Attachment[]) =>
      sendOff({ clientId: crypto.randomUUID(), text, attachments, at: new Date().toISOString(), state: 'sending' }),
    /** The same message once more. */
    retry: sendOff,
  }
}
