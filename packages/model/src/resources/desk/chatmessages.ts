import { defineResource } from '../../declaration/define-resource.ts'
import { computed } from '../../fields/field.ts'
import { pictures, relation } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, structure, yesNo } from '../../fields/value-kinds.ts'
import { askedRooms, deskRooms, ownRooms } from './chatrooms.ts'

/** A message of a room; `note` is for the desk alone (chat §4, audiences). */
export const chatmessages = defineResource({
  name: 'chatmessages',
  wire: 'chatmessages',
  title: 'text',
  // A deleted message keeps its row for the audit and is seen by nobody.
  always: { deleted_at: { $null: true } },
  noTrash: true,
  returnsWith: 'room',
  uniqueTogether: [['room', 'sender', 'client_id']],
  fields: {
    room: relation('chatrooms', { required: true, onDelete: 'cascade' }),
    sender: relation('users', { required: true, onDelete: 'restrict', caller: 'always' }),
    text: longText({ maxLength: 4000 }),
    // Not among what a search looks through: every message is one of three words.
    kind: choiceOf(['message', 'note', 'system'], { default: 'message', unsearched: true }),
    client_id: text({ unsearched: true }),
    seq: integer({ readOnly: true }),
    reply_to: relation('chatmessages'),
    /** The pictures of the message, in order. */
    files: pictures({ maxItems: 10 }),
    /** What the sender called them, by id, where that differs from the file's own name. */
    file_names: structure({ private: true, readOnly: true }),
    /** The pictures as clients of chats read them: address, name, size and sides. */
    attachments: computed(structure()),
    seen: yesNo({ readOnly: true, default: false }),
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
      // A consultant may ask a colleague: there he is the customer, and notes are not for him.
      consultant: { rows: { $or: [{ room: deskRooms }, { room: askedRooms, kind: { $ne: 'note' } }] } },
      // Of the staff, too, who asks is shown no notes on his question.
      admin: { rows: { $or: [{ kind: { $ne: 'note' } }, { room: { sender: { $ne: '$caller.id' } } }] } },
    },
    create: {
      authenticated: { fields: ['room', 'sender', 'text', 'kind', 'client_id', 'reply_to', 'attachments'] },
    },
    // The author alone, whatever his role (contract §11).
    update: { authenticated: { rows: { sender: '$caller.id' }, fields: ['text'] } },
    remove: { authenticated: { rows: { sender: '$caller.id' } }, admin: true },
  },
})
