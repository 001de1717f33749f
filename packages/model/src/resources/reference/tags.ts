import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { relations } from '../../fields/link-kinds.ts'
import { colour, slug, text } from '../../fields/text-kinds.ts'
import { openReference } from '../listed.ts'

/** A label that groups news, courses and rooms. */
export const tags = defineResource({
  name: 'tags',
  wire: 'tags',
  screens: [{ path: 'settings/tags', section: 'settings', group: 'general' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    slug: localized(slug({ unique: true, slugFrom: 'name' })),
    color: colour(),
    news: relations('news', { inverse: 'tags' }),
  },
  list: { columns: ['name', 'slug', 'color', 'updatedAt'], search: ['name', 'slug'], sort: 'name' },
  form: { sections: [{ name: 'main', fields: ['name', 'slug', 'color'] }] },
  access: openReference,
})
