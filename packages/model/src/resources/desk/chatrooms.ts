import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { computed } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, structure, yesNo } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'

const addressed: RowFilter = { receiver: '$caller.id' }
const assigned: RowFilter = { assignee: '$caller.id' }
const free: RowFilter = { receiver: { $null: true }, assignee: { $null: true } }

/** Rooms where the caller is the asking side. */
export const askedRooms: RowFilter = { sender: '$caller.id' }
/** Own rooms: asked by, addressed to or assigned to the caller (contract §14). */
export const ownRooms: RowFilter = { $or: [askedRooms, addressed, assigned] }
/** A consultant's side of the desk: his rooms and those nobody has yet, never one where he asks himself. */
export const deskRooms: RowFilter = { sender: { $ne: '$caller.id' }, $or: [addressed, assigned, free] }

const desk = ['admin', { own: 'assignee' }, { own: 'receiver' }] as const

/** A conversation between one who asks and a consultant (docs/spec/chat.md). */
export const chatrooms = defineResource({
  name: 'chatrooms',
  wire: 'chatrooms',
  screens: [{ path: 'chats', section: 'advice', overview: true, fills: 'screen' }],
  title: 'room',
  uniqueTogether: [['sender', 'receiver']],
  fields: {
    // The channel key `room-<id>`: unique because the id is.
    room: computed(text()),
    sender: relation('users', { required: true, onDelete: 'restrict' }),
    receiver: relation('users'),
    assignee: relation('users'),
    state: choiceOf(['open', 'waiting_customer', 'closed'], {
      default: 'open',
      steps: [
        { from: 'open', to: 'waiting_customer', by: desk },
        { from: 'waiting_customer', to: 'open', by: desk },
        { from: 'open', to: 'closed', by: desk },
        { from: 'waiting_customer', to: 'closed', by: desk },
        // The next message of the customer opens it again (content-model §2).
        { from: 'closed', to: 'open', by: ['server'] },
      ],
    }),
    // Counted for whoever asks.
    unread_message: computed(integer()),
    last_message: structure({ readOnly: true }),
    waiting_since: moment({ readOnly: true }),
    // When the wait is about to be, and is, too long (chat §6).
    warn_at: moment({ readOnly: true }),
    due_at: moment({ readOnly: true }),
    // Counts from the first question to closing, and on with the next question; 0 before anything was asked.
    episode: integer({ readOnly: true, default: 0 }),
    region: relation('regions'),
    category: relation('consultationcategories'),
    language: choiceOf(locales),
    tags: relations('tags'),
    revision: integer({ readOnly: true, private: true, default: 0 }),
    // For whoever asks: notes and hand-overs are no revisions of the side that asks.
    rev: computed(integer()),
    last_seq: computed(integer()),
    first_unread_seq: computed(integer()),
    can_write: computed(yesNo()),
    // Null, or one of `closedReasons`.
    cannot_write_reason: computed(text()),
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
    // Who asks, who answers and who holds the room move by the calls of chat §4 only.
    update: {
      consultant: {
        rows: { $or: [addressed, assigned] },
        fields: ['state', 'region', 'category', 'language', 'tags'],
      },
      admin: { fields: ['state', 'region', 'category', 'language', 'tags'] },
    },
    remove: 'admin',
  },
})
