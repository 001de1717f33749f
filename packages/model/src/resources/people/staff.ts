import { defineResource } from '../../declaration/define-resource.ts'
import { users } from './users.ts'

/** The accounts of users who work in the panel: their role is owner, super-admin or admin (contract §3). */
export const staff = defineResource({
  name: 'staff',
  wire: 'staff',
  screens: [{ path: 'people/staff', section: 'people', overview: true }],
  title: 'username',
  titleFields: ['name', 'surname'],
  storedAs: 'users',
  accounts: true,
  baseFilter: { removed_at: { $null: true }, role: { type: { $in: ['owner', 'super-admin', 'admin'] } } },
  fields: users.fields,
  list: {
    columns: ['name', 'email', 'role', 'branch', 'position', 'active', 'last_seen_at'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'avatar',
    subtitle: 'phone',
    extraFields: ['blocked', 'confirmed', 'last_seen_at'],
    search: ['username', 'name', 'surname', 'email', 'phone'],
    filters: ['active', 'role', 'branch'],
    sort: 'name',
  },
  form: {
    sections: [
      { name: 'account', fields: ['username', 'email', 'password', 'role', 'active', 'blocked'] },
      { name: 'person', fields: ['name', 'surname', 'middlename', 'gender', 'birthdate', 'language', 'script'] },
      { name: 'contacts', fields: ['phone', 'region', 'district', 'address'] },
      { name: 'work', fields: ['position', 'branch', 'company', 'about'] },
    ],
    aside: ['avatar'],
  },
  access: {
    read: {
      admin: { rows: { $or: [{ id: '$caller.id' }, { role: { type: { $in: '$caller.rolesBelow' } } }] } },
      owner: true,
    },
    // An administrator outranks no member of staff.
    create: 'super-admin',
    write: { admin: { rows: { role: { type: { $in: '$caller.rolesBelow' } } } }, owner: true },
  },
})
