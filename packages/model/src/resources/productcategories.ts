import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture, relation } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { yesNo } from '../fields/value-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** A group of products, inside another one or not. With `two_person_check` its prices are published by a second person. */
export const productcategories = defineResource({
  name: 'productcategories',
  wire: 'productcategories',
  screens: [{ path: 'settings/product-category', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    image: picture({ preset: 'image' }),
    parent: relation('productcategories'),
    two_person_check: yesNo({ default: false }),
    ...listed,
  },
  list: {
    columns: ['name', 'parent', 'two_person_check', 'order', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active', 'parent'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug', 'parent', 'two_person_check'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['image'],
  },
  access: activeContent,
})
