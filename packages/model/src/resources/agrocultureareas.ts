import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** A branch of farming: cotton, rice, beekeeping. Consultants and products are grouped by it. */
export const agrocultureareas = defineResource({
  name: 'agrocultureareas',
  wire: 'agrocultureareas',
  screens: [{ path: 'settings/agroculture-area', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    image: picture({ preset: 'image' }),
    ...listed,
  },
  list: {
    columns: ['name', 'slug', 'order', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
