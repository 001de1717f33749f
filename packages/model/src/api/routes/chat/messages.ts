/** Contracts of the routes for chat messages (contract §11). */
import * as z from 'zod'
import { isStorable } from '../../../fields/kind.ts'
import { maxAttachments, maxMessageText } from '../../chat.ts'
import { everybodyRights, readMark, members, message, valueCodes } from './parts.ts'
import type { Contracts } from '../contract.ts'
import {
  count,
  data,
  entryOf,
  filtersOf,
  id,
  idKey,
  issue,
  link,
  optionalText,
  pagination,
  whole,
  wholeKey,
  listRefusals,
} from '../parts.ts'

const group = 'Chat'

/** A chat message after a write, in its envelope, and the room's revision for the writer. */
const writtenMessageOf = <M extends z.ZodType>(meta: M) =>
  z.strictObject({ data: entryOf('chatmessages'), meta, rev: whole })

/** The name of an uploaded file, by either of its paths (contract §10). */
const filePath = /^(?:\/uploads)?\/([\w-]{1,200}\.[a-z0-9]{2,5})$/
const maxFileName = 255

/**
 * A file of a message, by its name or the id of its record; the record has its type, size and dimensions.
 */
export interface WantedAttachment {
  file: { id: number } | { name: string }
  /** File name that the sender gave an attachment. */
  name: string | undefined
}
type AttachmentInput = number | { id: number; name?: string } | { url: string; name?: string }

const attachmentParts = (rawAttachment: object): { id?: unknown; url?: unknown; name?: unknown } => ({
  ...rawAttachment,
})

const attachedFile = z
  .custom<AttachmentInput>()
  .transform((rawAttachment: unknown, context): WantedAttachment => {
    const {
      id: number,
      url,
      name,
    } = typeof rawAttachment === 'object' && rawAttachment !== null
      ? attachmentParts(rawAttachment)
      : { id: rawAttachment }
    const [, file] = typeof url === 'string' ? (filePath.exec(url) ?? []) : []
    const isName = typeof name === 'string' && isStorable(name) && name.trim() !== ''
    const label = isName ? [...name].slice(0, maxFileName).join('') : undefined
    if (file !== undefined) return { file: { name: file }, name: label }
    const { data: fileId } = id.safeParse(number)
    if (url === undefined && fileId !== undefined) return { file: { id: fileId }, name: label }
    context.issues.push(issue(rawAttachment, 'validation.relation'))
    return z.NEVER
  })
  .meta({
    anyOf: [
      {
        type: 'object',
        properties: { url: { type: 'string' }, name: { type: 'string' } },
        required: ['url'],
      },
      {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 1 }, name: { type: 'string' } },
        required: ['id'],
      },
      { type: 'integer', minimum: 1 },
    ],
  })

const maxClientId = 255

export const messageRoutes = {
  'GET /api/seen_messages': {
    group,
    id: 'chatmessages.markSeen',
    summary: 'Mark the messages of a room as read',
    details: 'The read mark only moves forward; repeating the call changes nothing.',
    query: z.object({
      room: idKey('Id of the room', 'validation.integer'),
      upTo: wholeKey(
        'Up to the message with this `seq`; up to the last one when absent',
        'validation.integer',
      ).optional(),
    }),
    unprocessableQuery: true,
    answers: { 200: readMark },
    refusals: [...valueCodes, 'record.not-found', 'access.viewing'],
    roles: everybodyRights,
  },
  'GET /api/chatmessages': {
    group,
    id: 'chatmessages.list',
    summary: 'List messages in their order',
    details:
      'Returns pages, or with `before`, `after` or `around` the messages at a position of one room. In the second case, `cursor` tells whether there are more messages, and `rev` is the revision of the room.',
    query: z.object({
      filters: filtersOf('chatmessages', 'Conditions on the messages; `filters[room]` is an id'),
      before: wholeKey('The last messages before this `seq`').optional(),
      after: wholeKey('The first messages after this `seq`').optional(),
      around: wholeKey('Messages on both sides of this `seq`, including it').optional(),
      limit: wholeKey('Number of messages with `before`, `after` or `around`: 50 by default, at most 100').optional(),
    }),
    shared: ['search', 'pagination'],
    answers: {
      200: z.xor([
        z.strictObject({ results: z.array(message), pagination }),
        z.strictObject({
          results: z.array(message),
          cursor: z.strictObject({ has_older: z.boolean(), has_newer: z.boolean() }),
          rev: whole,
        }),
      ]),
    },
    refusals: [...listRefusals, 'record.not-found'],
    roles: members,
  },
  'POST /api/chatmessages': {
    group,
    id: 'chatmessages.send',
    summary: 'Send a message, or a note for the desk',
    details:
      '`sender` is the caller when absent; no user can send messages for another. `attachments` are pictures of `POST /api/upload` and documents of `POST /api/upload/resumable` that the caller may see. For a `client_id` that was used before, the answer is the first message, with `meta.duplicate`.',
    shared: ['fields', 'populate'],
    headers: ['idempotencyKey'],
    body: data({
      room: link(),
      sender: link().nullish(),
      kind: z.enum(['message', 'note']).nullish(),
      text: optionalText(maxMessageText),
      client_id: optionalText(maxClientId),
      reply_to: link().nullish(),
      attachments: z.array(attachedFile).max(maxAttachments).nullish(),
    }),
    answers: { 200: writtenMessageOf(z.strictObject({ duplicate: z.literal(true).optional() })) },
    refusals: [
      ...valueCodes,
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
    summary: 'Change the text of the caller’s own message',
    details: 'Possible for 15 minutes. With `expected_rev`, only if the message has not changed since that revision.',
    shared: ['fields', 'populate'],
    body: data({
      text: optionalText(maxMessageText).optional(),
      expected_rev: count().nullish(),
      version: count().nullish(),
    }),
    answers: { 200: writtenMessageOf(z.strictObject({})) },
    refusals: [
      ...valueCodes,
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
    summary: 'Delete a message',
    shared: ['fields', 'populate'],
    answers: { 200: writtenMessageOf(z.strictObject({})) },
    refusals: [...valueCodes, 'chat.not-your-voice', 'record.not-found'],
    roles: everybodyRights,
  },
} as const satisfies Contracts

/** A chat message as a client sends it. */
export type NewMessage = z.output<(typeof messageRoutes)['POST /api/chatmessages']['body']>['data']
/** An edit of a chat message as a client sends it. */
export type MessageEdit = z.output<(typeof messageRoutes)['PUT /api/chatmessages/:id']['body']>['data']
