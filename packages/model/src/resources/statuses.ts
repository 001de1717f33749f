import { defineResource } from '../define-resource.ts'
import { text } from '../fields/text-kinds.ts'
import { choiceOf, translated } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** The word and the colour of a state's code. A row adds no transition: those are declared with the state. */
export const statuses = defineResource({
  name: 'statuses',
  wire: 'statuses',
  screens: [{ path: 'settings/statuses', section: 'settings', group: 'general' }],
  title: 'name',
  uniqueTogether: [['code', 'scope']],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    // A text, not a slug: codes of states have underscores.
    code: text({ required: true }),
    scope: choiceOf(['generic', 'consultation', 'post', 'order'], { default: 'generic' }),
    color: choiceOf(['grey', 'blue', 'teal', 'green', 'orange', 'red', 'purple']),
    ...listed,
  },
  list: {
    columns: ['name', 'code', 'scope', 'color', 'order', 'active', 'updatedAt'],
    search: ['name', 'code'],
    filters: ['active', 'scope'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'code', 'scope', 'color'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
