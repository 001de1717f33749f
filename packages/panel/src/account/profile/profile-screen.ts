/**
 * The user's own account as a screen: the fields that the access rules let every user edit, whatever their
 * role.
 */
import { decideAccess, type Resource, resources, type Screen } from '@dala/model'

const { users } = resources

/** The fields of the own account that every user may write (contract §14). */
const ownAccountGrant = decideAccess(users.access, 'update', { role: 'authenticated', isConsultant: false })
const allowedFields = typeof ownAccountGrant === 'object' ? (ownAccountGrant.fields ?? []) : []

const sections = [
  { name: 'person', fields: ['name', 'surname', 'middlename', 'gender', 'birthdate'] },
  { name: 'contacts', fields: ['phone', 'region', 'district', 'address'] },
  { name: 'about', fields: ['about', 'agrocultureareas'] },
  { name: 'language', fields: ['language', 'script'] },
  { name: 'notifications', fields: ['chat_notify', 'quiet_from', 'quiet_to', 'digest_at'] },
]

const account: Resource = {
  ...users,
  // Users see their whole own account, but perhaps only a card of others, so the own account has a separate
  // address.
  recordPath: 'users/me',
  form: {
    sections: sections.map(({ name, fields }) => ({
      name,
      fields: fields.filter((field) => allowedFields.includes(field)),
    })),
    aside: ['avatar'],
  },
  access: { read: 'authenticated', update: { authenticated: { fields: allowedFields } } },
}

export const profileScreen: Screen = {
  path: 'profile',
  section: 'people',
  resource: account,
  labelPrefix: 'users',
  readPath: 'profile',
  editPath: 'profile',
}
