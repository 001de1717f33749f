/** The kinds with a text value: plain, long, rich, e-mail, link, slug, colour and password. */
import type { ErrorCode } from '../errors/errors.ts'
import { foldCase } from '../text/fold.ts'
import { readWorkingHours } from '../time/working-time.ts'
import {
  type AcceptedValue,
  type FieldOptions,
  isStorable,
  type JsonSchema,
  type Kind,
  countCharacters,
  operatorsOf,
  type ValueSchemas,
} from './kind.ts'

export interface TextOptions extends FieldOptions {
  default?: string
  /** Minimum length of the text in code points. */
  minLength?: number
  maxLength?: number
  /** Option of passwords: common ones that are rejected, in normalised form. */
  deniedPasswords?: ReadonlySet<string>
  /** Field whose value is shown under the name of this field; the field itself has no column. */
  from?: string
  /** Option of links: the address of a video, shown beside the address. */
  video?: true
}

interface TextField extends TextOptions {
  kind: string
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
const isEmptyText = (value: unknown) => value === ''

/** Checks that a value is a storable text within its limits. */
function acceptText(value: unknown, field: TextField, maxLength: number): AcceptedValue {
  if (typeof value !== 'string') return { code: 'validation.text' }
  if (!isStorable(value)) return { code: 'validation.control' }
  const length = countCharacters(value)
  const max = field.maxLength ?? maxLength
  if (length > max) return { code: 'validation.maxLength', params: { max } }
  if (field.minLength !== undefined && length < field.minLength) {
    return { code: 'validation.minLength', params: { min: field.minLength } }
  }
  return { value }
}

/** A text in the OpenAPI document. Reading has no limits, because older rows may exceed them. */
function textSchemas(
  { minLength, maxLength }: TextField,
  max: number,
  extraSchemas: Partial<ValueSchemas> = {},
): ValueSchemas {
  const limits = { ...(minLength !== undefined && { minLength }), maxLength: maxLength ?? max }
  return { read: { type: 'string', ...extraSchemas.read }, write: { type: 'string', ...limits, ...extraSchemas.write } }
}

/** The pattern of a format that a body may surround with spaces. */
const surroundedBySpaces = (form: RegExp): JsonSchema => ({
  pattern: form.source.replace('^', '^\\s*').replace(/\$$/, '\\s*$'),
})

interface TextShape {
  maxLength: number
  display: string
  input: string
  /** Description of the text kind in the OpenAPI document beside its length. */
  shown?: Partial<ValueSchemas>
  namesFiles?: true
  /** The required format of the text, and the error for any other text. */
  form?: { test: (text: string) => boolean; code: ErrorCode; normalise?: (text: string) => string }
}

/** Creates a text kind from its limits and its format. */
function textKind({ maxLength, display, input, shown, namesFiles, form }: TextShape): Kind<TextField> {
  return {
    storage: 'text',
    column: (field) => `varchar(${field.maxLength ?? maxLength})`,
    operators: operatorsOf.text,
    accept(value, field) {
      const acceptedValue = acceptText(
        typeof value === 'string' && form?.normalise ? form.normalise(value) : value,
        field,
        maxLength,
      )
      if (!form || 'code' in acceptedValue || form.test(String(acceptedValue.value))) return acceptedValue
      return { code: form.code }
    },
    schema: (field) => textSchemas(field, maxLength, shown),
    // An empty text is no value of a formatted kind; a plain optional text stores '' (contract §4).
    ...(form && { isEmpty: isEmptyText }),
    ...(namesFiles && { namesFiles }),
    display,
    input,
    faults: (field) =>
      (field.minLength ?? 0) > (field.maxLength ?? maxLength) ? ['minLength is above maxLength'] : [],
  }
}

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const colourForm = /^#[0-9a-f]{6}$/
/** Pattern of a colour as a body may write it: upper-case letters are normalised. */
const typedColour = /^#[0-9A-Fa-f]{6}$/
const timeForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const hoursForm = String.raw`[1-7](?:-[1-7])? (?:[01]\d|2[0-4]):[0-5]\d-(?:[01]\d|2[0-4]):[0-5]\d`
/** The spelling of working hours; the order of days and times is checked apart. */
const workingHoursForm = new RegExp(`^${hoursForm}(?:\\s*,\\s*${hoursForm})*$`)
const emailForm = /^[^\s@,;:<>()[\]\\"]+@[^\s@.,;:<>()[\]\\"]+(?:\.[^\s@.,;:<>()[\]\\"]+)+$/

/** ASCII letters only: an address is no interface text, so no language rules apply to letter case. */
function foldAscii(text: string): string {
  return text.trim().replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
}

/**
 * Returns the stored form of an e-mail address, or undefined for an invalid one.
 *
 * @example
 * acceptEmail(' Aygul@Example.ORG ') // 'aygul@example.org'
 */
export function acceptEmail(rawValue: unknown): string | undefined {
  if (typeof rawValue !== 'string') return undefined
  const text = foldAscii(rawValue)
  return emailForm.test(text) && isStorable(text) && countCharacters(text) <= 255 ? text : undefined
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}

/** 4 to 16 characters is the rule of the spec (requirements §5); the column stores the hash. */
const passwordLimits = ({ minLength = 4, maxLength = 16 }: TextOptions) => ({ minLength, maxLength })

export const textKinds = {
  text: textKind({ maxLength: 255, display: 'text', input: 'text', namesFiles: true }),
  longText: textKind({ maxLength: 10_000, display: 'text', input: 'longText', namesFiles: true }),
  rich: textKind({
    maxLength: 200_000,
    display: 'rich',
    input: 'rich',
    namesFiles: true,
    shown: { read: { contentMediaType: 'text/html' }, write: { contentMediaType: 'text/html' } },
  }),
  email: {
    ...textKind({
      maxLength: 255,
      display: 'email',
      input: 'email',
      shown: {
        read: { format: 'email', pattern: emailForm.source },
        write: { format: 'email', minLength: 4, ...surroundedBySpaces(emailForm) },
      },
      form: { test: (text) => emailForm.test(text), code: 'validation.emailInvalid', normalise: foldAscii },
    }),
    accept(value, field) {
      if (typeof value !== 'string') return { code: 'validation.text' }
      const text = foldAscii(value)
      if (countCharacters(text) < 4) return { code: 'validation.emailLength' }
      const acceptedValue = acceptText(text, field, 255)
      return 'code' in acceptedValue || emailForm.test(text) ? acceptedValue : { code: 'validation.emailInvalid' }
    },
  },
  link: textKind({
    maxLength: 2_048,
    display: 'link',
    input: 'link',
    namesFiles: true,
    shown: { read: { format: 'uri' }, write: { format: 'uri', description: 'An https address' } },
    form: { test: isHttps, code: 'validation.url', normalise: (text) => text.trim() },
  }),
  slug: textKind({
    maxLength: 255,
    display: 'code',
    input: 'slug',
    shown: { read: { pattern: slugForm.source }, write: surroundedBySpaces(slugForm) },
    form: { test: (text) => slugForm.test(text), code: 'validation.slug', normalise: (text) => text.trim() },
  }),
  colour: textKind({
    maxLength: 7,
    display: 'colour',
    input: 'colour',
    shown: { read: { pattern: colourForm.source }, write: surroundedBySpaces(typedColour) },
    form: { test: (text) => colourForm.test(text), code: 'validation.colour', normalise: foldAscii },
  }),
  time: textKind({
    maxLength: 5,
    display: 'text',
    input: 'text',
    shown: { read: { pattern: timeForm.source }, write: surroundedBySpaces(timeForm) },
    form: { test: (text) => timeForm.test(text), code: 'validation.time', normalise: (text) => text.trim() },
  }),
  workingHours: textKind({
    maxLength: 255,
    display: 'text',
    input: 'text',
    shown: {
      write: {
        ...surroundedBySpaces(workingHoursForm),
        description: 'Days of the week from Monday and hours, like `1-5 09:00-18:00, 6 09:00-13:00`',
      },
    },
    form: {
      test: (text) => readWorkingHours(text) !== undefined,
      code: 'validation.workingHours',
      normalise: (text) => text.trim(),
    },
  }),
  password: {
    ...textKind({ maxLength: 255, display: 'none', input: 'password' }),
    schema: (field) =>
      textSchemas({ kind: 'password', ...passwordLimits(field) }, 255, {
        write: { format: 'password', writeOnly: true },
      }),
    accept(value, field) {
      if (typeof value !== 'string') return { code: 'validation.text' }
      const { minLength: min, maxLength: max } = passwordLimits(field)
      const length = countCharacters(value)
      if (length < min || length > max) return { code: 'validation.passwordLength', params: { min, max } }
      return field.deniedPasswords?.has(foldCase(value)) ? { code: 'validation.passwordCommon' } : { value }
    },
  },
} satisfies Record<string, Kind<TextField>>

/** Tells whether a required text is blank: `'  '` is no name. */
export const isBlankText = isBlank

/** Declares one line of text, 255 characters at most. */
export const text = <const O extends TextOptions>(options?: O) => ({ kind: 'text', ...(options as O) }) as const
/** Declares several lines of plain text, 10,000 characters at most. */
export const longText = <const O extends TextOptions>(options?: O) => ({ kind: 'longText', ...(options as O) }) as const
/** HTML from the editor, sanitised by the server, 200,000 characters at most. */
export const rich = <const O extends TextOptions>(options?: O) => ({ kind: 'rich', ...(options as O) }) as const
/** Declares an e-mail address, stored in lower case. */
export const email = <const O extends TextOptions>(options?: O) => ({ kind: 'email', ...(options as O) }) as const
/** Declares an https address. */
export const link = <const O extends TextOptions>(options?: O) => ({ kind: 'link', ...(options as O) }) as const
/**
 * A short key for addresses: lower-case Latin letters, digits, single hyphens. Filled from `slugFrom` when
 * empty.
 */
export const slug = <const O extends TextOptions & { slugFrom?: string }>(options?: O) =>
  ({ kind: 'slug', ...(options as O) }) as const
/** Declares a colour `#rrggbb`. */
export const colour = <const O extends TextOptions>(options?: O) => ({ kind: 'colour', ...(options as O) }) as const
/** Declares a password, which is written and never read. */
export const password = <const O extends TextOptions>(options?: O) =>
  ({ kind: 'password', private: true, ...(options as O) }) as const
/** Declares a time of day in the user's zone, `22:00`. */
export const timeOfDay = <const O extends TextOptions>(options?: O) => ({ kind: 'time', ...(options as O) }) as const
/** Declares working hours of days of the week, `1-5 09:00-18:00`. */
export const hoursOfWeek = <const O extends TextOptions>(options?: O) =>
  ({ kind: 'workingHours', ...(options as O) }) as const
