import { defineResource } from '../../declaration/define-resource.ts'
import { choiceOf } from '../../fields/value-kinds.ts'
import { orderedFields, namedList, nameFields, imageField } from '../listed.ts'

/** A group of trading posts: crop products, animals, machinery. */
export const tradingpostcategories = defineResource({
  name: 'tradingpostcategories',
  wire: 'tradingpostcategories',
  screens: [{ path: 'settings/trading-post-category', section: 'settings', group: 'market' }],
  drawingField: 'kind',
  fields: {
    ...nameFields,
    ...imageField,
    /** Kind of goods in the category. */
    kind: choiceOf(['grain', 'produce', 'livestock', 'machinery', 'seed', 'service', 'other'], {
      default: 'other',
      unsearched: true,
    }),
    ...orderedFields,
  },
  ...namedList({ main: ['slug', 'kind'], columns: ['slug', 'kind'], search: ['slug'], aside: ['image'] }),
})
