import { defineResource } from '../../declaration/define-resource.ts'
import { picture, relation, relations } from '../../fields/link-kinds.ts'
import { email, hoursOfWeek, longText, password, text, timeOfDay } from '../../fields/text-kinds.ts'
import { choiceOf, day, integer, moment, yesNoField } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'
import { scripts } from '../../text/script/scripts.ts'

/** Fields of the questions that routing gives a consultant. */
const answeringFields = [
  'answers_categories',
  'answers_regions',
  'answers_en',
  'answers_ru',
  'answers_uz',
  'answers_kaa',
  'working_hours',
  'max_open',
] as const

/** An account: a farmer, a consultant or a member of staff. */
export const users = defineResource({
  name: 'users',
  wire: 'users',
  screens: [
    {
      path: 'consultants',
      section: 'advice',
      labelPrefix: 'consultants',
      fixedValues: { is_consultant: true },
      overview: true,
      list: {
        columns: ['name', 'district', 'consultantcategories', 'language', 'active', 'last_seen_at'],
        extraFields: ['region', 'blocked', 'confirmed', 'last_seen_at'],
        filters: ['active', 'region', 'language'],
        sort: 'name',
      },
      form: {
        sections: [
          { name: 'person', fields: ['name', 'surname', 'middlename', 'gender', 'birthdate', 'language', 'script'] },
          { name: 'contacts', fields: ['phone', 'email', 'region', 'district', 'address'] },
          {
            name: 'consultant',
            fields: ['consultantcategories', 'agrocultureareas', 'position', 'experience_years', 'company', 'branch'],
          },
          { name: 'answering', fields: answeringFields },
          { name: 'about', fields: ['about'] },
          { name: 'notifications', fields: ['chat_notify', 'quiet_from', 'quiet_to', 'digest_at'] },
          { name: 'account', fields: ['username', 'password', 'role', 'confirmed', 'active', 'blocked'] },
        ],
        aside: ['avatar'],
      },
    },
    { path: 'people/users', section: 'people', overview: true },
  ],
  title: 'username',
  titleFields: ['name', 'surname'],
  unwrapped: true,
  accounts: true,
  notFound: 'user.not-found',
  card: ['username', 'name', 'surname', 'first_name', 'last_name', 'avatar'],
  fields: {
    username: text({
      required: true,
      unique: true,
      caseInsensitive: true,
      minLength: 3,
      maxLength: 30,
      message: 'validation.name',
    }),
    email: email({ required: true, unique: true, message: 'validation.email' }),
    password: password({ required: true, message: 'validation.password' }),
    provider: text({ readOnly: true, default: 'local' }),
    confirmed: yesNoField({ default: true }),
    blocked: yesNoField({ default: false }),
    // Reason for blocking the account, for users who manage accounts; deleted when the account is unblocked.
    blocked_reason: text(),
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
    // The script of letters, notices and files in a language that has two.
    script: choiceOf(scripts, { default: 'latin', unsearched: true }),
    is_consultant: yesNoField({ default: false }),
    consultantcategories: relations('consultantcategories', { inverse: 'consultants' }),
    agrocultureareas: relations('agrocultureareas'),
    // Questions that routing gives the consultant; nothing chosen means all of them.
    answers_categories: relations('consultationcategories'),
    answers_regions: relations('regions'),
    answers_en: yesNoField({ default: false }),
    answers_ru: yesNoField({ default: false }),
    answers_uz: yesNoField({ default: false }),
    answers_kaa: yesNoField({ default: false }),
    // Hours in which routing gives the consultant questions; those of the office when empty.
    working_hours: hoursOfWeek({ unsearched: true }),
    max_open: integer({ min: 0, max: 1000 }),
    position: text(),
    about: longText(),
    experience_years: integer({ min: 0, max: 80, unit: 'years' }),
    company: relation('companies'),
    branch: relation('branches'),
    active: yesNoField({ default: true }),
    // Choice of the chat rooms that notify the user, and the quiet hours without notifications (chat §5).
    chat_notify: choiceOf(['all', 'mine', 'none'], { default: 'mine', unsearched: true }),
    quiet_from: timeOfDay({ unsearched: true }),
    quiet_to: timeOfDay({ unsearched: true }),
    // The time of the daily letter with notices.
    digest_at: timeOfDay({ unsearched: true }),
    last_seen_at: moment({ readOnly: true }),
    // A deleted user keeps a row while messages, consultations or posts refer to them (content-model §1).
    removed_at: moment({ readOnly: true, private: true }),
  },
  baseFilter: { removed_at: { $null: true } },
  list: {
    columns: ['name', 'email', 'district', 'role', 'active', 'last_seen_at'],
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'avatar',
    subtitle: 'phone',
    extraFields: ['region', 'blocked', 'confirmed', 'is_consultant', 'last_seen_at'],
    search: ['username', 'name', 'surname', 'email', 'phone'],
    filters: ['active', 'role', 'region'],
    sort: 'createdAt:desc',
  },
  form: {
    sections: [
      { name: 'account', fields: ['username', 'email', 'password', 'role', 'confirmed', 'active', 'blocked'] },
      { name: 'person', fields: ['name', 'surname', 'middlename', 'gender', 'birthdate', 'language', 'script'] },
      { name: 'contacts', fields: ['phone', 'region', 'district', 'address'] },
      { name: 'work', fields: ['company', 'branch', 'position', 'about'] },
      {
        name: 'consultant',
        fields: ['is_consultant', 'consultantcategories', 'agrocultureareas', 'experience_years'],
      },
      { name: 'answering', fields: answeringFields },
      { name: 'notifications', fields: ['chat_notify', 'quiet_from', 'quiet_to', 'digest_at'] },
    ],
    aside: ['avatar'],
  },
  access: {
    read: {
      // A signed-in user sees cards of consultants and their own; `me` has the rest (contract §14).
      authenticated: {
        rows: { $or: [{ id: '$caller.id' }, { is_consultant: true, active: true, blocked: false }] },
        card: true,
      },
      admin: { rows: { $or: [{ id: '$caller.id' }, { role: { type: { $in: '$caller.rolesBelow' } } }] } },
      owner: true,
    },
    write: { admin: { rows: { role: { type: { $in: '$caller.rolesBelow' } } } }, owner: true },
    update: {
      // Users edit their own profile, except the fields for rights and sign-in (contract §14).
      authenticated: {
        rows: { id: '$caller.id' },
        fields: [
          'name',
          'middlename',
          'surname',
          'gender',
          'avatar',
          'phone',
          'birthdate',
          'address',
          'region',
          'district',
          'language',
          'script',
          'about',
          'agrocultureareas',
          'chat_notify',
          'quiet_from',
          'quiet_to',
          'digest_at',
        ],
      },
      admin: { rows: { $or: [{ id: '$caller.id' }, { role: { type: { $in: '$caller.rolesBelow' } } }] } },
      owner: true,
    },
  },
})
