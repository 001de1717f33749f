/** What the routes of the desk's own work say of themselves. */
import { type ErrorCode, type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type QueryKey, schemaRef } from '../../../http/description.ts'
import { id, message, orNull, person, text, whole } from '../schemas.ts'
import { maxMessages } from './convert.ts'
import { historyActions } from './history.ts'
import { maxComment } from './ratings.ts'
import { maxRooms } from './reassign.ts'
import { countedAtMost } from './search.ts'

const group = 'Desk'
const pagination = schemaRef('Pagination')
const key = (name: string, description: string, schema: JsonSchema = text): QueryKey => ({ name, description, schema })
const day: JsonSchema = { type: 'string', format: 'date' }
const paging: readonly ErrorCode[] = ['query.pagination', 'query.pagination-mixed', 'query.parameter', 'query.value']

const score: JsonSchema = { type: 'integer', minimum: 1, maximum: 5 }
const moment: JsonSchema = { type: 'string', format: 'date-time' }
const body = (properties: Record<string, JsonSchema>, required: readonly string[]) =>
  json({ type: 'object', properties: { data: { type: 'object', properties, required } }, required: ['data'] })
const figures = { open: whole, waiting: whole, oldest_wait: orNull(moment), overdue: whole, breaches_today: whole }
const wrongValues: readonly ErrorCode[] = ['access.denied', 'request.unprocessable', 'request.key-reused']

const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const desk = { authenticated: 'bounded', consultant: 'bounded', ...staff }
const everybody = { authenticated: 'bounded', consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

export const deskDescriptions: Descriptions = {
  'GET /api/chatmessages/search': {
    group,
    id: 'chatmessages.search',
    summary: 'Search all that was said in the rooms one may read, newest first',
    details: `Every word of \`q\` is in the message, in any order, alphabet and spelling. Without a word of three letters only one room is looked through. \`total\` counts up to ${countedAtMost}.`,
    query: [
      key('q', 'Words; none finds nothing', { ...text, maxLength: 200 }),
      key('room', 'Id of a room', id),
      key('from', 'First day', day),
      key('to', 'Last day', day),
      'pagination',
    ],
    answers: {
      200: json(
        exactly({
          results: listOf(
            exactly({
              message,
              room: exactly({
                id,
                sender: person,
                receiver: orNull(person),
                assignee: orNull(person),
              }),
              snippet: listOf(exactly({ text, hit: { type: 'boolean' } })),
            }),
          ),
          pagination,
        }),
      ),
    },
    refusals: [...paging, 'access.denied', 'record.not-found'],
    roles: everybody,
  },
  'GET /api/chatrooms/:id/history': {
    group,
    id: 'chatrooms.history',
    summary: 'What became of a room, newest first',
    details:
      'For who answers in it, never for who asks. What a message said before it was edited or taken back is `data.text`, for staff; null for others.',
    query: ['pagination'],
    answers: {
      200: json(
        exactly({
          results: listOf(
            exactly({
              at: moment,
              user: orNull(person),
              action: { enum: historyActions },
              data: { type: 'object' },
            }),
          ),
          pagination,
        }),
      ),
    },
    refusals: [...paging, 'access.denied', 'record.not-found'],
    roles: desk,
  },
  'GET /api/chatrooms/board': {
    group,
    id: 'chatrooms.board',
    summary: 'Who of the desk has how much at this moment, the oldest wait first',
    details:
      'Consultants, and whoever else holds rooms; `unassigned` is what nobody has. Breaches of today are replies that came too late, and waits that became too long.',
    answers: {
      200: json(
        exactly({
          data: listOf(exactly({ consultant: person, online: { type: 'boolean' }, ...figures })),
          unassigned: exactly(figures),
        }),
      ),
    },
    refusals: ['access.denied'],
    roles: staff,
  },
  'POST /api/chatrooms/reassign': {
    group,
    id: 'chatrooms.reassign',
    summary: 'Give many rooms to somebody at once, with a note',
    details: `At most ${maxRooms}; each is given for itself, and \`code\` says why one was not. \`to\` null gives rooms back to their receivers. With \`from\`, null for the queue, what somebody else has by now stays his, and \`owner\` says whose.`,
    body: body(
      { rooms: { ...listOf(id), minItems: 1, maxItems: maxRooms }, to: orNull(id), from: orNull(id), note: text },
      ['rooms', 'to', 'note'],
    ),
    answers: {
      200: json(
        exactly({
          results: listOf(
            exactly({ room: id, ok: { type: 'boolean' }, code: text, owner: orNull(person) }, ['code', 'owner']),
          ),
        }),
      ),
    },
    refusals: ['access.denied', 'request.unprocessable', 'state.reason'],
    roles: staff,
  },
  'GET /api/chatrooms/:id/ratings': {
    group,
    id: 'chatrooms.ratings',
    summary: 'What the customer said of each episode',
    details: 'For who answers in the room. `consultant` is who had answered when it was rated.',
    answers: {
      200: json(
        exactly({
          results: listOf(
            exactly({
              episode: whole,
              score,
              comment: orNull(text),
              consultant: orNull(person),
              createdAt: moment,
            }),
          ),
        }),
      ),
    },
    refusals: ['access.denied', 'record.not-found'],
    roles: desk,
  },
  'POST /api/chatrooms/:id/rating': {
    group,
    id: 'chatrooms.rate',
    summary: 'Say what the help was worth, once an episode',
    details: 'Who asks in the room does; somebody must have answered in that episode.',
    headers: ['idempotencyKey'],
    body: body({ episode: whole, score, comment: { ...text, maxLength: maxComment } }, ['episode', 'score']),
    answers: { 200: json(exactly({ data: exactly({ episode: whole, score, comment: orNull(text) }) })) },
    refusals: [...wrongValues, 'record.not-found', 'rating.no-answer', 'rating.done'],
    roles: everybody,
  },
  'POST /api/chatrooms/:id/convert': {
    group,
    id: 'chatrooms.convert',
    summary: 'Make a consultation or an FAQ entry of messages',
    details:
      'The customer’s messages are the question, the others the answer; phones, e-mails, cards, documents, keys in links and the customer’s names are taken out. An FAQ entry is inactive until somebody reads it. The same messages again answer the same draft.',
    headers: ['idempotencyKey'],
    body: body(
      {
        to: { enum: ['consultation', 'faq'] },
        message_ids: { ...listOf(id), minItems: 1, maxItems: maxMessages },
        locale: { enum: locales },
      },
      ['to', 'message_ids'],
    ),
    answers: {
      200: json(
        exactly({
          data: exactly({ resource: { enum: ['consultations', 'faqs'] }, id }),
          meta: exactly({ duplicate: { const: true } }, ['duplicate']),
        }),
      ),
    },
    refusals: [...wrongValues, 'record.not-found', 'convert.no-question', 'convert.no-answer'],
    roles: desk,
  },
}
