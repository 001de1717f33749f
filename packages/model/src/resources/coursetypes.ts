import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** The form a course has: video, text, webinar, practical, mixed. */
export const coursetypes = defineResource({
  name: 'coursetypes',
  wire: 'coursetypes',
  screens: [{ path: 'settings/course-type', section: 'settings', group: 'learning' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    slug: slug({ unique: true, slugFrom: 'name' }),
    ...listed,
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
