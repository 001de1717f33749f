import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, pictures, relation } from '../../fields/link-kinds.ts'
import { longText, slug, text } from '../../fields/text-kinds.ts'
import { decimalNumber, jsonField } from '../../fields/value-kinds.ts'
import { activeContent, orderedFields } from '../listed.ts'

/** A product that is grown, sold and priced. Price lists and trading posts refer to it. */
export const products = defineResource({
  name: 'products',
  wire: 'products',
  screens: [{ path: 'settings/product', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    productcategory: relation('productcategories'),
    price: decimalNumber({ digits: [14, 2], min: 0, unit: 'money' }),
    amount: decimalNumber({ digits: [14, 3], min: 0 }),
    unit: relation('units'),
    mainPhoto: picture(),
    gallery: pictures(),
    agroculturearea: relation('agrocultureareas'),
    /** Other spellings of the name, by which an import finds the product. */
    aliases: jsonField({ list: 'textList' }),
    ...orderedFields,
  },
  list: {
    columns: ['name', 'productcategory', 'price', 'unit', 'order', 'active', 'updatedAt'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'mainPhoto',
    search: ['name', 'description'],
    filters: ['active', 'productcategory', 'agroculturearea', 'unit'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug', 'productcategory', 'agroculturearea', 'aliases'] },
      { name: 'price', fields: ['price', 'amount', 'unit'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
    aside: ['mainPhoto', 'gallery'],
  },
  access: activeContent,
})
