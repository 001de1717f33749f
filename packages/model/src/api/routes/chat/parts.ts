/**
 * Shared parts of the chat contracts: shapes of rooms, messages and changes in answers and events (contract
 * §11).
 */
import * as z from 'zod'
import type { ErrorCode } from '../../../errors/errors.ts'
import { messageKinds, roomStates } from '../../chat.ts'
import { dataAnswer, id, locale, moment, whole } from '../parts.ts'

export const valueCodes = [
  'access.denied',
  'request.unprocessable',
  'query.parameter',
  'query.value',
] as const satisfies readonly ErrorCode[]

/** Access note: users reach their own chat rooms, and staff reach all rooms. */
export const everybodyRights = {
  authenticated: 'bounded',
  consultant: 'bounded',
  admin: 'all',
  'super-admin': 'all',
  owner: 'all',
}
/** Access note: users reach their own chat rooms only. */
export const members = {
  authenticated: 'bounded',
  consultant: 'bounded',
  admin: 'bounded',
  'super-admin': 'bounded',
  owner: 'bounded',
}

export const chatPerson = z.strictObject({
  id,
  username: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  avatar: z.strictObject({ id, url: z.string().nullable() }).nullable(),
})

export const messageKind = z.enum(messageKinds)
export const roomState = z.enum(roomStates)

/** The last message in a chat room's list row. */
const lastMessage = z.strictObject({
  id,
  text: z.string().nullable().describe('Beginning of the text'),
  kind: messageKind,
  createdAt: moment,
  sender: id.optional(),
})

/** A chat room as a list row for one user. */
export const room = z.strictObject({
  id,
  room: z.string().describe('Key of its channel'),
  sender: chatPerson,
  receiver: chatPerson.nullable(),
  unread_message: whole.describe('Number of messages that the caller has not read'),
  last_message: lastMessage.nullable(),
  createdAt: moment,
  updatedAt: moment,
  rev: whole.describe('The last revision that the caller may see'),
  assignee: chatPerson.nullable(),
  state: roomState,
  waiting_since: moment.nullable(),
  /** Times when the wait of a chat room's customer triggers a warning, and when it is too long. */
  warn_at: moment.nullable(),
  due_at: moment.nullable(),
  language: locale.nullable(),
  tags: z.array(z.strictObject({ id, name: z.string().nullable(), color: z.string().nullable() })),
})

/** A picture or document of a chat message. */
export const attachment = z.strictObject({
  url: z.string().describe('Address of the file; documents are served as downloads'),
  name: z.string(),
  mime: z.string().describe('Type of the file: `image/…` for a picture, any other for a document').nullable(),
  size: z.number().describe('Thousands of bytes, as in the record of the file').nullable(),
  width: whole.nullable(),
  height: whole.nullable(),
})

/** A deleted chat message as it remains in the thread. */
export const deletedMessage = z.strictObject({ id, deleted: z.literal(true) })

/** The quoted message of a reply in a chat, as shown in the reply; only the id remains of a deleted one. */
export const quotedMessage = z.union([
  z.strictObject({ id, seq: whole, sender: chatPerson, text: z.string().nullable(), kind: messageKind }),
  deletedMessage,
])

export const message = z.strictObject({
  id,
  room: id,
  sender: chatPerson,
  text: z.string().nullable(),
  kind: messageKind,
  client_id: z.string().nullable(),
  seq: whole,
  seen: z.boolean(),
  attachments: z.array(attachment),
  createdAt: moment,
  updatedAt: moment,
  reply_to: id.nullable(),
  quoted: quotedMessage.nullable(),
  edited_at: moment.nullable(),
})

/** The revision of a chat room's change, and the previous revision that the user may see. */
const revisions = { rev: whole, prev: whole }

/** One change in the log of a chat room, with messages in their present state. */
const storedRoomChange = z.discriminatedUnion('type', [
  z.strictObject({ ...revisions, type: z.enum(['created', 'updated']), data: z.union([message, deletedMessage]) }),
  z.strictObject({ ...revisions, type: z.literal('deleted'), data: deletedMessage }),
  z.strictObject({
    ...revisions,
    type: z.literal('state'),
    data: z.strictObject({ from: roomState, to: roomState, reason: z.string().nullable() }),
  }),
  z.strictObject({
    ...revisions,
    type: z.literal('no_reply'),
    data: z.strictObject({ reason: z.string().nullable() }),
  }),
  z.strictObject({
    ...revisions,
    type: z.literal('assigned'),
    data: z.strictObject({ from: id.nullable(), to: id.nullable(), note: z.string().nullable() }),
  }),
])

/** The changes of a chat room after a requested revision. */
export const roomChanges = z.strictObject({
  results: z.array(storedRoomChange),
  rev: whole,
  complete: z.boolean().describe('Whether these are all changes after the revision'),
  reset: z.boolean().describe('The changes cannot be listed: discard the room and load its newest page'),
})

/** The caller's read position in a chat room. */
export const readMark = dataAnswer(z.strictObject({ room: id, unread_message: whole, last_read_seq: whole }))

export type ChatPerson = z.output<typeof chatPerson>
export type ChatAttachment = z.output<typeof attachment>
export type ChatMessage = z.output<typeof message>
export type QuotedMessage = z.output<typeof quotedMessage>
export type DeletedMessage = z.output<typeof deletedMessage>
export type RoomRow = z.output<typeof room>
export type StoredRoomChange = z.output<typeof storedRoomChange>
export type RoomChanges = z.output<typeof roomChanges>
