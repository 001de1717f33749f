import { defineResource } from '../../declaration/define-resource.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/** The subject of a course: crops, livestock, water. */
export const coursecategories = defineResource({
  name: 'coursecategories',
  wire: 'coursecategories',
  screens: [{ path: 'settings/course-category', section: 'settings', group: 'learning' }],
  fields: { ...describedFields, ...imageField, ...orderedFields },
  ...namedList({ main: ['description', 'slug'], search: ['description'], aside: ['image'] }),
})
