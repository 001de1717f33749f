import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relation, relations } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf } from '../../fields/value-kinds.ts'

const ownTemplates: RowFilter = { author: '$caller.id', scope: 'mine' }
const visibleTemplates: RowFilter = { $or: [ownTemplates, { scope: 'shared' }] }

/** Fields of private templates; only staff share templates with the whole desk. */
const unsharedFields = ['title', 'text', 'tags'] as const

/**
 * A canned reply of the chat desk, with `{{variables}}` that are filled in when it is inserted into a message
 * (chat §5). Private, or shared with all consultants; farmers cannot read it.
 */
export const replytemplates = defineResource({
  name: 'replytemplates',
  wire: 'replytemplates',
  screens: [{ path: 'settings/reply-templates', section: 'settings', group: 'advisory' }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    text: localized(longText({ required: true, maxLength: 4000 })),
    tags: relations('tags'),
    scope: choiceOf(['mine', 'shared'], { default: 'mine', unsearched: true }),
    author: relation('users', { readOnly: true, setToCaller: 'always' }),
  },
  list: {
    columns: ['title', 'scope', 'tags', 'author', 'updatedAt'],
    search: ['title', 'text'],
    filters: ['scope', 'tags'],
    sort: 'title',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'text'] },
      { name: 'details', fields: ['scope', 'tags'] },
    ],
  },
  access: {
    read: { consultant: { rows: visibleTemplates }, admin: { rows: visibleTemplates } },
    create: { consultant: { fields: unsharedFields }, admin: true },
    update: { consultant: { rows: ownTemplates, fields: unsharedFields }, admin: { rows: visibleTemplates } },
    remove: { consultant: { rows: ownTemplates }, admin: { rows: visibleTemplates } },
  },
})
