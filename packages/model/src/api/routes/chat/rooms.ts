/** Contracts of the routes for chat rooms (contract §11). */
import * as z from 'zod'
import type { Locale } from '../../../locales.ts'
import { maxDeskNote, type RoomState, roomOrders, roomStates } from '../../chat.ts'
import { chatPerson, everybodyRights, readMark, members, room, roomChanges, valueCodes } from './parts.ts'
import type { Contracts } from '../contract.ts'
import {
  count,
  data,
  dataAnswer,
  declaredSchema,
  entryOf,
  filtersOf,
  languageKey,
  link,
  locale,
  oneOf,
  optionalData,
  optionalText,
  pagination,
  recordAnswer,
  textKey,
  whole,
  wholeKey,
  listRefusals,
} from '../parts.ts'

const group = 'Chat'
const deskAccess = { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

/** Filters of a user's own chat rooms. */
export interface RoomFilters {
  unread?: boolean
  assignee?: number | 'me' | 'none'
  owner?: number
  state?: RoomState
  region?: number
  category?: number
  language?: Locale
  waiting?: boolean
  breached?: boolean
  /** Minimum minutes that the customer of a listed chat room has waited. */
  waiting_over?: number
}

const counts = z.strictObject({
  all: whole,
  mine: whole,
  unassigned: whole,
  unread: whole,
  waiting: whole,
  breached: whole,
})

/** A consultant or member of staff who can take a chat room. */
const taker = z.strictObject({
  consultant: chatPerson,
  online: z.boolean(),
  /** Number of the person's chat rooms that are not closed. */
  open: whole,
  language: locale.nullable(),
  categories: z.array(z.string()),
})

/** A chat room after a step, in its envelope, and the room's revision for the caller. */
const steppedRoom = z.strictObject({ data: entryOf('chatrooms'), meta: z.strictObject({}), rev: whole })

/** A value of the new chat room's record, which the resource's declaration checks. */
const recordValue = z.unknown().optional()

export const roomRoutes = {
  'GET /api/chatrooms': {
    group,
    id: 'chatrooms.list',
    summary: 'List the rooms that the caller may read',
    query: z.object({ filters: filtersOf('chatrooms', 'Conditions on the rooms') }),
    shared: ['search', 'sort', 'pagination'],
    answers: { 200: z.strictObject({ results: z.array(room), pagination }) },
    refusals: listRefusals,
    roles: everybodyRights,
  },
  'GET /api/get_customized_rooms': {
    group,
    id: 'chatrooms.listOwn',
    summary: 'List the caller’s own rooms, newest first, with counts',
    details: 'For a consultant, rooms without an owner are included.',
    query: z.object({
      scope: z
        .enum(['own', 'all'])
        .optional()
        .describe('The caller’s own rooms, or all rooms that they may read: for staff, those of the whole desk'),
      filters: declaredSchema<RoomFilters>({
        type: 'object',
        description:
          'unread, assignee (an id, `me` or `none`), owner (an id), state, region, category, language, waiting, breached, waiting_over (minutes)',
      }).optional(),
      q: textKey('Text in the names of the people or in the last message').optional(),
      sort: oneOf(roomOrders, 'Longest waiting, newest message or unread first'),
    }),
    shared: ['pagination'],
    answers: { 200: z.strictObject({ results: z.array(room), pagination, counts }) },
    refusals: listRefusals,
    roles: members,
  },
  'GET /api/chatrooms/takers': {
    group,
    id: 'chatrooms.takers',
    summary: 'List the consultants who can take a room, with their presence and number of open cases',
    details:
      'At most 50: those who are online first, then those with the fewest open rooms. The caller is not included.',
    query: z.object({
      q: textKey('Words of the name').optional(),
      locale: languageKey('Language of the categories'),
    }),
    answers: { 200: dataAnswer(z.array(taker)) },
    refusals: ['access.denied', 'query.value'],
    roles: { consultant: 'all', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'POST /api/chatrooms': {
    group,
    id: 'chatrooms.open',
    summary: 'Open the room of a customer and a consultant',
    details:
      'A customer and a consultant have one room: if it exists already, it is returned. Without `sender`, the caller is the customer.',
    shared: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: data({
      sender: link().nullish(),
      receiver: link().nullish(),
      assignee: recordValue,
      region: recordValue,
      category: recordValue,
      language: recordValue,
      tags: recordValue,
    }),
    answers: { 200: recordAnswer('chatrooms') },
    refusals: [...valueCodes, 'chat.not-your-voice', 'desk.no-consultant', 'request.key-reused'],
    roles: everybodyRights,
  },
  'POST /api/chatrooms/:id/assign': {
    group,
    id: 'chatrooms.assign',
    summary: 'Take a room, or hand it over with a note',
    details:
      'A consultant can take a room without an owner; its owner and staff can hand it over. `to` null returns it to the receiver. If `from` is no longer the owner, 409 names the present owner.',
    shared: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: data({ to: link().nullable(), from: link().nullish(), note: optionalText(maxDeskNote) }),
    answers: { 200: steppedRoom },
    refusals: [
      ...valueCodes,
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
    summary: 'Put a room on hold until the customer replies, reopen it, or close it',
    details: 'A closed room reopens with the next message of its customer. Only the desk can see the reason.',
    shared: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: data({ state: z.enum(roomStates), reason: optionalText(maxDeskNote) }),
    answers: { 200: steppedRoom },
    refusals: [...valueCodes, 'record.not-found', 'state.step', 'request.key-reused'],
    roles: deskAccess,
  },
  'POST /api/chatrooms/:id/no-reply': {
    group,
    id: 'chatrooms.noReply',
    summary: 'End the wait of the customer without a reply',
    details:
      'For the owner of the room and staff, when the last message needs no reply. No reply time is counted, and the customer is not notified. In a room where nobody waits it changes nothing.',
    shared: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: optionalData({ reason: optionalText(maxDeskNote) }),
    answers: { 200: steppedRoom },
    refusals: [...valueCodes, 'record.not-found', 'request.key-reused'],
    roles: deskAccess,
  },
  'GET /api/chatrooms/:id/changes': {
    group,
    id: 'chatrooms.changes',
    summary: 'List the changes of a room after a revision',
    details:
      'For clients that have missed events. Each change has the previous revision that the caller may see (`prev`). Messages are in their present state.',
    query: z.object({
      after: wholeKey('The last revision that the client has; 0 when absent').optional(),
      limit: wholeKey('Number of changes: 200 by default, which is also the maximum').optional(),
    }),
    answers: { 200: roomChanges },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'record.not-found'],
    roles: everybodyRights,
  },
  'POST /api/chatrooms/:id/unread': {
    group,
    id: 'chatrooms.markUnread',
    summary: 'Mark the messages of a room as unread from one on',
    details: 'No other call moves the read mark back. Messages that the other side was shown as seen stay seen.',
    body: data({ from: count().describe('`seq` of the first message to mark as unread') }),
    answers: { 200: readMark },
    refusals: [...valueCodes, 'record.not-found'],
    roles: everybodyRights,
  },
} as const satisfies Contracts

/** The body of a request to open a chat room. */
export type NewRoom = z.output<(typeof roomRoutes)['POST /api/chatrooms']['body']>['data']
/** The assignment of a chat room: its new owner and the former one. */
export type RoomAssignment = z.output<(typeof roomRoutes)['POST /api/chatrooms/:id/assign']['body']>['data']
/** The reason why a wait needs no reply. */
export type NoReply = z.output<(typeof roomRoutes)['POST /api/chatrooms/:id/no-reply']['body']>['data']
/** A change of a chat room's state. */
export type StateStep = z.output<(typeof roomRoutes)['POST /api/chatrooms/:id/state']['body']>['data']
/** A consultant or member of staff who can take a chat room. */
export type AssignableAgent = z.output<typeof taker>
/** A page of a user's own chat rooms, with the counts of all of that user's rooms. */
export type OwnRooms = z.output<(typeof roomRoutes)['GET /api/get_customized_rooms']['answers'][200]>
