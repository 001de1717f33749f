import { defineResource } from '../../declaration/define-resource.ts'
import { choiceOf } from '../../fields/value-kinds.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/** A kind of service: ploughing, a loan, an insurance. It groups service announcements and tools. */
export const servicecategories = defineResource({
  name: 'servicecategories',
  wire: 'servicecategories',
  screens: [{ path: 'settings/service-category', section: 'settings', group: 'market' }],
  fields: {
    ...describedFields,
    section: choiceOf(['finance', 'business', 'any'], { default: 'any' }),
    ...imageField,
    ...orderedFields,
  },
  ...namedList({
    main: ['description', 'slug', 'section'],
    columns: ['section'],
    search: ['description'],
    filters: ['section'],
    aside: ['image'],
  }),
})
