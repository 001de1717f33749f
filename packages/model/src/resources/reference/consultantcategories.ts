import { defineResource } from '../../declaration/define-resource.ts'
import { readOnly } from '../../fields/field.ts'
import { relations } from '../../fields/link-kinds.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/** A specialism of consultants: agronomy, bees, irrigation. A consultant may have several. */
export const consultantcategories = defineResource({
  name: 'consultantcategories',
  wire: 'consultantcategories',
  screens: [{ path: 'settings/consultant-category', section: 'settings', group: 'advisory' }],
  fields: {
    ...describedFields,
    ...imageField,
    ...orderedFields,
    consultants: readOnly(relations('users', { inverse: 'consultantcategories' })),
  },
  ...namedList({ main: ['description', 'slug'], search: ['description'], aside: ['image'] }),
})
