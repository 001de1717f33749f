/** One's own account as a screen: what the access table lets everybody keep of himself, whatever his role. */
import { decide, type Resource, resources, type Screen } from '@dala/model'

const { users } = resources

/** The fields everybody writes of his own account (contract §14). */
const own = decide(users.access, 'update', { role: 'authenticated', isConsultant: false })
const kept = typeof own === 'object' ? (own.fields ?? []) : []

const sections = [
  { name: 'person', fields: ['name', 'surname', 'middlename', 'gender', 'birthdate'] },
  { name: 'contacts', fields: ['phone', 'region', 'district', 'address'] },
  { name: 'about', fields: ['about', 'agrocultureareas'] },
  { name: 'language', fields: ['language'] },
  { name: 'notifications', fields: ['chat_notify', 'quiet_from', 'quiet_to'] },
]

const account: Resource = {
  ...users,
  // Of himself everybody sees the whole, of others perhaps a card: the own account has an address of its own.
  readAt: 'users/me',
  form: {
    sections: sections.map(({ name, fields }) => ({ name, fields: fields.filter((field) => kept.includes(field)) })),
    aside: ['avatar'],
  },
  access: { read: 'authenticated', update: { authenticated: { fields: kept } } },
}

export const profileScreen: Screen = {
  path: 'profile',
  section: 'people',
  resource: account,
  words: 'users',
  seen: 'profile',
  edited: 'profile',
}
