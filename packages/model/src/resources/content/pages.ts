import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, relation } from '../../fields/link-kinds.ts'
import { longText, rich, slug, text } from '../../fields/text-kinds.ts'
import { choiceOf } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields, pictureModes } from '../listed.ts'

/** A page of the apps that changes rarely: terms, help, contacts. */
export const pages = defineResource({
  name: 'pages',
  wire: 'pages',
  screens: [{ path: 'pages', section: 'content', editPath: 'pages/update', extraPaths: ['pages/pages'] }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    content: localized(rich()),
    slug: slug({ required: true, unique: true, slugFrom: 'title' }),
    image: picture({ preset: 'image' }),
    placement: choiceOf(['menu', 'footer', 'hidden'], { default: 'footer' }),
    parent: relation('pages'),
    ...orderedFields,
  },
  list: {
    columns: ['title', 'slug', 'placement', 'parent', 'order', 'active', 'updatedAt'],
    search: ['title', 'description', 'slug'],
    filters: ['active', 'placement', 'parent'],
    sort: 'order',
    ...pictureModes('image'),
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'content'] },
      { name: 'details', fields: ['slug', 'placement', 'parent'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
