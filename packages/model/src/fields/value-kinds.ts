/** The kinds with a number, a yes/no value, a day, a moment, a choice or a structure. */
import type { RoleType } from '../access/access.ts'
import { isLocale, locales } from '../locales.ts'
import {
  type FieldOptions,
  isStorable,
  type JsonSchema,
  type Kind,
  countCharacters,
  operatorsOf,
  type ValueSchemas,
} from './kind.ts'

/** The unit of a number, shown beside it by `unit.after.<name>`; money in the record's currency. */
export type Unit = 'money' | 'percentAYear' | 'months' | 'minutes' | 'years' | 'degrees'

export interface NumberOptions extends FieldOptions {
  default?: number
  min?: number
  max?: number
  /** Whether the minimum of the number itself is not allowed. */
  exclusiveMin?: boolean
  unit?: Unit
}
export interface DecimalOptions extends NumberOptions {
  /** Digits of a decimal in total and after the point: `[14, 2]`. */
  digits: readonly [number, number]
}
/** One allowed transition of a state (content-model §2, §4, §8). */
export interface Transition<V extends string = string> {
  from: V
  to: V
  /**
   * Least role that may take the transition, the user that the link of that name points at, or the server
   * only.
   */
  by: readonly (RoleType | { ownerField: string } | 'server')[]
  /** Whether the transition requires a `reason` in the record. */
  reason?: true
}
export interface ChoiceOptions<V extends readonly string[] = readonly string[]> extends FieldOptions {
  values: V
  default?: V[number]
  /**
   * Transitions of a choice that is a state: a new record has the default, and changes only by these
   * transitions.
   */
  transitions?: readonly Transition<V[number]>[]
}

interface NumberField extends NumberOptions {
  kind: string
}
interface DecimalField extends DecimalOptions {
  kind: 'decimal'
}
interface ChoiceField extends ChoiceOptions {
  kind: 'choice'
}
interface PlainField extends FieldOptions {
  kind: string
}
interface JsonField extends PlainField {
  keys?: readonly string[]
  maxBytes?: number
}
interface TranslationsField extends FieldOptions {
  kind: 'translations'
  maxLength?: number
}

/** Largest value of a PostgreSQL `integer`. */
export const maxInteger = 2_147_483_647

const isEmptyText = (value: unknown) => value === ''

/** A number in a body: a JSON number, or a text with one (contract §4). */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim())) return Number(value)
  return undefined
}

/**
 * Rounds a number to its scale, halves away from zero as the database does (contract §4). Limits apply to the
 * rounded value: 9.999 exceeds a maximum of 9.99, and 0.001 is not above 0.
 */
function roundToScale(number: number, scale: number): number {
  // The number is scaled as text before rounding, because 1.005 × 100 is below 100.5 in binary. `|| 0`
  // removes the sign of zero.
  const [digits, exponent = '0'] = String(Math.abs(number)).split('e')
  const scaledInteger = Math.round(Number(`${digits}e${Number(exponent) + scale}`))
  return Math.sign(number) * Number(`${scaledInteger}e-${scale}`) || 0
}

function withinLimits(value: number, field: NumberOptions) {
  // The message "at least 0" would allow a price of 0.
  if (field.min !== undefined && field.exclusiveMin && value <= field.min)
    return { code: 'validation.above', params: { min: field.min } } as const
  if (field.min !== undefined && value < field.min)
    return { code: 'validation.min', params: { min: field.min } } as const
  if (field.max !== undefined && value > field.max)
    return { code: 'validation.max', params: { max: field.max } } as const
  return { value }
}

/** Accepts existing days only: 2026-02-30 is none. */
function isDay(text: string): boolean {
  const dayParts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!dayParts) return false
  const day = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && Number(dayParts[1]) > 0
}

/** A time in a body: the hours and the zone are optional. */
const typedMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** A moment in the OpenAPI document (contract, head: UTC with milliseconds). */
export const momentSchema: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
}

/**
 * Converts a moment with its zone to UTC text with milliseconds; undefined for an invalid one (contract,
 * head).
 *
 * @example
 * toMoment('2026-03-01T10:00:00+05:00') // '2026-03-01T05:00:00.000Z'
 */
export function toMoment(text: string): string | undefined {
  if (!typedMoment.test(text)) return undefined
  if (!isDay(text.slice(0, 10))) return undefined
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
  const moment = new Date(text.length > 10 && !hasZone ? `${text}Z` : text)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** Limits the nesting and the keys of a JSON value (checklist §3). */
function isPlainJson(value: unknown, depth = 0): boolean {
  if (depth > 32) return false
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isStorable(value)
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1))
  if (typeof value !== 'object') return false
  return Object.entries(value).every(([key, item]) => isStorable(key) && isPlainJson(item, depth + 1))
}

/** A number in the OpenAPI document; a body may write it as text. */
function numberSchemas(
  type: 'integer' | 'number',
  { min, max, exclusiveMin }: NumberOptions,
  largestNumber: number,
): ValueSchemas {
  const limits = {
    [exclusiveMin ? 'exclusiveMinimum' : 'minimum']: min ?? -largestNumber,
    maximum: max ?? largestNumber,
  }
  const spelledNumber = { type: 'string', pattern: '^\\s*[+-]?\\d+(\\.\\d+)?\\s*$' }
  return { read: { type }, write: { anyOf: [{ type, ...limits }, spelledNumber] } }
}

/** Texts by language, or one text for all of them. */
const translationsSchema = (text: JsonSchema, isRequired = false): JsonSchema => ({
  anyOf: [
    { type: 'string', ...text, ...(isRequired && { pattern: '\\S' }) },
    {
      type: 'object',
      ...(isRequired && { minProperties: 1 }),
      properties: Object.fromEntries(locales.map((locale) => [locale, { type: ['string', 'null'], ...text }])),
      additionalProperties: false,
    },
  ],
})

const int: Kind<NumberField> = {
  storage: 'integer',
  column: () => 'integer',
  operators: operatorsOf.integer,
  accept(value, field) {
    const number = toNumber(value)
    if (number === undefined) return { code: 'validation.number' }
    if (!Number.isInteger(number) || Math.abs(number) > maxInteger) return { code: 'validation.integer' }
    return withinLimits(number, field)
  },
  schema: (field) => numberSchemas('integer', field, maxInteger),
  isEmpty: isEmptyText,
  display: 'number',
  input: 'number',
}

const decimal: Kind<DecimalField> = {
  storage: 'decimal',
  column: ({ digits: [precision, scale] }) => `numeric(${precision},${scale})`,
  operators: operatorsOf.decimal,
  accept(value, field) {
    const number = toNumber(value)
    if (number === undefined) return { code: 'validation.number' }
    const [precision, scale] = field.digits
    const largestNumber = 10 ** (precision - scale)
    const roundedNumber = Math.abs(number) < largestNumber ? roundToScale(number, scale) : number
    if (Math.abs(roundedNumber) >= largestNumber) return { code: 'validation.max', params: { max: largestNumber } }
    return withinLimits(roundedNumber, field)
  },
  schema: ({ digits: [precision, scale], ...field }) =>
    numberSchemas('number', field, (10 ** precision - 1) / 10 ** scale),
  isEmpty: isEmptyText,
  display: 'number',
  input: 'number',
  faults: ({ digits: [precision, scale] }) => (scale > precision ? ['digits: more after the point than in all'] : []),
}

const bool: Kind<PlainField> = {
  storage: 'boolean',
  column: () => 'boolean',
  operators: operatorsOf.boolean,
  accept(value) {
    if (value === true || value === 'true') return { value: true }
    if (value === false || value === 'false') return { value: false }
    return { code: 'validation.boolean' }
  },
  schema: () => ({
    read: { type: 'boolean' },
    write: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] },
  }),
  display: 'bool',
  input: 'bool',
}

const date: Kind<PlainField> = {
  storage: 'date',
  column: () => 'date',
  operators: operatorsOf.date,
  accept: (value) => (typeof value === 'string' && isDay(value) ? { value } : { code: 'validation.date' }),
  schema: () => {
    const schema = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
    return { read: schema, write: schema }
  },
  isEmpty: isEmptyText,
  display: 'date',
  input: 'date',
}

const dateTime: Kind<PlainField> = {
  storage: 'timestamp',
  column: () => 'timestamptz(3)',
  operators: operatorsOf.timestamp,
  accept(value) {
    const moment = typeof value === 'string' ? toMoment(value) : undefined
    return moment === undefined ? { code: 'validation.dateTime' } : { value: moment }
  },
  schema: () => ({ read: momentSchema, write: { type: 'string', pattern: typedMoment.source } }),
  isEmpty: isEmptyText,
  display: 'dateTime',
  input: 'dateTime',
}

const choice: Kind<ChoiceField> = {
  storage: 'text',
  column: () => 'varchar(255)',
  operators: operatorsOf.text,
  accept: (value, { values }) =>
    typeof value === 'string' && values.includes(value)
      ? { value }
      : { code: 'validation.choice', params: { values: values.join(', ') } },
  schema: ({ values }) => {
    const schema = { type: 'string', enum: values }
    return { read: schema, write: schema }
  },
  isEmpty: isEmptyText,
  display: 'choice',
  input: 'choice',
  faults: ({ values, default: preset, transitions = [] }) => [
    ...(transitions.length > 0 && preset === undefined ? ['a state starts at its default'] : []),
    ...transitions.flatMap(({ from, to }) =>
      values.includes(from) && values.includes(to) ? [] : [`no step ${from} → ${to}`],
    ),
    ...(values.length === 0 ? ['values is empty'] : []),
    ...(new Set(values).size < values.length ? ['values repeat'] : []),
    ...(preset !== undefined && !values.includes(preset) ? ['default is not among values'] : []),
  ],
}

/** Length of the JSON in bytes, counted without an encoder, because the model depends on no runtime. */
function bytesOf(value: unknown): number {
  let bytes = 0
  for (const letter of JSON.stringify(value)) {
    const code = letter.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

const hasOnlyKeys = (value: unknown, keys: readonly string[]) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).every((key) => keys.includes(key))

const json: Kind<JsonField> = {
  storage: 'json',
  column: () => 'jsonb',
  operators: operatorsOf.json,
  accept(value, { keys, maxBytes }) {
    if (!isPlainJson(value) || (keys && !hasOnlyKeys(value, keys))) return { code: 'validation.json' }
    if (maxBytes !== undefined && bytesOf(value) > maxBytes)
      return { code: 'validation.maxLength', params: { max: maxBytes } }
    return { value }
  },
  schema: ({ keys }) => {
    if (!keys) return { read: {}, write: {} }
    const properties = Object.fromEntries(keys.map((key) => [key, {}]))
    const schema = { type: 'object', properties, additionalProperties: false }
    return { read: schema, write: schema }
  },
  namesFiles: true,
  display: 'json',
  input: 'json',
}

const translations: Kind<TranslationsField> = {
  // Filters and sorts compare one language of the translated object, as text (contract §8).
  storage: 'text',
  column: () => 'jsonb',
  operators: operatorsOf.text,
  accept(value, { maxLength = 255 }) {
    const texts = typeof value === 'string' ? [value] : translationTexts(value)
    if (!texts) return { code: 'validation.translations' }
    if (texts.some((text) => !isStorable(text))) return { code: 'validation.control' }
    if (texts.some((text) => countCharacters(text) > maxLength)) {
      return { code: 'validation.maxLength', params: { max: maxLength } }
    }
    return { value }
  },
  schema: ({ maxLength = 255, required }) => ({
    read: translationsSchema({}),
    write: translationsSchema({ maxLength }, required),
  }),
  isEmpty: (value) => {
    const texts = typeof value === 'string' ? [value] : translationTexts(value)
    return texts?.every((text) => text.trim() === '') ?? false
  },
  namesFiles: true,
  display: 'translations',
  input: 'translations',
}

/** Returns the texts of an object keyed by language; undefined for anything else. */
function translationTexts(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const texts: string[] = []
  for (const [key, item] of Object.entries(value)) {
    if (!isLocale(key)) return undefined
    if (item === null) continue
    if (typeof item !== 'string') return undefined
    texts.push(item)
  }
  return texts
}

export const valueKinds = { int, decimal, bool, date, dateTime, choice, json, translations }

/** Declares a whole number. */
export const integer = <const O extends NumberOptions>(options?: O) => ({ kind: 'int', ...(options as O) }) as const
/** Declares a decimal number with a fixed scale: money, areas, coordinates. */
export const decimalNumber = <const O extends DecimalOptions>(options: O) => ({ kind: 'decimal', ...options }) as const
/** Declares a yes-or-no field. */
export const yesNoField = <const O extends FieldOptions & { default?: boolean }>(options?: O) =>
  ({ kind: 'bool', ...(options as O) }) as const
/** Declares a day, `YYYY-MM-DD`. */
export const day = <const O extends FieldOptions>(options?: O) => ({ kind: 'date', ...(options as O) }) as const
/** Declares a time, UTC on the wire. */
export const moment = <const O extends FieldOptions>(options?: O) => ({ kind: 'dateTime', ...(options as O) }) as const
/** Declares a choice from a closed list of codes. */
export const choiceOf = <const V extends readonly string[], const O extends Omit<ChoiceOptions<V>, 'values'>>(
  values: V,
  options?: O,
) => ({ kind: 'choice', values, ...(options as O) }) as const
export interface StructureOptions extends FieldOptions {
  /** Option of a list of short texts, edited as such; the column accepts any JSON. */
  list?: 'textList'
  /** Option of structures: the only keys of the object. */
  keys?: readonly string[]
  /** Option of structures: maximum size of the object's JSON in bytes. */
  maxBytes?: number
}

/** Declares a field with any JSON value. */
export const jsonField = <const O extends StructureOptions>(options?: O) =>
  ({ kind: 'json', ...(options as O) }) as const
/** Declares a text in several languages in one object (content-model, `i18n`). */
export const translated = <const O extends FieldOptions & { maxLength?: number }>(options?: O) =>
  ({ kind: 'translations', ...(options as O) }) as const
