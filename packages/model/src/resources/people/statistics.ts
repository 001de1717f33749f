import { defineResource } from '../../declaration/define-resource.ts'
import { computedField } from '../../fields/field.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, moment, translated } from '../../fields/value-kinds.ts'

/**
 * A report: its key, its name and its description. The figures come from a separate call
 * (docs/spec/statistics.md).
 */
export const statistics = defineResource({
  name: 'statistics',
  wire: 'statistics',
  screens: [{ path: 'statistics', section: 'insight', overview: true }],
  title: 'title',
  noTrash: true,
  fields: {
    key: text({ unique: true }),
    title: translated(),
    description: translated({ maxLength: 10_000 }),
    group: choiceOf(['overview', 'advice', 'content', 'market', 'learning', 'people']),
    // Reports name the time of the last change `updated_at`; the wire names it `updatedAt`.
    updated_at: computedField(moment()),
  },
  list: {
    columns: ['title', 'description', 'group'],
    search: ['title', 'description'],
    segments: 'group',
    filters: ['group'],
    sort: 'id',
  },
  access: {
    // Consultants see their own row beside the median of the team (statistics §4).
    read: { consultant: { rows: { key: { $in: ['consultations', 'consultants'] } } }, admin: true },
  },
})
