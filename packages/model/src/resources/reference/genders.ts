import { defineResource } from '../../declaration/define-resource.ts'
import { text } from '../../fields/text-kinds.ts'
import { translated } from '../../fields/value-kinds.ts'
import { orderedFields, namedList } from '../listed.ts'

/** The form of address of a person. */
export const genders = defineResource({
  name: 'genders',
  wire: 'genders',
  screens: [{ path: 'settings/gender', section: 'settings', group: 'general' }],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    code: text({ unique: true }),
    ...orderedFields,
  },
  ...namedList({ main: ['code'], columns: ['code'], search: ['code'] }),
})
