import { defineResource } from '../../declaration/define-resource.ts'
import { describedFields, orderedFields, namedList, imageField } from '../listed.ts'

/** A branch of farming: cotton, rice, beekeeping. It groups consultants and products. */
export const agrocultureareas = defineResource({
  name: 'agrocultureareas',
  wire: 'agrocultureareas',
  screens: [{ path: 'settings/agroculture-area', section: 'settings', group: 'market' }],
  fields: { ...describedFields, ...imageField, ...orderedFields },
  ...namedList({ main: ['description', 'slug'], search: ['description'], aside: ['image'] }),
})
