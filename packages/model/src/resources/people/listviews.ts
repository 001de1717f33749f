import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { integer, structure, yesNo } from '../../fields/value-kinds.ts'

const own: RowFilter = { owner: '$caller.id' }
/** Shared with the caller's role, or with one that is weaker. */
const shared: RowFilter = { role: { type: { $in: '$caller.rolesUpTo' } } }
const inReach: RowFilter = { $or: [own, shared] }

/** What everybody keeps for himself. Sharing puts words into the menus of others: that is for who works at the desk. */
const unshared = ['name', 'screen', 'state', 'pinned', 'standard', 'order'] as const

/** What opens by itself for others is set by staff (`role_standard`); `role` reaches up to one's own rank. */
const shareable = [...unshared, 'role'] as const

/** A way to look at a list that somebody keeps: filters, order, columns. For himself, or for a role and those above it. */
export const listviews = defineResource({
  name: 'listviews',
  wire: 'list-views',
  title: 'name',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    /** The path of the screen whose list it is. */
    screen: text({ required: true }),
    // Names of fields in it may be of an older model: who opens the view leaves out what is not there any more.
    state: structure({ keys: ['search', 'columns', 'widths', 'density', 'mode', 'group'], maxBytes: 16_384 }),
    owner: relation('users', { readOnly: true, caller: 'always', onDelete: 'cascade' }),
    /** With whom it is shared; private when empty. */
    role: relation('roles'),
    pinned: yesNo({ default: false }),
    /** What its owner's list opens with. */
    standard: yesNo({ default: false }),
    /** What the list of the role that it is shared with opens with, where they have chosen no other. */
    role_standard: yesNo({ default: false }),
    order: integer({ default: 0 }),
  },
  access: {
    read: { authenticated: { rows: inReach } },
    create: { authenticated: { fields: unshared }, consultant: { fields: shareable }, admin: true },
    write: {
      authenticated: { rows: own, fields: unshared },
      consultant: { rows: own, fields: shareable },
      admin: { rows: inReach },
    },
  },
})
