import { defineResource } from '../define-resource.ts'
import { text } from '../fields/text-kinds.ts'
import { translated } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** How people are addressed. */
export const genders = defineResource({
  name: 'genders',
  wire: 'genders',
  screens: [{ path: 'settings/gender', section: 'settings', group: 'general' }],
  title: 'name',
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    code: text({ unique: true }),
    ...listed,
  },
  list: {
    columns: ['name', 'code', 'order', 'active', 'updatedAt'],
    search: ['name', 'code'],
    filters: ['active'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'code'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
