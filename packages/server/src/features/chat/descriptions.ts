/** What the routes of rooms and messages say of themselves (contract §11). */
import { type ErrorCode, type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type QueryKey, schemaRef } from '../../http/description.ts'

const group = 'Chat'
const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const id: JsonSchema = { type: 'integer', minimum: 1 }
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

const person = exactly({
  id,
  username: text,
  first_name: orNull(text),
  last_name: orNull(text),
  avatar: orNull(exactly({ id, url: orNull(text) })),
})
const lastMessage = exactly({ id, text: orNull(text), kind: text, createdAt: text })
const room = exactly({
  id,
  room: { ...text, description: 'Key of its channel' },
  sender: person,
  receiver: orNull(person),
  unread_message: { ...whole, description: 'For whoever asks' },
  last_message: orNull(lastMessage),
  createdAt: text,
  updatedAt: text,
  rev: whole,
  assignee: orNull(person),
  state: { enum: ['open', 'waiting_customer', 'closed'] },
  waiting_since: orNull(text),
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
const message = exactly({
  id,
  room: id,
  sender: person,
  text: orNull(text),
  kind: { enum: ['message', 'note', 'system'] },
  client_id: orNull(text),
  seq: orNull(whole),
  seen: { type: 'boolean' },
  attachments: listOf(attachment),
  createdAt: text,
  updatedAt: text,
  reply_to: orNull(id),
  edited_at: orNull(text),
})
const counts = exactly(
  Object.fromEntries(['all', 'mine', 'unassigned', 'unread', 'waiting', 'breached'].map((name) => [name, whole])),
)
const pagination = schemaRef('Pagination')
const written = (meta: JsonSchema) => json(exactly({ data: schemaRef('chatmessages.Entry'), meta, rev: whole }))

const reading: readonly ErrorCode[] = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
]
const wrongValues: readonly ErrorCode[] = ['access.denied', 'request.unprocessable', 'query.parameter', 'query.value']
const key = (name: string, description: string, schema: JsonSchema = text): QueryKey => ({ name, description, schema })
const body = (properties: Record<string, JsonSchema>, required: readonly string[] = []) =>
  json({
    type: 'object',
    properties: { data: { type: 'object', properties, ...(required.length > 0 && { required }) } },
    required: ['data'],
  })
const everybody = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
const members = {
  authenticated: 'bounded',
  consultant: 'bounded',
  admin: 'bounded',
  'super-admin': 'bounded',
  owner: 'bounded',
}

export const chatDescriptions: Descriptions = {
  'GET /api/chatrooms': {
    group,
    id: 'chatrooms.list',
    summary: 'List the rooms one may read',
    query: [
      { ...key('filters', 'Conditions on the rooms', schemaRef('chatrooms.Filters')) },
      'search',
      'sort',
      'pagination',
    ],
    answers: { 200: json(exactly({ results: listOf(room), pagination })) },
    refusals: reading,
    roles: everybody,
  },
  'GET /api/get_customized_rooms': {
    group,
    id: 'chatrooms.listOwn',
    summary: 'List one’s own rooms, newest first, with counts of all of them',
    details: 'For a consultant the rooms that nobody has are among them.',
    query: [
      key('filters', 'unread, assignee (an id, `me` or `none`), state, region, language, waiting_over (minutes)', {
        type: 'object',
      }),
      key('q', 'Text in the names of the people or in the last message'),
      key('sort', 'Longest waiting, newest message or unread first', { enum: ['waiting', 'latest', 'unread'] }),
      'pagination',
    ],
    answers: { 200: json(exactly({ results: listOf(room), pagination, counts })) },
    refusals: reading,
    roles: members,
  },
  'POST /api/chatrooms': {
    group,
    id: 'chatrooms.open',
    summary: 'Open the room of two people',
    details: 'A pair has one room: it is answered when it is there already. Without `sender` the caller asks.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: body({ sender: {}, receiver: {}, assignee: {}, region: {}, category: {}, language: {}, tags: {} }),
    answers: { 200: json(schemaRef('chatrooms.Single')) },
    refusals: [...wrongValues, 'chat.not-your-voice', 'desk.no-consultant', 'request.key-reused'],
    roles: everybody,
  },
  'POST /api/chatrooms/:id/assign': {
    group,
    id: 'chatrooms.assign',
    summary: 'Take a room, or hand it over with a note',
    details:
      'A consultant takes what nobody has; its owner and staff hand it over. `to` null gives it back to the receiver. When `from` is not the owner any more, 409 names the present one.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: body({ to: {}, from: {}, note: text }, ['to']),
    answers: { 200: json(schemaRef('chatrooms.Single')) },
    refusals: [
      ...wrongValues,
      'record.not-found',
      'record.stale',
      'desk.taken',
      'desk.no-consultant',
      'request.key-reused',
    ],
    roles: members,
  },
  'GET /api/seen_messages': {
    group,
    id: 'chatmessages.markSeen',
    summary: 'Mark the messages of a room as read',
    details: 'The mark only rises; the same call again changes nothing.',
    query: [
      key('room', 'Id of the room', id),
      key('upTo', 'Up to the message with this `seq`, the last one when absent', whole),
    ],
    answers: { 200: json(exactly({ data: exactly({ room: id, unread_message: whole, last_read_seq: whole }) })) },
    refusals: [...wrongValues, 'record.not-found', 'access.viewing'],
    roles: everybody,
  },
  'GET /api/chatmessages': {
    group,
    id: 'chatmessages.list',
    summary: 'List messages in their order',
    details:
      'In pages, or around a place of one room: then `cursor` says whether there is more, and `rev` is the revision of the room.',
    query: [
      key('filters', 'Conditions on the messages; `filters[room]` is an id', schemaRef('chatmessages.Filters')),
      'search',
      'pagination',
      key('before', 'The last messages before this `seq`', whole),
      key('after', 'The first messages after this `seq`', whole),
      key('around', 'Messages before this `seq` and from it on', whole),
      key('limit', 'How many with before, after and around: 50 when absent, 100 at most', whole),
    ],
    answers: {
      200: json({
        oneOf: [
          exactly({ results: listOf(message), pagination }),
          exactly({
            results: listOf(message),
            cursor: exactly({ has_older: { type: 'boolean' }, has_newer: { type: 'boolean' } }),
            rev: whole,
          }),
        ],
      }),
    },
    refusals: [...reading, 'record.not-found'],
    roles: everybody,
  },
  'POST /api/chatmessages': {
    group,
    id: 'chatmessages.send',
    summary: 'Send a message, or a note for the desk',
    details:
      'Without `sender` the caller writes; nobody writes for somebody else. A `client_id` that was used already answers the first message with `meta.duplicate`.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: body(
      {
        room: {},
        sender: {},
        text: { ...text, maxLength: 4_000 },
        kind: { enum: ['message', 'note'] },
        client_id: text,
        reply_to: {},
        attachments: listOf({ type: 'object', properties: { url: text, name: text }, required: ['url'] }),
      },
      ['room'],
    ),
    answers: { 200: written(exactly({ duplicate: { const: true } }, ['duplicate'])) },
    refusals: [
      ...wrongValues,
      'chat.not-your-voice',
      'chat.text-missing',
      'chat.duplicate',
      'record.not-found',
      'request.key-reused',
    ],
    roles: members,
  },
  'PUT /api/chatmessages/:id': {
    group,
    id: 'chatmessages.edit',
    summary: 'Change the text of one’s own message',
    details: 'For 15 minutes. With `expected_rev` only while the message has not changed since that revision.',
    query: ['fields', 'populate'],
    body: body({ text, expected_rev: whole, version: whole }),
    answers: { 200: written(exactly({})) },
    refusals: [
      ...wrongValues,
      'chat.not-your-voice',
      'chat.text-missing',
      'chat.edit-late',
      'record.not-found',
      'record.stale',
    ],
    roles: members,
  },
  'DELETE /api/chatmessages/:id': {
    group,
    id: 'chatmessages.remove',
    summary: 'Take a message out of view',
    query: ['fields', 'populate'],
    answers: { 200: written(exactly({})) },
    refusals: [...wrongValues, 'chat.not-your-voice', 'record.not-found'],
    roles: everybody,
  },
}
