import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { choiceOf } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** A kind of service: ploughing, a loan, an insurance. Service announcements and tools are grouped by it. */
export const servicecategories = defineResource({
  name: 'servicecategories',
  wire: 'servicecategories',
  screens: [{ path: 'settings/service-category', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    section: choiceOf(['finance', 'business', 'any'], { default: 'any' }),
    image: picture({ preset: 'image' }),
    ...listed,
  },
  list: {
    columns: ['name', 'section', 'slug', 'order', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active', 'section'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug', 'section'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
