import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture, relation } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { integer } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** What a question is about, and how soon it wants its first reply. Consultations, rooms and FAQs point here. */
export const consultationcategories = defineResource({
  name: 'consultationcategories',
  wire: 'consultationcategories',
  screens: [{ path: 'settings/consultation-category', section: 'settings', group: 'advisory' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    image: picture({ preset: 'image' }),
    parent: relation('consultationcategories'),
    first_reply_minutes: integer({ default: 30, min: 0, unit: 'minutes' }),
    ...listed,
  },
  list: {
    columns: ['name', 'parent', 'first_reply_minutes', 'order', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active', 'parent'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug'] },
      { name: 'details', fields: ['parent', 'first_reply_minutes'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
