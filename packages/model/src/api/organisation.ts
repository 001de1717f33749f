/**
 * Settings that belong to the organisation and that an owner changes in the panel: one declaration, from which the
 * server checks values and the panel makes its form.
 */
import { colourModes, palettes } from '../appearance.ts'
import type { Issue } from '../errors/errors.ts'
import { countCharacters, isStorable } from '../fields/kind.ts'
import { maxInteger } from '../fields/value-kinds.ts'
import { type Locale, locales } from '../locales.ts'
import { readWorkingHours } from '../time/working-time.ts'

/** A limit of attempts in a time. */
export interface AttemptLimit {
  failures: number
  seconds: number
}

/** A text in each language; null for a language without one. */
export type LocalTexts = Readonly<Record<Locale, string | null>>

/** A picture of the library, with its name and address when it was chosen. */
export interface OrganisationPicture {
  readonly id: number
  readonly name: string
  readonly url: string
}

interface Declared {
  /** Part of the form. */
  group: 'identity' | 'appearance' | 'letters' | 'desk' | 'accounts' | 'attempts'
  /** Variable of the environment that sets it for the whole installation; such a value wins. */
  variable?: string
}

/** The declaration of a setting by its kind. */
export type OrganisationSetting = Declared &
  (
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly string[] }
    | { kind: 'amount'; unit: 'hour' | 'minute'; min: number; max: number }
    | { kind: 'week' }
    | { kind: 'attempts' }
    | { kind: 'picture'; maxBytes: number }
    | { kind: 'texts'; maxLength: number; isMultiline?: boolean }
  )

/** Most attempts that a limit may allow, and its longest time, which the environment shares. */
export const mostFailures = 10_000
export const longestLimitSeconds = 86_400
/** Shortest time of a limit that is set in the panel, where it is given in minutes. */
const shortestLimitSeconds = 60

/** Hours for which the link of an invitation may be good. */
const invitationHours = { min: 1, max: 336 } as const

/** Working minutes that a target of a reply may have: up to a week of days and nights. */
const replyMinutes = { min: 1, max: 10_080 } as const
/** Working hours that the target of a decision may have. */
const decisionHours = { min: 1, max: 168 } as const
/** Longest text of working hours; one entry for each day needs less. */
export const longestWeek = 255

/** Every setting, in the order of the form. */
export const organisationSettings = {
  name: { kind: 'texts', group: 'identity', maxLength: 80 },
  logo: { kind: 'picture', group: 'appearance', maxBytes: 2_000_000 },
  palette: { kind: 'choice', group: 'appearance', options: palettes },
  colour_mode: { kind: 'choice', group: 'appearance', options: colourModes },
  letter_invitation: { kind: 'texts', group: 'letters', maxLength: 1_000, isMultiline: true },
  letter_closing: { kind: 'texts', group: 'letters', maxLength: 200, isMultiline: true },
  letter_contact: { kind: 'texts', group: 'letters', maxLength: 500, isMultiline: true },
  working_hours: { kind: 'week', group: 'desk', variable: 'WORKING_HOURS' },
  first_reply_minutes: { kind: 'amount', unit: 'minute', group: 'desk', ...replyMinutes },
  next_reply_minutes: { kind: 'amount', unit: 'minute', group: 'desk', ...replyMinutes },
  decision_hours: { kind: 'amount', unit: 'hour', group: 'desk', ...decisionHours },
  registration: { kind: 'switch', group: 'accounts', variable: 'REGISTRATION' },
  password_policy: {
    kind: 'choice',
    group: 'accounts',
    variable: 'PASSWORD_POLICY',
    options: ['spec', 'strict'],
  },
  invite_hours: { kind: 'amount', unit: 'hour', group: 'accounts', variable: 'INVITE_HOURS', ...invitationHours },
  login_throttle: { kind: 'attempts', group: 'attempts', variable: 'LOGIN_THROTTLE' },
  address_throttle: { kind: 'attempts', group: 'attempts', variable: 'ADDRESS_THROTTLE' },
  register_throttle: { kind: 'attempts', group: 'attempts', variable: 'REGISTER_THROTTLE' },
  forgot_throttle: { kind: 'attempts', group: 'attempts', variable: 'FORGOT_THROTTLE' },
  letter_throttle: { kind: 'attempts', group: 'attempts', variable: 'LETTER_THROTTLE' },
} as const satisfies Readonly<Record<string, OrganisationSetting>>

type Declarations = typeof organisationSettings
/** The key of a setting. */
export type OrganisationKey = keyof Declarations

type ValueOf<S extends OrganisationSetting> = S extends { kind: 'switch' }
  ? boolean
  : S extends { kind: 'choice'; options: readonly (infer Option)[] }
    ? Option
    : S extends { kind: 'amount' }
      ? number
      : S extends { kind: 'week' }
        ? string
        : S extends { kind: 'attempts' }
          ? Readonly<AttemptLimit>
          : S extends { kind: 'picture' }
            ? OrganisationPicture | null
            : LocalTexts

/** The values of all settings. */
export type OrganisationValues = { readonly [K in OrganisationKey]: ValueOf<Declarations[K]> }
/** The value of any setting. */
export type OrganisationValue = OrganisationValues[OrganisationKey]

/** Keys of all settings, in the order of the form. */
export const organisationKeys = Object.keys(organisationSettings) as OrganisationKey[]

/** The source of a value: the environment, an owner, or the program. */
export const settingSources = ['environment', 'stored', 'default'] as const
/** Reasons why a setting stays in the environment: it is a secret, it is a place, or the start needs it. */
export const environmentReasons = ['secret', 'place', 'start'] as const

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: object, keys: readonly string[]) => Object.keys(value).every((key) => keys.includes(key))

function checkWhole(value: unknown, path: Issue['path'], { min, max }: { min: number; max: number }): Issue[] {
  if (typeof value !== 'number' || !Number.isInteger(value)) return [{ path, code: 'validation.integer', params: {} }]
  if (value < min) return [{ path, code: 'validation.min', params: { min } }]
  return value > max ? [{ path, code: 'validation.max', params: { max } }] : []
}

function checkWeek(value: unknown): Issue[] {
  if (typeof value !== 'string') return [{ path: [], code: 'validation.text', params: {} }]
  if (countCharacters(value) > longestWeek)
    return [{ path: [], code: 'validation.maxLength', params: { max: longestWeek } }]
  return readWorkingHours(value) === undefined ? [{ path: [], code: 'validation.workingHours', params: {} }] : []
}

/** Characters without a shape, such as line breaks and tabs; a text of several lines has line breaks. */
const controls = { line: /\p{Cc}/u, lines: /[^\P{Cc}\n]/u } as const

function checkText(
  value: unknown,
  path: Issue['path'],
  { maxLength: max, isMultiline = false }: { maxLength: number; isMultiline?: boolean },
): Issue[] {
  if (value === null) return []
  if (typeof value !== 'string') return [{ path, code: 'validation.text', params: {} }]
  if (value.trim() === '') return [{ path, code: 'validation.required', params: {} }]
  // A name stands in the head of a letter, where a line break would begin another line.
  if (!isStorable(value) || controls[isMultiline ? 'lines' : 'line'].test(value))
    return [{ path, code: 'validation.control', params: {} }]
  return countCharacters(value) > max ? [{ path, code: 'validation.maxLength', params: { max } }] : []
}

/**
 * Checks the value of a setting.
 *
 * @param setting - The declaration.
 * @param value - The value, as a body has it.
 * @returns The issues, with paths inside the value; none for a right value.
 * @example
 * checkOrganisationValue({ kind: 'switch', group: 'accounts' }, 'on').length // 1
 */
export function checkOrganisationValue(setting: OrganisationSetting, value: unknown): Issue[] {
  switch (setting.kind) {
    case 'switch':
      return typeof value === 'boolean' ? [] : [{ path: [], code: 'validation.boolean', params: {} }]
    case 'choice':
      return typeof value === 'string' && setting.options.includes(value)
        ? []
        : [{ path: [], code: 'validation.choice', params: { values: setting.options.join(', ') } }]
    case 'amount':
      return checkWhole(value, [], setting)
    case 'week':
      return checkWeek(value)
    case 'attempts':
      if (!isObject(value) || !hasOnly(value, ['failures', 'seconds']))
        return [{ path: [], code: 'validation.json', params: {} }]
      return [
        ...checkWhole(value['failures'], ['failures'], { min: 1, max: mostFailures }),
        ...checkWhole(value['seconds'], ['seconds'], { min: shortestLimitSeconds, max: longestLimitSeconds }),
      ]
    case 'picture':
      if (!isObject(value) || !hasOnly(value, ['id', 'name', 'url']))
        return [{ path: [], code: 'validation.json', params: {} }]
      return checkWhole(value['id'], ['id'], { min: 1, max: maxInteger })
    case 'texts':
      if (!isObject(value) || !hasOnly(value, locales))
        return [{ path: [], code: 'validation.translations', params: {} }]
      return locales.flatMap((locale) => checkText(value[locale], [locale], setting))
  }
}
