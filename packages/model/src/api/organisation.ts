/**
 * Settings that belong to the organisation and that an owner changes in the panel: one declaration, from which the
 * server checks values and the panel makes its form.
 */
import type { Issue } from '../errors/errors.ts'
import { countCharacters, isStorable } from '../fields/kind.ts'
import { type Locale, locales } from '../locales.ts'

/** A limit of attempts in a time. */
export interface AttemptLimit {
  failures: number
  seconds: number
}

/** A text in each language; null for a language without one. */
export type LocalTexts = Readonly<Record<Locale, string | null>>

interface Declared {
  /** Part of the form. */
  group: 'identity' | 'accounts' | 'attempts'
  /** Variable of the environment that sets it for the whole installation; such a value wins. */
  variable?: string
}

/** The declaration of a setting by its kind. */
export type OrganisationSetting = Declared &
  (
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly string[] }
    | { kind: 'hours'; min: number; max: number }
    | { kind: 'attempts' }
    | { kind: 'texts'; maxLength: number }
  )

/** Most attempts that a limit may allow, and its longest time, which the environment shares. */
export const mostFailures = 10_000
export const longestLimitSeconds = 86_400
/** Shortest time of a limit that is set in the panel, where it is given in minutes. */
const shortestLimitSeconds = 60

/** Hours for which the link of an invitation may be good. */
const invitationHours = { min: 1, max: 336 } as const

/** Every setting, in the order of the form. */
export const organisationSettings = {
  name: { kind: 'texts', group: 'identity', maxLength: 80 },
  registration: { kind: 'switch', group: 'accounts', variable: 'REGISTRATION' },
  password_policy: {
    kind: 'choice',
    group: 'accounts',
    variable: 'PASSWORD_POLICY',
    options: ['spec', 'strict'],
  },
  invite_hours: { kind: 'hours', group: 'accounts', variable: 'INVITE_HOURS', ...invitationHours },
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
    : S extends { kind: 'hours' }
      ? number
      : S extends { kind: 'attempts' }
        ? Readonly<AttemptLimit>
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

function checkText(value: unknown, path: Issue['path'], max: number): Issue[] {
  if (value === null) return []
  if (typeof value !== 'string') return [{ path, code: 'validation.text', params: {} }]
  if (value.trim() === '') return [{ path, code: 'validation.required', params: {} }]
  // A name stands in the head of a letter, where a line break would begin another line.
  if (!isStorable(value) || /[\r\n]/.test(value)) return [{ path, code: 'validation.control', params: {} }]
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
    case 'hours':
      return checkWhole(value, [], setting)
    case 'attempts':
      if (!isObject(value) || !hasOnly(value, ['failures', 'seconds']))
        return [{ path: [], code: 'validation.json', params: {} }]
      return [
        ...checkWhole(value['failures'], ['failures'], { min: 1, max: mostFailures }),
        ...checkWhole(value['seconds'], ['seconds'], { min: shortestLimitSeconds, max: longestLimitSeconds }),
      ]
    case 'texts':
      if (!isObject(value) || !hasOnly(value, locales))
        return [{ path: [], code: 'validation.translations', params: {} }]
      return locales.flatMap((locale) => checkText(value[locale], [locale], setting.maxLength))
  }
}
