/** What the routes of rooms and messages say of themselves (contract §11). */
import { type ErrorCode, type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type QueryKey, schemaRef } from '../../http/description.ts'
import { changes, counts, id, mark, message, moved, pagination, person, room, text, whole, written } from './schemas.ts'

const group = 'Chat'

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
const desk = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
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
      key('scope', 'Own rooms, or all that the caller may read: for staff the whole desk', { enum: ['own', 'all'] }),
      key(
        'filters',
        'unread, assignee (an id, `me` or `none`), owner (an id), state, region, language, waiting, breached, waiting_over (minutes)',
        { type: 'object' },
      ),
      key('q', 'Text in the names of the people or in the last message'),
      key('sort', 'Longest waiting, newest message or unread first', { enum: ['waiting', 'latest', 'unread'] }),
      'pagination',
    ],
    answers: { 200: json(exactly({ results: listOf(room), pagination, counts })) },
    refusals: reading,
    roles: members,
  },
  'GET /api/chatrooms/takers': {
    group,
    id: 'chatrooms.takers',
    summary: 'List who can take a room: whether each is here, and how much he has open',
    details: 'At most 50, who is here first and then who has least; the caller is not among them.',
    query: [key('q', 'Words of the name'), key('locale', 'Language of the categories', { enum: locales })],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              consultant: person,
              online: { type: 'boolean' },
              open: whole,
              language: { anyOf: [{ enum: locales }, { type: 'null' }] },
              categories: listOf(text),
            }),
          ),
        }),
      ),
    },
    refusals: ['access.denied', 'query.value'],
    roles: { consultant: 'all', admin: 'all', 'super-admin': 'all', owner: 'all' },
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
    answers: { 200: moved },
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
  'POST /api/chatrooms/:id/state': {
    group,
    id: 'chatrooms.setState',
    summary: 'Set a room aside until the customer answers, take it up again, or close it',
    details: 'A closed room opens with the next message of its customer. The reason is for the desk alone.',
    query: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: body({ state: { enum: ['open', 'waiting_customer', 'closed'] }, reason: text }, ['state']),
    answers: { 200: moved },
    refusals: [...wrongValues, 'record.not-found', 'state.step', 'request.key-reused'],
    roles: desk,
  },
  'GET /api/chatrooms/:id/changes': {
    group,
    id: 'chatrooms.changes',
    summary: 'List what has changed in a room after a revision',
    details:
      'For whoever has missed events: each change with the revision before it that he may know of. Messages are as they are now.',
    query: [
      key('after', 'The last revision that is known, 0 when absent', whole),
      key('limit', 'How many, 200 when absent and at most', whole),
    ],
    answers: { 200: changes },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'record.not-found'],
    roles: everybody,
  },
  'POST /api/chatrooms/:id/unread': {
    group,
    id: 'chatrooms.markUnread',
    summary: 'Mark the messages of a room as unread from one on',
    details: 'The one way down for the mark. What the other side was shown as seen stays seen.',
    body: body({ from: { ...whole, description: '`seq` of the first message that is to be unread' } }, ['from']),
    answers: { 200: mark },
    refusals: [...wrongValues, 'record.not-found'],
    roles: everybody,
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
    answers: { 200: mark },
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
    roles: members,
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
        attachments: listOf({
          anyOf: [
            { type: 'object', properties: { url: text, name: text }, required: ['url'] },
            { type: 'object', properties: { id, name: text }, required: ['id'] },
            id,
          ],
        }),
      },
      ['room'],
    ),
    answers: { 200: written(exactly({ duplicate: { const: true } }, ['duplicate'])) },
    refusals: [
      ...wrongValues,
      'chat.not-your-voice',
      'chat.customer-gone',
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
