import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { computedField } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, jsonField, yesNoField } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'

const ownReceivedRooms: RowFilter = { receiver: '$caller.id' }
const assignedRooms: RowFilter = { assignee: '$caller.id' }
const unassignedRooms: RowFilter = { receiver: { $null: true }, assignee: { $null: true } }

/** Filter of the chat rooms in which the caller is the customer. */
export const askedRooms: RowFilter = { sender: '$caller.id' }
/** Own chat rooms: opened by, addressed to or assigned to the caller (contract §14). */
export const ownRooms: RowFilter = { $or: [askedRooms, ownReceivedRooms, assignedRooms] }
/**
 * The consultant's side of the desk: chat rooms of the caller and unassigned ones, never rooms where they are
 * the customer.
 */
export const deskRooms: RowFilter = {
  sender: { $ne: '$caller.id' },
  $or: [ownReceivedRooms, assignedRooms, unassignedRooms],
}

const deskRoles = ['admin', { ownerField: 'assignee' }, { ownerField: 'receiver' }] as const

/** A conversation between a customer and a consultant (docs/spec/chat.md). */
export const chatrooms = defineResource({
  name: 'chatrooms',
  wire: 'chatrooms',
  screens: [{ path: 'chats', section: 'advice', overview: true, fullWindow: 'screen' }],
  title: 'room',
  uniqueTogether: [['sender', 'receiver']],
  fields: {
    // The channel key `room-<id>`: unique because the id is.
    room: computedField(text()),
    sender: relation('users', { required: true, onDelete: 'restrict' }),
    receiver: relation('users'),
    assignee: relation('users'),
    state: choiceOf(['open', 'waiting_customer', 'closed'], {
      default: 'open',
      transitions: [
        { from: 'open', to: 'waiting_customer', by: deskRoles },
        { from: 'waiting_customer', to: 'open', by: deskRoles },
        { from: 'open', to: 'closed', by: deskRoles },
        { from: 'waiting_customer', to: 'closed', by: deskRoles },
        // The customer's next message reopens a closed chat room too (content-model §2).
        { from: 'closed', to: 'open', by: deskRoles },
      ],
    }),
    // Number of messages that the caller has not read.
    unread_message: computedField(integer()),
    last_message: jsonField({ readOnly: true }),
    waiting_since: moment({ readOnly: true }),
    // Times when the wait of the room's customer triggers a warning, and when it is too long (chat §6).
    warn_at: moment({ readOnly: true }),
    due_at: moment({ readOnly: true }),
    // Number of the chat room's conversations, each from a first question to closing; 0 before the first.
    episode: integer({ readOnly: true, default: 0 }),
    region: relation('regions'),
    category: relation('consultationcategories'),
    language: choiceOf(locales),
    tags: relations('tags'),
    revision: integer({ readOnly: true, private: true, default: 0 }),
    // The revision of a chat room differs by caller: notes and hand-overs are no revisions for the customer.
    rev: computedField(integer()),
    last_seq: computedField(integer()),
    first_unread_seq: computedField(integer()),
    can_write: computedField(yesNoField()),
    // Reason why the caller cannot write in the chat room: one of `closedReasons`, or null.
    cannot_write_reason: computedField(text()),
  },
  list: {
    columns: ['room', 'sender', 'receiver', 'assignee', 'state', 'waiting_since', 'updatedAt'],
    search: ['room'],
    filters: ['state', 'assignee', 'region', 'category', 'language'],
    sort: 'updatedAt:desc',
  },
  form: {
    sections: [
      { name: 'people', fields: ['sender', 'receiver', 'assignee'] },
      { name: 'details', fields: ['state', 'category', 'region', 'language', 'tags'] },
    ],
  },
  access: {
    read: {
      authenticated: { rows: ownRooms },
      consultant: { rows: { $or: [askedRooms, deskRooms] } },
      admin: true,
    },
    create: {
      authenticated: { fields: ['sender', 'receiver', 'region', 'category', 'language'] },
      admin: { fields: ['sender', 'receiver', 'assignee', 'region', 'category', 'language', 'tags'] },
    },
    // The customer, the consultant and the assignee change by the calls of chat §4 only.
    update: {
      consultant: {
        rows: { $or: [ownReceivedRooms, assignedRooms] },
        fields: ['state', 'region', 'category', 'language', 'tags'],
      },
      admin: { fields: ['state', 'region', 'category', 'language', 'tags'] },
    },
    remove: 'admin',
  },
})
