import { defineResource } from '../../declaration/define-resource.ts'
import { describedFields, orderedFields, namedList } from '../listed.ts'

/** The legal and trade form of a farmer: a farm, a household plot, a cooperative. */
export const activitytypes = defineResource({
  name: 'activitytypes',
  wire: 'activitytypes',
  screens: [{ path: 'settings/activity-type', section: 'settings', group: 'market' }],
  fields: { ...describedFields, ...orderedFields },
  ...namedList({ main: ['description', 'slug'], search: ['description'] }),
})
