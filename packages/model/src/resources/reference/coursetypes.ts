import { defineResource } from '../../declaration/define-resource.ts'
import { orderedFields, namedList, nameFields } from '../listed.ts'

/** The form of a course: video, text, webinar, practical, mixed. */
export const coursetypes = defineResource({
  name: 'coursetypes',
  wire: 'coursetypes',
  screens: [{ path: 'settings/course-type', section: 'settings', group: 'learning' }],
  fields: { ...nameFields, ...orderedFields },
  ...namedList({ main: ['slug'], columns: ['slug'], search: ['slug'] }),
})
