/** What rooms, messages and their changes look like in the answers of the chat (contract §11, chat §4). */
import { type JsonSchema, locales } from '@dala/model'
import { exactly, json, listOf, schemaRef } from '../../http/description.ts'

export const text: JsonSchema = { type: 'string' }
export const whole: JsonSchema = { type: 'integer', minimum: 0 }
export const id: JsonSchema = { type: 'integer', minimum: 1 }
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

export const person = exactly({
  id,
  username: text,
  first_name: orNull(text),
  last_name: orNull(text),
  avatar: orNull(exactly({ id, url: orNull(text) })),
})
const lastMessage = exactly(
  { id, text: orNull({ ...text, description: 'Its beginning' }), kind: text, createdAt: text, sender: id },
  ['sender'],
)
export const room = exactly({
  id,
  room: { ...text, description: 'Key of its channel' },
  sender: person,
  receiver: orNull(person),
  unread_message: { ...whole, description: 'For whoever asks' },
  last_message: orNull(lastMessage),
  createdAt: text,
  updatedAt: text,
  rev: { ...whole, description: 'The last revision that whoever asks may know of' },
  assignee: orNull(person),
  state: { enum: ['open', 'waiting_customer', 'closed'] },
  waiting_since: orNull(text),
  warn_at: orNull(text),
  due_at: orNull(text),
  language: orNull({ enum: locales }),
  tags: listOf(exactly({ id, name: orNull(text), color: orNull(text) })),
})
const attachment = exactly({
  url: text,
  name: orNull(text),
  size: orNull({ type: 'number' }),
  width: orNull(whole),
  height: orNull(whole),
})
const kind: JsonSchema = { enum: ['message', 'note', 'system'] }
const deleted = exactly({ id, deleted: { const: true } })
export const message = exactly({
  id,
  room: id,
  sender: person,
  text: orNull(text),
  kind,
  client_id: orNull(text),
  seq: orNull(whole),
  seen: { type: 'boolean' },
  attachments: listOf(attachment),
  createdAt: text,
  updatedAt: text,
  reply_to: orNull(id),
  quoted: orNull({ oneOf: [exactly({ id, seq: whole, sender: person, text: orNull(text), kind }), deleted] }),
  edited_at: orNull(text),
})
export const counts = exactly(
  Object.fromEntries(['all', 'mine', 'unassigned', 'unread', 'waiting', 'breached'].map((name) => [name, whole])),
)
export const pagination = schemaRef('Pagination')
export const written = (meta: JsonSchema) => json(exactly({ data: schemaRef('chatmessages.Entry'), meta, rev: whole }))

/** A room that was moved, in its envelope. */
export const moved = json(exactly({ data: schemaRef('chatrooms.Entry'), meta: exactly({}), rev: whole }))
export const mark = json(exactly({ data: exactly({ room: id, unread_message: whole, last_read_seq: whole }) }))

const state: JsonSchema = { enum: ['open', 'waiting_customer', 'closed'] }
const change = (type: JsonSchema, data: JsonSchema) => exactly({ rev: whole, prev: whole, type, data })
export const changes = json(
  exactly({
    results: listOf({
      oneOf: [
        change({ enum: ['created', 'updated'] }, { oneOf: [message, deleted] }),
        change({ const: 'deleted' }, deleted),
        change({ const: 'state' }, exactly({ from: state, to: state, reason: orNull(text) })),
        change({ const: 'assigned' }, exactly({ from: orNull(id), to: orNull(id), note: orNull(text) })),
      ],
    }),
    rev: whole,
    complete: { type: 'boolean', description: 'Whether these are all' },
    reset: { type: 'boolean', description: 'Too far behind: forget the room and load its newest page' },
  }),
)
