import { defineResource } from '../../declaration/define-resource.ts'
import { orderedFields, namedList, nameFields, imageField } from '../listed.ts'

/** The kind of a company: a producer, a supplier, a processor. */
export const companycategories = defineResource({
  name: 'companycategories',
  wire: 'companycategories',
  screens: [{ path: 'settings/company-category', section: 'settings', group: 'market' }],
  fields: { ...nameFields, ...imageField, ...orderedFields },
  ...namedList({ main: ['slug'], columns: ['slug'], search: ['slug'], aside: ['image'] }),
})
