import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { integer } from '../../fields/value-kinds.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/**
 * The subject of a question and the target times of its first and its later replies. Consultations, rooms and
 * FAQs refer to it.
 */
export const consultationcategories = defineResource({
  name: 'consultationcategories',
  wire: 'consultationcategories',
  screens: [{ path: 'settings/consultation-category', section: 'settings', group: 'advisory' }],
  fields: {
    ...describedFields,
    ...imageField,
    parent: relation('consultationcategories'),
    first_reply_minutes: integer({ default: 30, min: 0, unit: 'minutes' }),
    next_reply_minutes: integer({ default: 120, min: 0, unit: 'minutes' }),
    ...orderedFields,
  },
  ...namedList({
    main: ['description', 'slug'],
    columns: ['parent', 'first_reply_minutes'],
    search: ['description'],
    filters: ['parent'],
    details: ['parent', 'first_reply_minutes', 'next_reply_minutes'],
    aside: ['image'],
  }),
})
