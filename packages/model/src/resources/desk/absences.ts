import type { RowFilter } from '../../access/access.ts'
import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { longText } from '../../fields/text-kinds.ts'
import { moment } from '../../fields/value-kinds.ts'

const ownAbsences: RowFilter = { user: '$caller.id' }
const ownFields = ['starts_at', 'ends_at', 'note'] as const

/** A time in which a consultant gets no new questions by routing; its note is for them and for staff. */
export const absences = defineResource({
  name: 'absences',
  wire: 'absences',
  screens: [{ path: 'settings/absences', section: 'settings', group: 'advisory' }],
  title: 'starts_at',
  orderedPairs: [['starts_at', 'ends_at']],
  fields: {
    user: relation('users', { onDelete: 'cascade', setToCaller: 'unlessStaff' }),
    starts_at: moment({ required: true }),
    ends_at: moment({ required: true }),
    note: longText({ maxLength: 250 }),
  },
  list: {
    columns: ['starts_at', 'ends_at', 'user', 'note'],
    search: ['note'],
    filters: ['user'],
    sort: 'starts_at:desc',
  },
  form: { sections: [{ name: 'main', fields: ['user', 'starts_at', 'ends_at', 'note'] }] },
  access: {
    read: { consultant: { rows: ownAbsences }, admin: true },
    create: { consultant: { fields: ownFields }, admin: true },
    update: { consultant: { rows: ownAbsences, fields: ownFields }, admin: true },
    remove: { consultant: { rows: ownAbsences }, admin: true },
  },
})
