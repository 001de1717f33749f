import { maxAttachments } from '../../api/chat.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { computedField } from '../../fields/field.ts'
import { pictures, relation } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, jsonField, yesNoField } from '../../fields/value-kinds.ts'
import { askedRooms, deskRooms, ownRooms } from './chatrooms.ts'

/** A message of a room; `note` is visible to the desk only (chat §4, audiences). */
export const chatmessages = defineResource({
  name: 'chatmessages',
  wire: 'chatmessages',
  title: 'text',
  // A deleted message stays stored for the audit, but no user sees it.
  baseFilter: { deleted_at: { $null: true } },
  noTrash: true,
  restoredWith: 'room',
  uniqueTogether: [['room', 'sender', 'client_id']],
  fields: {
    room: relation('chatrooms', { required: true, onDelete: 'cascade' }),
    sender: relation('users', { required: true, onDelete: 'restrict', setToCaller: 'always' }),
    text: longText({ maxLength: 4000 }),
    // The search skips the kind of a message, because every message has one of three kinds.
    kind: choiceOf(['message', 'note', 'system'], { default: 'message', unsearched: true }),
    client_id: text({ unsearched: true }),
    seq: integer({ readOnly: true }),
    reply_to: relation('chatmessages'),
    /** The pictures and documents of the message, in order. */
    files: pictures({ maxItems: maxAttachments }),
    /** Names that the sender gave the files, by id, where they differ from the file's own name. */
    file_names: jsonField({ private: true, readOnly: true }),
    /** The files in the form that chat clients read: address, name, type, size and dimensions. */
    attachments: computedField(jsonField()),
    seen: yesNoField({ readOnly: true, default: false }),
    edited_at: moment({ readOnly: true }),
    deleted_at: moment({ readOnly: true }),
  },
  list: {
    columns: ['text', 'room', 'sender', 'kind', 'seen', 'createdAt'],
    search: ['text'],
    filters: ['room', 'sender', 'kind'],
    sort: 'createdAt:desc',
  },
  form: { sections: [{ name: 'main', fields: ['room', 'kind', 'text'] }] },
  access: {
    read: {
      authenticated: { rows: { room: ownRooms, kind: { $ne: 'note' } } },
      // A consultant who asks a colleague is the customer of that chat room, and must not see its notes.
      consultant: { rows: { $or: [{ room: deskRooms }, { room: askedRooms, kind: { $ne: 'note' } }] } },
      // Staff who ask a question see no notes on it either.
      admin: { rows: { $or: [{ kind: { $ne: 'note' } }, { room: { sender: { $ne: '$caller.id' } } }] } },
    },
    create: {
      authenticated: { fields: ['room', 'sender', 'text', 'kind', 'client_id', 'reply_to', 'attachments'] },
    },
    // Only the author may edit a message, whatever their role (contract §11).
    update: { authenticated: { rows: { sender: '$caller.id' }, fields: ['text'] } },
    remove: { authenticated: { rows: { sender: '$caller.id' } }, admin: true },
  },
})
