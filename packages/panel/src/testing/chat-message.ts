/** Makes a message of a chat room for tests: by default the first one of a user called Aybek. */
import type { ChatMessage } from '@dala/model'

export const aybek = { id: 5, username: 'Aybek', first_name: null, last_name: null, avatar: null }

export const chatMessage = (seq: number, changes: Partial<ChatMessage> = {}): ChatMessage => ({
  id: 100 + seq,
  room: 1,
  sender: aybek,
  text: `m${seq}`,
  kind: 'message',
  client_id: null,
  seq,
  seen: false,
  attachments: [],
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
  reply_to: null,
  quoted: null,
  edited_at: null,
  ...changes,
})
