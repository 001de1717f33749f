import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** A group of trading posts: crop products, animals, machinery. */
export const tradingpostcategories = defineResource({
  name: 'tradingpostcategories',
  wire: 'tradingpostcategories',
  screens: [{ path: 'settings/trading-post-category', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    slug: slug({ unique: true, slugFrom: 'name' }),
    image: picture({ preset: 'image' }),
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
    aside: ['image'],
  },
  access: activeContent,
})
