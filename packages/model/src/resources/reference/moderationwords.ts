import { defineResource } from '../../declaration/define-resource.ts'
import { text } from '../../fields/text-kinds.ts'
import { yesNoField } from '../../fields/value-kinds.ts'

/** Words in trading posts that a moderator must check; they match in both scripts. */
export const moderationwords = defineResource({
  name: 'moderationwords',
  wire: 'moderationwords',
  screens: [{ path: 'settings/moderation-words', section: 'settings', group: 'market' }],
  title: 'word',
  fields: {
    word: text({ required: true, unique: true, maxLength: 64 }),
    active: yesNoField({ default: true }),
  },
  list: { columns: ['word', 'active', 'updatedAt'], search: ['word'], filters: ['active'], sort: 'word' },
  form: { sections: [{ name: 'main', fields: ['word', 'active'] }] },
  access: { read: 'admin', write: 'admin' },
})
