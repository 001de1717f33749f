/** The contracts of the consultants' desk beside the rooms themselves (chat §4–§6). */
import * as z from 'zod'
import type { ErrorCode } from '../../../errors/errors.ts'
import { locales } from '../../../locales.ts'
import {
  convertTargets,
  maxConvertedMessages,
  maxCountedHits,
  maxDeskNote,
  maxRatingComment,
  maxReassignedRooms,
  maxSearchText,
  roomHistoryActions,
} from '../../chat.ts'
import { chatPerson, everybodyRights, message } from './parts.ts'
import type { Contracts } from '../contract.ts'
import {
  count,
  data,
  dataAnswer,
  dayKey,
  id,
  idKey,
  ids,
  link,
  moment,
  optionalText,
  pagination,
  text,
  textKey,
  whole,
} from '../parts.ts'

const group = 'Desk'
const paging = [
  'query.pagination',
  'query.pagination-mixed',
  'query.parameter',
  'query.value',
] as const satisfies readonly ErrorCode[]
const wrongValues = [
  'access.denied',
  'request.unprocessable',
  'request.key-reused',
] as const satisfies readonly ErrorCode[]

const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const deskAccess = { authenticated: 'bounded', consultant: 'bounded', ...staff }

/** A chat message that a search found, its room, and the text around the match. */
const hit = z.strictObject({
  message,
  room: z.strictObject({
    id,
    sender: chatPerson,
    receiver: chatPerson.nullable(),
    assignee: chatPerson.nullable(),
  }),
  snippet: z.array(z.strictObject({ text: z.string(), hit: z.boolean() })),
})

/** An event in the history of a chat room. */
const historyLine = z.strictObject({
  at: moment,
  user: chatPerson.nullable(),
  action: z.enum(roomHistoryActions),
  data: z.record(z.string(), z.unknown()),
})

/** Figures of a user's open chat rooms, or of unassigned rooms. */
const figures = z.strictObject({
  /** Number of chat rooms that are not closed. */
  open: whole,
  /** Number of chat rooms whose customer waits for a reply. */
  waiting: whole,
  /** Start of the longest wait of a customer in the counted chat rooms. */
  oldest_wait: moment.nullable(),
  /** Number of chat rooms whose customer has waited longer than the target. */
  overdue: whole,
  /**
   * Number of missed targets for replies in chat rooms: late replies of today, and waits that are too long
   * now.
   */
  breaches_today: whole,
})
const boardRow = z.strictObject({ consultant: chatPerson, online: z.boolean(), ...figures.shape })

/** The outcome of a bulk hand-over for one chat room. */
const reassignAnswer = z.strictObject({
  room: id,
  ok: z.boolean(),
  /** Error code of a chat room that could not be handed over. */
  code: z.string().optional(),
  /** Present owner of a chat room that was not handed over because its owner has changed. */
  owner: chatPerson.nullable().optional(),
})

const score = z.int().min(1).max(5)
const rating = z.strictObject({
  episode: whole,
  score,
  comment: z.string().nullable(),
  consultant: chatPerson.nullable(),
  createdAt: moment,
})

const conversionAnswer = z.strictObject({
  data: z.strictObject({ resource: z.enum(['consultations', 'faqs']), id }),
  meta: z.strictObject({ duplicate: z.literal(true).optional() }),
})

export const deskRoutes = {
  'GET /api/chatmessages/search': {
    group,
    id: 'chatmessages.search',
    summary: 'Search the messages of all rooms that the caller may read, newest first',
    details: `The messages contain every word of \`q\`, in any order, alphabet and spelling. A text without a word of at least three letters finds messages only together with \`room\`. \`total\` counts up to ${maxCountedHits}.`,
    query: z.object({
      q: textKey('Words to find; an empty text finds nothing', maxSearchText).optional(),
      room: idKey('Id of a room').optional(),
      from: dayKey('First day'),
      to: dayKey('Last day'),
    }),
    shared: ['pagination'],
    answers: { 200: z.strictObject({ results: z.array(hit), pagination }) },
    refusals: [...paging, 'access.denied', 'record.not-found'],
    roles: everybodyRights,
  },
  'GET /api/chatrooms/:id/history': {
    group,
    id: 'chatrooms.history',
    summary: 'List the events of a room, newest first',
    details:
      'Only for the desk, never for the customer of the room. `data.text` is the text of a message before it was edited or deleted, for staff; null for other callers.',
    shared: ['pagination'],
    answers: { 200: z.strictObject({ results: z.array(historyLine), pagination }) },
    refusals: [...paging, 'access.denied', 'record.not-found'],
    roles: deskAccess,
  },
  'GET /api/chatrooms/board': {
    group,
    id: 'chatrooms.board',
    summary: 'List consultants with their open cases, the longest wait first',
    details:
      'Lists consultants and other users who own rooms; `unassigned` has the figures of rooms without an owner. `breaches_today` counts late replies of today, and waits that are too long now.',
    answers: { 200: z.strictObject({ data: z.array(boardRow), unassigned: figures }) },
    refusals: ['access.denied'],
    roles: staff,
  },
  'POST /api/chatrooms/reassign': {
    group,
    id: 'chatrooms.reassign',
    summary: 'Assign several rooms to a consultant, with a note',
    details: `At most ${maxReassignedRooms} rooms; each is assigned separately, and \`code\` is the reason when one was refused. \`to\` null returns rooms to their receivers. With \`from\` (null for the queue), a room that has another owner by now is not reassigned, and \`owner\` names that owner.`,
    body: data({
      rooms: ids(maxReassignedRooms),
      to: link().nullable(),
      from: link().nullish(),
      note: text(maxDeskNote, 'state.reason'),
    }),
    answers: { 200: z.strictObject({ results: z.array(reassignAnswer) }) },
    refusals: ['access.denied', 'request.unprocessable', 'state.reason'],
    roles: staff,
  },
  'GET /api/chatrooms/:id/ratings': {
    group,
    id: 'chatrooms.ratings',
    summary: 'List the customer’s ratings by episode',
    details: 'Only for the desk. `consultant` is the consultant who had answered last when the room was rated.',
    answers: { 200: z.strictObject({ results: z.array(rating) }) },
    refusals: ['access.denied', 'record.not-found'],
    roles: deskAccess,
  },
  'POST /api/chatrooms/:id/rating': {
    group,
    id: 'chatrooms.rate',
    summary: 'Rate the help received, once per episode',
    details: 'Only the customer of the room can rate it, and only an episode with an answer.',
    headers: ['idempotencyKey'],
    body: data({
      episode: count(),
      score: count({ min: 1, max: 5 }),
      comment: optionalText(maxRatingComment),
    }),
    answers: { 200: dataAnswer(rating.pick({ episode: true, score: true, comment: true })) },
    refusals: [...wrongValues, 'record.not-found', 'rating.no-answer', 'rating.done'],
    roles: everybodyRights,
  },
  'POST /api/chatrooms/:id/convert': {
    group,
    id: 'chatrooms.convert',
    summary: 'Create a consultation or an FAQ from messages',
    details:
      'The customer’s messages become the question, and the other messages the answer. Phone numbers, email addresses, card and document numbers, keys in links and the customer’s names are removed. A new FAQ is inactive until somebody has reviewed it. The same messages return the same draft again.',
    headers: ['idempotencyKey'],
    body: data({
      to: z.enum(convertTargets),
      message_ids: ids(maxConvertedMessages),
      locale: z.enum(locales).nullish(),
    }),
    answers: { 200: conversionAnswer },
    refusals: [...wrongValues, 'record.not-found', 'convert.no-question', 'convert.no-answer'],
    roles: deskAccess,
  },
} as const satisfies Contracts

export type BoardRow = z.output<typeof boardRow>
export type DeskFigures = z.output<typeof figures>
export type DeskBoard = z.output<(typeof deskRoutes)['GET /api/chatrooms/board']['answers'][200]>
export type MessageHit = z.output<typeof hit>
export type RoomHistoryLine = z.output<typeof historyLine>
export type RoomRating = z.output<typeof rating>
export type ReassignedRoom = z.output<typeof reassignAnswer>
export type Reassignment = z.output<(typeof deskRoutes)['POST /api/chatrooms/reassign']['body']>['data']
export type NewRating = z.output<(typeof deskRoutes)['POST /api/chatrooms/:id/rating']['body']>['data']
export type Conversion = z.output<(typeof deskRoutes)['POST /api/chatrooms/:id/convert']['body']>['data']
export type ConversionAnswer = z.output<typeof conversionAnswer>
