import { defineResource } from '../define-resource.ts'
import { picture, relation } from '../fields/link-kinds.ts'
import { email, longText, password, text } from '../fields/text-kinds.ts'
import { choiceOf, day, integer, moment, yesNo } from '../fields/value-kinds.ts'
import { locales } from '../locales.ts'

/** An account: a farmer, a consultant or one of the staff. */
export const users = defineResource({
  name: 'users',
  wire: 'users',
  title: 'username',
  unwrapped: true,
  card: ['username', 'name', 'surname', 'first_name', 'last_name', 'avatar'],
  fields: {
    username: text({
      required: true,
      unique: true,
      caseless: true,
      minLength: 3,
      maxLength: 30,
      message: 'validation.name',
    }),
    email: email({ required: true, unique: true, message: 'validation.email' }),
    password: password({ required: true, message: 'validation.password' }),
    provider: text({ readOnly: true, default: 'local' }),
    confirmed: yesNo({ default: true }),
    blocked: yesNo({ default: false }),
    role: relation('roles', { required: true, onDelete: 'restrict' }),
    name: text(),
    middlename: text(),
    surname: text(),
    first_name: text({ readOnly: true, from: 'name' }),
    last_name: text({ readOnly: true, from: 'surname' }),
    gender: relation('genders'),
    avatar: picture({ preset: 'avatar' }),
    phone: text(),
    birthdate: day(),
    address: longText(),
    region: relation('regions'),
    district: relation('districts'),
    language: choiceOf(locales, { default: 'ru' }),
    is_consultant: yesNo({ default: false }),
    position: text(),
    about: longText(),
    experience_years: integer({ min: 0, max: 80 }),
    active: yesNo({ default: true }),
    last_seen_at: moment({ readOnly: true }),
  },
  access: {
    read: {
      // A signed-in reader sees the cards of consultants and of himself; `me` has the rest (contract §14).
      authenticated: {
        rows: { $or: [{ id: '$caller.id' }, { is_consultant: true, active: true, blocked: false }] },
        card: true,
      },
      admin: { rows: { $or: [{ id: '$caller.id' }, { role: { type: { $in: '$caller.rolesBelow' } } }] } },
      owner: true,
    },
  },
})
