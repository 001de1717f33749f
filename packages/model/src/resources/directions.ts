import { defineResource } from '../define-resource.ts'
import { readOnly } from '../fields/field.ts'
import { relations } from '../fields/link-kinds.ts'
import { slug } from '../fields/text-kinds.ts'
import { translated } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** A direction of work of companies; the company card lists them. */
export const directions = defineResource({
  name: 'directions',
  wire: 'directions',
  screens: [{ path: 'settings/direction', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    slug: slug({ unique: true, slugFrom: 'name' }),
    ...listed,
    companies: readOnly(relations('companies', { inverse: 'directions' })),
  },
  list: {
    columns: ['name', 'slug', 'order', 'active', 'updatedAt'],
    search: ['name', 'slug'],
    filters: ['active'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'slug'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
