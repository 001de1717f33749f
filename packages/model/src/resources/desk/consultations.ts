import { defineResource } from '../../declaration/define-resource.ts'
import { computedField } from '../../fields/field.ts'
import { picture, pictures, relation } from '../../fields/link-kinds.ts'
import { longText, rich, text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, yesNoField } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'
import { pictureModes } from '../listed.ts'

/**
 * A farmer's question and its answer. The status follows from the contents of the record (content-model §2).
 */
export const consultations = defineResource({
  name: 'consultations',
  wire: 'consultations',
  screens: [{ path: 'consultation', section: 'advice', overview: true }],
  title: 'question',
  fields: {
    question: longText({ required: true, message: 'validation.question' }),
    answer: rich(),
    status: computedField(choiceOf(['new', 'assigned', 'answered', 'finished', 'reopened'])),
    // The wait for a reply, from the question or from its reopening: its start, the time of a warning and the
    // deadline, in working time (chat §6). None of them is set while nobody waits.
    waiting_since: moment({ readOnly: true }),
    warn_at: moment({ readOnly: true }),
    due_at: moment({ readOnly: true }),
    /** Whether the deadline passed without a reply. */
    overdue: computedField(yesNoField()),
    // Number of the waits for a reply: the question and each reopening. Null until facts of an earlier version
    // are completed.
    turn: integer({ readOnly: true, private: true }),
    // Whether the question was entered with its answer, so that nobody waited for it.
    recorded: yesNoField({ readOnly: true, private: true, default: false }),
    category: relation('consultationcategories'),
    user: relation('users', { setToCaller: 'unlessStaff' }),
    consultant: relation('users'),
    region: relation('regions'),
    district: relation('districts'),
    language: choiceOf(locales),
    image: picture({ preset: 'image' }),
    attachments: pictures(),
    answered_at: moment({ readOnly: true }),
    finished_at: moment({ readOnly: true }),
    finish_reason: text(),
    reopened_at: moment({ readOnly: true }),
    is_public: yesNoField({ default: false }),
    chatroom: relation('chatrooms'),
    rating: integer({ min: 1, max: 5 }),
  },
  list: {
    columns: ['question', 'status', 'category', 'user', 'consultant', 'region', 'createdAt'],
    // The wait of each question is shown below the time of the question.
    extraFields: ['waiting_since', 'warn_at', 'due_at'],
    search: ['question', 'answer'],
    filters: ['status', 'category', 'consultant', 'region', 'language'],
    sort: 'createdAt:desc',
    ...pictureModes('image'),
  },
  form: {
    sections: [
      { name: 'question', fields: ['question', 'attachments'] },
      { name: 'answer', fields: ['answer', 'is_public'] },
      { name: 'details', fields: ['category', 'region', 'district', 'language'] },
      { name: 'people', fields: ['user', 'consultant', 'chatroom'] },
    ],
    aside: ['image'],
  },
  access: {
    read: {
      authenticated: { rows: { user: '$caller.id' } },
      // Unassigned consultations can be read and taken (contract §14).
      consultant: {
        rows: { $or: [{ user: '$caller.id' }, { consultant: '$caller.id' }, { consultant: { $null: true } }] },
      },
      admin: true,
    },
    create: {
      authenticated: {
        fields: ['question', 'category', 'region', 'district', 'language', 'image', 'attachments', 'chatroom'],
      },
      admin: true,
    },
    // The assignee and the end of a consultation change by the calls of chat §4.
    update: {
      authenticated: { rows: { user: '$caller.id' }, fields: ['rating'] },
      consultant: {
        rows: { consultant: '$caller.id' },
        fields: ['answer', 'category', 'region', 'district', 'language', 'is_public'],
      },
      admin: true,
    },
    remove: 'admin',
  },
})
