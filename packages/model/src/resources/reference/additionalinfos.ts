import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture } from '../../fields/link-kinds.ts'
import { link, rich, text } from '../../fields/text-kinds.ts'
import { activeContent, orderedFields, pictureModes } from '../listed.ts'

/** A text for one part of the apps, which find it by its key: `consultation.rules`. */
export const additionalinfos = defineResource({
  name: 'additionalinfos',
  wire: 'additionalinfos',
  screens: [{ path: 'settings/additional-info', section: 'settings', group: 'general' }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(rich()),
    key: text({ unique: true }),
    image: picture({ preset: 'image' }),
    link: link(),
    ...orderedFields,
  },
  list: {
    columns: ['title', 'key', 'order', 'active', 'updatedAt'],
    search: ['title', 'key'],
    filters: ['active'],
    sort: 'order',
    ...pictureModes('image'),
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description'] },
      { name: 'details', fields: ['key', 'link'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
