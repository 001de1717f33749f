import { defineResource } from '../define-resource.ts'
import { localized } from '../fields/field.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { activeContent, listed } from './listed.ts'

/** What a farmer is by law and by trade: a farm, a household plot, a cooperative. */
export const activitytypes = defineResource({
  name: 'activitytypes',
  wire: 'activitytypes',
  screens: [{ path: 'settings/activity-type', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: localized(text({ required: true, message: 'validation.name' })),
    description: localized(longText()),
    slug: slug({ unique: true, slugFrom: 'name' }),
    ...listed,
  },
  list: {
    columns: ['name', 'slug', 'order', 'active', 'updatedAt'],
    search: ['name', 'description'],
    filters: ['active'],
    sort: 'order',
  },
  form: {
    sections: [
      { name: 'main', fields: ['name', 'description', 'slug'] },
      { name: 'show', fields: ['active', 'order'] },
    ],
  },
  access: activeContent,
})
