import { defineResource } from '../define-resource.ts'
import { localized, readOnly } from '../fields/field.ts'
import { picture, relations } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** What a consultant knows about: agronomy, bees, irrigation. A consultant may have several. */
export const consultantcategories = defineResource({
  name: 'consultantcategories',
  wire: 'consultantcategories',
  screens: [{ path: 'settings/consultant-category', section: 'settings', group: 'advisory' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    image: picture({ preset: 'image' }),
    ...listed,
    consultants: readOnly(relations('users', { inverse: 'consultantcategories' })),
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
