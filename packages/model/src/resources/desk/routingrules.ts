import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'
import { orderedFields } from '../listed.ts'
import { routingActions } from '../../desk/routing.ts'

/**
 * A rule for new questions: those of its category, region and language go to a person, to the best available
 * consultant, or to the queue. The first rule in order that finds somebody decides.
 */
export const routingrules = defineResource({
  name: 'routingrules',
  wire: 'routingrules',
  screens: [{ path: 'settings/routing-rules', section: 'settings', group: 'advisory' }],
  title: 'name',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    // A link that was cleared would widen the rule to all questions, so its target cannot be deleted.
    category: relation('consultationcategories', { onDelete: 'restrict' }),
    region: relation('regions', { onDelete: 'restrict' }),
    language: choiceOf(locales),
    action: choiceOf(routingActions, { default: 'best' }),
    person: relation('users', { onDelete: 'restrict' }),
    note: longText({ maxLength: 1000 }),
    ...orderedFields,
  },
  list: {
    columns: ['name', 'category', 'region', 'language', 'action', 'person', 'order', 'active'],
    search: ['name', 'note'],
    filters: ['active', 'action', 'category'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'note'] },
      { name: 'questions', fields: ['category', 'region', 'language'] },
      { name: 'target', fields: ['action', 'person'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: { read: { consultant: true, admin: true }, write: 'admin' },
})
