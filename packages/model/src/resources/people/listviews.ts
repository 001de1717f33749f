import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { integer, jsonField, yesNoField } from '../../fields/value-kinds.ts'

const ownViews: RowFilter = { owner: '$caller.id' }
/** Filter of saved views that are shared with the caller's role or with a lower one. */
const sharedViews: RowFilter = { role: { type: { $in: '$caller.rolesUpTo' } } }
const visibleViews: RowFilter = { $or: [ownViews, sharedViews] }

/**
 * Fields of private views. Sharing adds items to the menus of others, so it is limited to users of the desk.
 */
const unsharedFields = ['name', 'screen', 'state', 'pinned', 'standard', 'order'] as const

/** Only staff set the default view of others (`role_standard`); `role` is limited to the caller's rank. */
const shareableFields = [...unsharedFields, 'role'] as const

/** A saved view of a list: filters, order, columns. Private, or shared with a role and those above it. */
export const listviews = defineResource({
  name: 'listviews',
  wire: 'list-views',
  title: 'name',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    /** Path of the screen with the list of the saved view. */
    screen: text({ required: true }),
    // The stored state may contain field names of an older model, which the panel ignores.
    state: jsonField({ keys: ['search', 'columns', 'widths', 'density', 'mode', 'group'], maxBytes: 16_384 }),
    owner: relation('users', { readOnly: true, setToCaller: 'always', onDelete: 'cascade' }),
    /** Role that the saved view is shared with; private when empty. */
    role: relation('roles'),
    pinned: yesNoField({ default: false }),
    /** Whether the saved view is the default view of its owner. */
    standard: yesNoField({ default: false }),
    /** Whether the saved view is the default of its role, for users without a default of their own. */
    role_standard: yesNoField({ default: false }),
    order: integer({ default: 0 }),
  },
  access: {
    read: { authenticated: { rows: visibleViews } },
    create: { authenticated: { fields: unsharedFields }, consultant: { fields: shareableFields }, admin: true },
    write: {
      authenticated: { rows: ownViews, fields: unsharedFields },
      consultant: { rows: ownViews, fields: shareableFields },
      admin: { rows: visibleViews },
    },
  },
})
