import { defineResource } from '../../declaration/define-resource.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, translated } from '../../fields/value-kinds.ts'
import { orderedFields } from '../listed.ts'

/**
 * A reason to return, reject or report a trading post. Moderators choose by its label; its text is sent to
 * the author in their own language (market §7).
 */
export const moderationreasons = defineResource({
  name: 'moderationreasons',
  wire: 'moderationreasons',
  screens: [{ path: 'settings/moderation-reasons', section: 'settings', group: 'market' }],
  title: 'label',
  fields: {
    label: translated({ required: true, message: 'validation.name' }),
    code: text({ required: true, unique: true, maxLength: 64 }),
    text: translated({ required: true, maxLength: 1000 }),
    applies_to: choiceOf(['decision', 'needs_changes', 'rejected', 'report'], { default: 'decision' }),
    ...orderedFields,
  },
  list: {
    columns: ['label', 'code', 'applies_to', 'order', 'active', 'updatedAt'],
    search: ['label', 'code'],
    filters: ['active', 'applies_to'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['label', 'code', 'text', 'applies_to'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: {
    read: { authenticated: { rows: { active: true, applies_to: 'report' } }, admin: true },
    write: 'admin',
  },
})
