/** Shared parts of contracts: values of bodies, keys of queries, and shapes of answers. */
import * as z from 'zod'
import { catalogue, type ErrorCode, type FaultParams } from '../../errors/errors.ts'
import { isStorable, type JsonSchema, countCharacters } from '../../fields/kind.ts'
import { maxInteger, momentSchema } from '../../fields/value-kinds.ts'
import { isLocale, type Locale, locales } from '../../locales.ts'
import type { ResourceName } from '../../resources/index.ts'
import { isWrittenLocale, type WrittenLocale, writtenLocales } from '../../text/script/scripts.ts'
import { isDay } from '../../time/day.ts'
import type { Entry, OffsetPagination, PagePagination, WireEntry, WireSingle } from '../wire.ts'

/**
 * The issue of an invalid value, with a code of the error catalogue.
 *
 * @example
 * issue('x', 'validation.date').params // { code: 'validation.date', params: {} }
 */
export const issue = (input: unknown, code: ErrorCode, params: FaultParams = {}) => ({
  code: 'custom' as const,
  input,
  params: { code, params },
  message: code,
})

/**
 * Makes the schema of a value with several spellings: `read` parses it, and returns undefined for an
 * invalid one.
 *
 * @example
 * const onOff = spelled((given) => (given === 'on' ? true : undefined), 'query.value', { type: 'boolean' })
 * onOff.parse('on') // true
 */
export function spelledValue<Input, Output>(
  readValue: (rawInput: unknown) => Output | undefined,
  code: ErrorCode,
  schema: JsonSchema,
) {
  return z
    .custom<Input>()
    .transform((rawValue, context): Output => {
      const value = readValue(rawValue)
      if (value !== undefined) return value
      context.issues.push(
        rawValue === undefined || rawValue === null ? issue(rawValue, 'validation.required') : issue(rawValue, code),
      )
      return z.NEVER
    })
    .meta({ ...schema })
}

/**
 * A schema in the OpenAPI document, for values whose shape is declared elsewhere.
 *
 * @example
 * declared<FaultParams>({ type: 'object' })
 */
export const declaredSchema = <T>(schema: JsonSchema) => z.custom<T>().meta({ ...schema })

const schemaReference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

// Schemas of values in bodies

/**
 * Schema of a body with its values below `data`.
 *
 * @example
 * data({ count: whole }).parse({ data: { count: 1 } }) // { data: { count: 1 } }
 */
export const data = <S extends z.ZodRawShape>(shape: S) => z.object({ data: z.object(shape) })

/**
 * A body with optional values below `data`; the body itself is optional too.
 *
 * @example
 * optionalData({ note: optionalText(10) }).parse(undefined) // { data: { note: null } }
 */
export const optionalData = <S extends z.ZodRawShape>(shape: S) => {
  const innerSchema = z.object(shape)
  return z
    .object({ data: innerSchema.optional() })
    .nullish()
    .transform((body) => ({ data: body?.data ?? innerSchema.parse({}) }))
}

/**
 * Makes the schema of a flat optional body, such as those of accounts. Schemas of its values also run for
 * absent keys, even required ones, because the write path has errors of its own for them.
 *
 * @example
 * flatBody(z.object({ note: optionalText(9) })).parse(undefined) // { note: null }
 */
export const flatBody = <S extends z.ZodObject>(bodySchema: S) => {
  const absentKeys = Object.fromEntries(Object.keys(bodySchema.shape).map((key) => [key, undefined]))
  return z.preprocess<unknown, S, z.input<S>>((body) => ({ ...absentKeys, ...(isObject(body) && body) }), bodySchema)
}

/**
 * Makes the schema of a flat body; values below `data` are accepted too.
 *
 * @example
 * flatData({ note: optionalText(9) }).parse({ data: { note: 'x' } }) // { note: 'x' }
 */
export const flatData = <S extends z.ZodRawShape>(shape: S) => {
  const innerSchema = flatBody(z.object(shape))
  const values = (body: unknown) => (isObject(body) && isObject(body.data) ? body.data : body)
  return z.preprocess<unknown, typeof innerSchema, z.input<typeof innerSchema>>(values, innerSchema)
}

interface CheckedValue<T> {
  value: T
  issues: z.core.$ZodRawIssue[]
}

/** Rejects a text that cannot be stored, or that is longer than allowed. */
const checkText =
  (max: number) =>
  ({ value, issues }: CheckedValue<string | null | undefined>) => {
    if (typeof value !== 'string') return
    if (!isStorable(value)) issues.push(issue(value, 'validation.control'))
    else if (countCharacters(value) > max) issues.push(issue(value, 'validation.maxLength', { max }))
  }

const isBlank = (value: string) => value.trim() === ''

/**
 * Schema of an optional text, which is null when absent or blank.
 *
 * @example
 * optionalText(5).parse('  ') // null
 */
export const optionalText = (max: number) =>
  z
    .string()
    .nullish()
    .check(checkText(max))
    .transform((value) => (value === null || value === undefined || isBlank(value) ? null : value))
    .meta({ maxLength: max })

/**
 * A required text that is not blank; `code` is the error for a missing one.
 *
 * @example
 * text(5).parse('abc') // 'abc'
 * text(5).safeParse('  ').success // false
 */
export const text = (max: number, code: ErrorCode = 'validation.required') =>
  z
    .custom<string>()
    .transform((rawValue: unknown) => rawValue)
    .pipe(optionalText(max))
    .transform((value, context): string => {
      if (value !== null) return value
      context.issues.push(issue(value, code))
      return z.NEVER
    })
    .meta({ type: 'string', maxLength: max })

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the id in any form of a link to one record (contract §4). */
function idOfLink(value: unknown): number | undefined {
  if (isObject(value)) {
    const givenLinks = value.id ?? value.connect ?? value.set
    return givenLinks === undefined ? undefined : idOfLink(givenLinks)
  }
  if (Array.isArray(value)) return value.length === 1 ? idOfLink(value[0]) : undefined
  const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d{1,10}$/.test(value))
  const id = isWritten ? Number(value) : 0
  return Number.isInteger(id) && id > 0 && id <= maxInteger ? id : undefined
}

/** The forms of a link to one record in a body. */
export type LinkInput = number | string | { id: number | string }

/**
 * Schema of a record's id, in any form of a link to one record.
 *
 * @example
 * link().parse({ id: 5 }) // 5
 */
export const link = () =>
  spelledValue<LinkInput, number>(idOfLink, 'validation.relation', {
    type: 'integer',
    minimum: 1,
  })

/**
 * Returns the day in a text, or undefined.
 *
 * @example
 * dayOf('2026-02-30') // undefined
 */
export const dayOf = (rawValue: unknown): string | undefined =>
  typeof rawValue === 'string' && isDay(rawValue) ? rawValue : undefined

/**
 * Schema of a day in a body.
 *
 * @example
 * dayText().parse('2026-03-01') // '2026-03-01'
 */
export const dayText = () => spelledValue<string, string>(dayOf, 'validation.date', { type: 'string', format: 'date' })

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return shape
}

/**
 * Makes the schema of a value with a single error for all faults inside it: the error of its own size, else
 * `code`.
 *
 * @example
 * withSingleError(z.array(z.int()).max(3), 'validation.relation').parse([1, 2]) // [1, 2]
 */
export const withSingleError = <S extends z.ZodType>(schema: S, code: ErrorCode) =>
  z
    .custom<z.input<S>>()
    .transform((rawValue, context): z.output<S> => {
      const parseResult = schema.safeParse(rawValue, { reportInput: true })
      if (parseResult.success) return parseResult.data
      const rootIssues = parseResult.error.issues.filter(({ path }) => path.length === 0)
      for (const rootIssue of rootIssues) context.issues.push({ ...rootIssue, input: rawValue } as z.core.$ZodRawIssue)
      if (rootIssues.length === 0) context.issues.push(issue(rawValue, code))
      return z.NEVER
    })
    .meta(jsonSchemaOf(schema))

const isCountText = (rawValue: unknown): rawValue is number =>
  typeof rawValue === 'number' && Number.isInteger(rawValue) && rawValue >= 0 && rawValue <= maxInteger

/**
 * Schema of a whole number from 0, or between bounds.
 *
 * @example
 * count({ max: 9 }).safeParse(12).success // false
 */
export const count = ({ min = 0, max }: { min?: number; max?: number } = {}) =>
  spelledValue<number, number>((rawValue) => (isCountText(rawValue) ? rawValue : undefined), 'validation.integer', {})
    .check(({ value, issues }) => {
      if (value < min) issues.push(issue(value, 'validation.min', { min }))
      else if (max !== undefined && value > max) issues.push(issue(value, 'validation.max', { max }))
    })
    .meta({ type: 'integer', minimum: min, ...(max !== undefined && { maximum: max }) })

/**
 * Ids of records, sorted and without duplicates.
 *
 * @example
 * ids(100).parse([3, 1, 3]) // [1, 3]
 */
export const ids = (max: number) =>
  z
    .custom<readonly number[]>()
    .transform((rawValue: unknown, context): number[] => {
      const refuse = (code: ErrorCode, params?: FaultParams) => context.issues.push(issue(rawValue, code, params))
      if (!Array.isArray(rawValue) || rawValue.length === 0) {
        refuse('validation.required')
        return z.NEVER
      }
      if (rawValue.length > max) refuse('validation.maxItems', { max })
      const validIds = rawValue.filter((rawId): rawId is number => isCountText(rawId) && rawId > 0)
      if (validIds.length < rawValue.length) refuse('validation.relation')
      return [...new Set(validIds)].toSorted((one, other) => one - other)
    })
    .meta({ type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: max })

/** Schema of a record's id, a number. */
export const id = z.int().min(1).max(maxInteger)

/** Schema of a whole number from 0. */
export const whole = z.int().min(0)

/** Schema of a time, ISO 8601 in UTC with milliseconds. */
export const moment = z
  .string()
  .regex(new RegExp(String(momentSchema.pattern)))
  .meta({ format: 'date-time' })

/** Schema of a day, `YYYY-MM-DD`. */
export const day = z.iso.date()

export const locale = z.enum(locales)

/** Schema of a language with its script, for files and pages whose labels come from the catalogues. */
export const writtenLanguage = z.enum(writtenLocales)

/** Schema of a text in each language, null for a language without one. */
export const localTexts = z.record(locale, z.string().nullable())

/**
 * Schema of a text or null, whose key is required.
 *
 * @example
 * nullableText(3).parse(null) // null
 */
export const nullableText = (max: number) =>
  z
    .string()
    .check(({ value, issues }) => {
      if (!isStorable(value)) issues.push(issue(value, 'validation.control'))
      else if (countCharacters(value) > max) issues.push(issue(value, 'validation.maxLength', { max }))
    })
    .meta({ maxLength: max })
    .nullable()

// Schemas of query keys

/**
 * A query key that the query engine or the handler parses.
 *
 * @example
 * handlerKey({ type: 'string' }).parse('x') // 'x'
 */
export const handlerKey = (schema: JsonSchema) =>
  z
    .unknown()
    .optional()
    .meta({ ...schema })

const booleansByText: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
}

/**
 * A yes/no query key, in any spelling of contract §6.
 *
 * @example
 * yesOrNo('Closed rooms too').parse('t') // true
 */
export const booleanKey = (description: string) =>
  spelledValue<boolean | string, boolean>(
    (rawValue) =>
      typeof rawValue === 'string' && Object.hasOwn(booleansByText, rawValue) ? booleansByText[rawValue] : undefined,
    'query.value',
    { type: 'boolean', description },
  ).optional()

const isWritten = (rawValue: unknown): rawValue is string => typeof rawValue === 'string' && isStorable(rawValue)

/**
 * A query key with one of several codes; an empty one counts as absent.
 *
 * @example
 * oneOf(['asc', 'desc'], 'Direction').parse('asc') // 'asc'
 */
export const oneOf = <const V extends readonly string[]>(
  values: V,
  description: string,
  code: ErrorCode = 'validation.choice',
) =>
  z
    .custom<V[number] | ''>()
    .optional()
    .transform((rawValue, context): V[number] | undefined => {
      if (rawValue === undefined || rawValue === '') return undefined
      const value = values.find((allowedValue) => allowedValue === rawValue)
      if (value === undefined) context.issues.push(issue(rawValue, code, { values: values.join(', ') }))
      return value
    })
    .meta({ type: 'string', enum: [...values], description })

const parseWholeNumber = (rawValue: unknown, min: number): number | undefined => {
  const number = isWritten(rawValue) && /^\d{1,10}$/.test(rawValue) ? Number(rawValue) : -1
  return number >= min && number <= maxInteger ? number : undefined
}

/**
 * A query key with a whole number from 0.
 *
 * @example
 * wholeKey('First row').parse('12') // 12
 */
export const wholeKey = (description: string, code: ErrorCode = 'query.value') =>
  spelledValue<number | string, number>((rawValue) => parseWholeNumber(rawValue, 0), code, {
    type: 'integer',
    minimum: 0,
    description,
  })

/**
 * A query key with the id of a record.
 *
 * @example
 * idKey('Room').parse('12') // 12
 */
export const idKey = (description: string, code: ErrorCode = 'query.value') =>
  spelledValue<number | string, number>((rawValue) => parseWholeNumber(rawValue, 1), code, {
    type: 'integer',
    minimum: 1,
    description,
  })

/**
 * A query key with a text.
 *
 * @example
 * textKey('Name', 3).safeParse('abcd').success // false
 */
export const textKey = (description: string, max?: number) =>
  spelledValue<string, string>(
    (rawValue) => (isWritten(rawValue) && rawValue.length <= (max ?? Number.POSITIVE_INFINITY) ? rawValue : undefined),
    'query.value',
    { type: 'string', description, ...(max !== undefined && { maxLength: max }) },
  )

/**
 * Makes the schema of an optional query key that may be empty: `read` parses it, and returns undefined for an
 * invalid value.
 *
 * @example
 * optionalKey(dayOf, 'validation.date', {}).parse('') // undefined
 */
export function optionalKey<Input, Output>(
  readValue: (rawInput: unknown) => Output | undefined,
  code: ErrorCode,
  schema: JsonSchema,
  params?: FaultParams,
) {
  return z
    .custom<Input | ''>()
    .optional()
    .transform((rawValue, context): Output | undefined => {
      if (rawValue === undefined || rawValue === '') return undefined
      const value = readValue(rawValue)
      if (value === undefined) context.issues.push(issue(rawValue, code, params))
      return value
    })
    .meta({ ...schema })
}

/**
 * A query key with the id of a record, which may be absent or empty.
 *
 * @example
 * optionalIdKey('Region').parse('7') // 7
 */
export const optionalIdKey = (description: string) =>
  optionalKey<number | string, number>((rawValue) => parseWholeNumber(rawValue, 1), 'validation.relation', {
    type: 'integer',
    minimum: 1,
    description,
  })

/**
 * A query key with the ids of one or more records.
 *
 * @example
 * idsKey(10, 'Districts').parse(['7', '8']) // [7, 8]
 */
export const idsKey = (max: number, description: string) =>
  z
    .custom<number | string | readonly (number | string)[]>()
    .optional()
    .transform((rawValue: unknown, context): number[] | undefined => {
      if (rawValue === undefined || rawValue === '') return undefined
      const list: unknown[] = Array.isArray(rawValue) ? rawValue : [rawValue]
      const ids = list.flatMap((rawId) => parseWholeNumber(rawId, 1) ?? [])
      if (list.length > max) context.issues.push(issue(rawValue, 'validation.maxItems', { max }))
      else if (ids.length < list.length) context.issues.push(issue(rawValue, 'validation.relation'))
      return ids
    })
    .meta({ type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: max, description })

/**
 * A query key with a day, `YYYY-MM-DD`, which may be absent or empty.
 *
 * @example
 * dayKey('From').parse('') // undefined
 */
export const dayKey = (description: string) =>
  optionalKey<string, string>(dayOf, 'validation.date', { type: 'string', format: 'date', description })

/**
 * A query key with the language of names; an unknown language counts as absent.
 *
 * @example
 * languageKey('Names in').parse('de') // undefined
 */
export const languageKey = (description: string) =>
  z
    .custom<Locale>()
    .optional()
    .transform((rawValue): Locale | undefined => (isLocale(rawValue) ? rawValue : undefined))
    .meta({ type: 'string', enum: [...locales], description })

/**
 * A query key with the language of labels and its script; an unknown language counts as absent.
 *
 * @example
 * writtenLanguageKey('Page in').parse('uz-Cyrl') // 'uz-Cyrl'
 */
export const writtenLanguageKey = (description: string) =>
  z
    .custom<WrittenLocale>()
    .optional()
    .transform((rawValue): WrittenLocale | undefined => (isWrittenLocale(rawValue) ? rawValue : undefined))
    .meta({ type: 'string', enum: [...writtenLocales], description })

/**
 * Conditions on the records of a list, which the query engine parses.
 *
 * @example
 * filtersOf('news')
 */
export const filtersOf = (resource: ResourceName, description = 'Conditions') =>
  z
    .custom<object>()
    .optional()
    .meta({ ...schemaReference(`${resource}.Filters`), description })

// Schemas of answers

const isWireEntry = (value: unknown): value is WireEntry =>
  isObject(value) && typeof value.id === 'number' && isObject(value.attributes)

/** A resource by its name; `:name` in contracts of routes that every resource has. */
type ResourceInPath = ResourceName | ':name'

/**
 * Schema of a record in its envelope: `id` and `attributes`.
 *
 * @example
 * entryOf('news').safeParse({ id: 1 }).success // false
 */
export const entryOf = (resource: ResourceInPath) =>
  z.custom<WireEntry>(isWireEntry).meta(schemaReference(`${resource}.Entry`))

/**
 * Schema of a flat record: the id beside the values.
 *
 * @example
 * flatEntryOf('users').safeParse({ id: 1 }).success // true
 */
export const flatEntryOf = (resource: ResourceInPath) =>
  z
    .custom<Entry>((value) => isObject(value) && typeof value.id === 'number')
    .meta(schemaReference(`${resource}.Record`))

/**
 * Schema of an answer with one record in its envelope.
 *
 * @example
 * recordAnswer('news').parse({ data: { id: 1, attributes: {} }, meta: {} })
 */
export const recordAnswer = (resource: ResourceName) =>
  z
    .custom<WireSingle>((value) => isObject(value) && isWireEntry(value.data) && isObject(value.meta))
    .meta(schemaReference(`${resource}.Single`))

const pageTotals = { total: whole.optional(), estimated: z.boolean().optional() }
const pages = z.strictObject({ page: whole, pageSize: whole, pageCount: whole.optional(), ...pageTotals })
const offsetPagination = z.strictObject({ start: whole, limit: whole, ...pageTotals })

/**
 * The position of an answer in its list: in pages for a client that requests pages, as the panel does, else
 * in rows.
 */
export const pagination = z
  .custom<PagePagination | OffsetPagination>(
    (value) => pages.safeParse(value).success || offsetPagination.safeParse(value).success,
  )
  .transform((value) => value as PagePagination)
  .meta(schemaReference('Pagination'))

/** Schema of the answer `{ok: true}`. */
export const okAnswer = z.strictObject({ ok: z.literal(true) })

/**
 * Schema of an answer with values below `data` and an empty `meta`.
 *
 * @example
 * withMeta(whole).parse({ data: 3, meta: {} })
 */
export const answerWithMeta = <T extends z.ZodType>(value: T) =>
  z.strictObject({ data: value, meta: z.strictObject({}) })

/**
 * Schema of an answer with values below `data`, without `meta`.
 *
 * @example
 * dataAnswer(whole).parse({ data: 3 })
 */
export const dataAnswer = <T extends z.ZodType>(value: T) => z.strictObject({ data: value })

/** Schema of a person's id and name. */
export const person = z.strictObject({ id, name: z.string() })

/** Schema of an invalid value, as error bodies have it in `details.errors`. */
export const wireIssue = z.strictObject({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  name: z.string(),
  code: z.string().refine((code): code is ErrorCode => Object.hasOwn(catalogue, code)),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** Schema of a person as cards show them. */
export const personCard = z.strictObject({
  id,
  username: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  avatar: z.strictObject({ id, url: z.string().nullable() }).nullable(),
})
export type PersonCard = z.output<typeof personCard>

/** A session as its owner and administrators see it; nothing in it can be used to sign in. */
export const session = z.strictObject({
  id: z.uuid(),
  address: z.string().nullable(),
  agent: z.string().nullable().describe('The User-Agent header of the browser'),
  created_at: moment,
  last_seen_at: moment,
  expires_at: moment,
})
export type SessionView = z.output<typeof session>

/** Error codes of every route that takes a list's query. */
export const listRefusals = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
  'query.pagination-mixed',
] as const satisfies readonly ErrorCode[]

/** Error codes of every route for a step of a record. */
export const stepRefusals = [
  'access.denied',
  'record.not-found',
  'record.stale',
  'request.unprocessable',
  'state.step',
  'query.parameter',
  'query.value',
] as const satisfies readonly ErrorCode[]
