import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, relation } from '../../fields/link-kinds.ts'
import { link, longText, rich, text } from '../../fields/text-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** An application or a calculator that helps farmers. */
export const tools = defineResource({
  name: 'tools',
  wire: 'tools',
  screens: [{ path: 'agri-tools', section: 'market' }],
  title: 'title',
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    content: localized(rich()),
    image: picture({ preset: 'image' }),
    link: link(),
    play_market_link: link(),
    appstore_link: link(),
    videourl: link({ video: true }),
    servicecategory: relation('servicecategories'),
    ...orderedFields,
  },
  list: {
    columns: ['title', 'servicecategory', 'order', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'image',
    search: ['title', 'description'],
    filters: ['active', 'servicecategory'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'content'] },
      { name: 'details', fields: ['servicecategory'] },
      { name: 'links', fields: ['link', 'play_market_link', 'appstore_link', 'videourl'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
