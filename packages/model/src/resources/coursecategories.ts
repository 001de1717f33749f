import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** The field a course belongs to: crops, livestock, water. */
export const coursecategories = defineResource({
  name: 'coursecategories',
  wire: 'coursecategories',
  screens: [{ path: 'settings/course-category', section: 'settings', group: 'learning' }],
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
