import { defineResource } from '../define-resource.ts'
import { listed, namedList, nameFields, pictured } from './listed.ts'

/** A group of trading posts: crop products, animals, machinery. */
export const tradingpostcategories = defineResource({
  name: 'tradingpostcategories',
  wire: 'tradingpostcategories',
  screens: [{ path: 'settings/trading-post-category', section: 'settings', group: 'market' }],
  fields: { ...nameFields, ...pictured, ...listed },
  ...namedList({ main: ['slug'], columns: ['slug'], search: ['slug'], aside: ['image'] }),
})
