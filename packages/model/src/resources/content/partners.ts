import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture } from '../../fields/link-kinds.ts'
import { link, longText, text } from '../../fields/text-kinds.ts'
import { choiceOf } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** A partner organisation of the service. */
export const partners = defineResource({
  name: 'partners',
  wire: 'partners',
  screens: [{ path: 'partners', section: 'content' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    image: picture({ preset: 'image' }),
    link: link(),
    kind: choiceOf(['training', 'finance', 'supply', 'science', 'government', 'other'], { default: 'other' }),
    ...orderedFields,
  },
  list: {
    columns: ['name', 'kind', 'link', 'order', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    search: ['name', 'description'],
    filters: ['active', 'kind'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['name', 'description'] },
      { name: 'details', fields: ['kind', 'link'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
