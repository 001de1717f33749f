import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, pictures, relation, relations } from '../../fields/link-kinds.ts'
import { link, longText, rich, text } from '../../fields/text-kinds.ts'
import { choiceOf, day, integer, yesNoField } from '../../fields/value-kinds.ts'
import { activeContent } from '../listed.ts'

/** A news item, an announcement or an event. */
export const news = defineResource({
  name: 'news',
  wire: 'news',
  screens: [{ path: 'news', section: 'content' }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    content: localized(rich()),
    image: picture({ preset: 'image' }),
    gallery: pictures(),
    link: link(),
    videourl: link({ video: true }),
    kind: choiceOf(['news', 'announcement', 'event'], { default: 'news' }),
    date: day(),
    views: integer({ default: 0, min: 0 }),
    featured: yesNoField({ default: false }),
    tags: relations('tags', { inverse: 'news' }),
    region: relation('regions'),
    active: yesNoField({ default: true }),
  },
  list: {
    columns: ['title', 'region', 'date', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    search: ['title', 'description'],
    filters: ['active', 'region', 'kind'],
    sort: 'date:desc',
    sortable: ['views', 'featured'],
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'content'] },
      { name: 'details', fields: ['kind', 'date', 'region', 'tags'] },
      { name: 'links', fields: ['link', 'videourl'] },
      { name: 'show', fields: ['active', 'featured'] },
    ],
    aside: ['image', 'gallery'],
  },
  access: activeContent,
})
