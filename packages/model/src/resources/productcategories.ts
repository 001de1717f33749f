import { defineResource } from '../define-resource.ts'
import { relation } from '../fields/link-kinds.ts'
import { yesNo } from '../fields/value-kinds.ts'
import { describedFields, listed, namedList, pictured } from './listed.ts'

/** A group of products, inside another one or not. With `two_person_check` its prices are published by a second person. */
export const productcategories = defineResource({
  name: 'productcategories',
  wire: 'productcategories',
  screens: [{ path: 'settings/product-category', section: 'settings', group: 'market' }],
  fields: {
    ...describedFields,
    ...pictured,
    parent: relation('productcategories'),
    two_person_check: yesNo({ default: false }),
    ...listed,
  },
  ...namedList({
    main: ['description', 'slug'],
    columns: ['parent', 'two_person_check'],
    search: ['description'],
    filters: ['parent'],
    details: ['parent', 'two_person_check'],
    aside: ['image'],
  }),
})
