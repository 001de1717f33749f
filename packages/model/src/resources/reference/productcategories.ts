import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { decimalNumber, yesNoField } from '../../fields/value-kinds.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/**
 * A group of products, possibly inside another group. With `two_person_check` a second person publishes its
 * prices.
 */
export const productcategories = defineResource({
  name: 'productcategories',
  wire: 'productcategories',
  screens: [{ path: 'settings/product-category', section: 'settings', group: 'market' }],
  orderedPairs: [['moving_from', 'sharp_from']],
  fields: {
    ...describedFields,
    ...imageField,
    parent: relation('productcategories'),
    two_person_check: yesNoField({ default: false }),
    /**
     * Percent in seven days from which a price change is moving or sharp; the parent's values when absent.
     */
    moving_from: decimalNumber({ digits: [5, 2], min: 0, max: 500, exclusiveMin: true }),
    sharp_from: decimalNumber({ digits: [5, 2], min: 0, max: 500, exclusiveMin: true }),
    ...orderedFields,
  },
  ...namedList({
    main: ['description', 'slug'],
    columns: ['parent', 'two_person_check'],
    search: ['description'],
    filters: ['parent'],
    details: ['parent', 'two_person_check', 'moving_from', 'sharp_from'],
    aside: ['image'],
  }),
})
