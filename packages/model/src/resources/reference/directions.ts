import { defineResource } from '../../declaration/define-resource.ts'
import { readOnly } from '../../fields/field.ts'
import { relations } from '../../fields/link-kinds.ts'
import { slug } from '../../fields/text-kinds.ts'
import { translated } from '../../fields/value-kinds.ts'
import { orderedFields, namedList } from '../listed.ts'

/** A field of business of companies, shown on the company card. */
export const directions = defineResource({
  name: 'directions',
  wire: 'directions',
  screens: [{ path: 'settings/direction', section: 'settings', group: 'market' }],
  fields: {
    name: translated({ required: true, message: 'validation.name' }),
    slug: slug({ unique: true, slugFrom: 'name' }),
    ...orderedFields,
    companies: readOnly(relations('companies', { inverse: 'directions' })),
  },
  ...namedList({ main: ['slug'], columns: ['slug'], search: ['slug'] }),
})
