import { defineResource } from '../../declaration/define-resource.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, translated } from '../../fields/value-kinds.ts'
import { orderedFields, namedList } from '../listed.ts'

/**
 * The label and colour that the apps show for the state of a record. A row adds no transition; transitions
 * are declared with the state. The panel has its own labels and colours, in four languages and checked for
 * contrast.
 */
export const statuses = defineResource({
  name: 'statuses',
  wire: 'statuses',
  screens: [{ path: 'settings/statuses', section: 'settings', group: 'general' }],
  uniqueTogether: [['code', 'scope']],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    // The code of a status is a text, not a slug: codes of states have underscores.
    code: text({ required: true }),
    scope: choiceOf(['generic', 'consultation', 'post', 'order'], { default: 'generic' }),
    color: choiceOf(['grey', 'blue', 'teal', 'green', 'orange', 'red', 'purple']),
    ...orderedFields,
  },
  ...namedList({
    main: ['code', 'scope', 'color'],
    columns: ['code', 'scope', 'color'],
    search: ['code'],
    filters: ['scope'],
  }),
})
