/** Parts of contracts: values of bodies, keys of queries, and shapes of answers. */
import * as z from 'zod'
import type { ErrorCode, FaultParams } from '../../errors/errors.ts'
import { isStorable, type JsonSchema, lengthOf } from '../../fields/kind.ts'
import { maxInteger, momentSchema } from '../../fields/value-kinds.ts'
import { isLocale, type Locale, locales } from '../../locales.ts'
import type { ResourceName } from '../../resources/index.ts'
import { isDay } from '../../time/day.ts'
import type { Entry, OffsetPagination, PagePagination, WireEntry, WireSingle } from '../wire.ts'

/** Something that a value is refused for, with a code of the catalogue. */
export const issue = (input: unknown, code: ErrorCode, params: FaultParams = {}) => ({
  code: 'custom' as const,
  input,
  params: { code, params },
  message: code,
})

/** A value in several spellings: `read` makes the value, or undefined for a spelling that is none. */
export function spelled<Input, Output>(
  read: (given: unknown) => Output | undefined,
  code: ErrorCode,
  schema: JsonSchema,
) {
  return z
    .custom<Input>()
    .transform((given, context): Output => {
      const value = read(given)
      if (value !== undefined) return value
      context.issues.push(
        given === undefined || given === null ? issue(given, 'validation.required') : issue(given, code),
      )
      return z.NEVER
    })
    .meta({ ...schema })
}

/** A schema of the document, for values whose shape is declared elsewhere. */
export const declared = <T>(schema: JsonSchema) => z.custom<T>().meta({ ...schema })

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

// Values of bodies

/** A body with its values below `data`. */
export const data = <S extends z.ZodRawShape>(shape: S) => z.object({ data: z.object(shape) })

/** A body with values below `data`, all of which may be left out, the body as well. */
export const optionalData = <S extends z.ZodRawShape>(shape: S) => {
  const inner = z.object(shape)
  return z
    .object({ data: inner.optional() })
    .nullish()
    .transform((body) => ({ data: body?.data ?? inner.parse({}) }))
}

interface Checked<T> {
  value: T
  issues: z.core.$ZodRawIssue[]
}

/** Refuses a text that cannot be stored, and one that is too long. */
const fits =
  (max: number) =>
  ({ value, issues }: Checked<string | null | undefined>) => {
    if (typeof value !== 'string') return
    if (!isStorable(value)) issues.push(issue(value, 'validation.control'))
    else if (lengthOf(value) > max) issues.push(issue(value, 'validation.maxLength', { max }))
  }

const isBlank = (value: string) => value.trim() === ''

/** A text that may be absent; null when it is absent or blank. */
export const optionalText = (max: number) =>
  z
    .string()
    .nullish()
    .check(fits(max))
    .transform((value) => (value === null || value === undefined || isBlank(value) ? null : value))
    .meta({ maxLength: max })

/** A text that must be there and not blank. */
export const text = (max: number) =>
  z
    .string()
    .check(fits(max))
    .check(({ value, issues }) => {
      if (isBlank(value)) issues.push(issue(value, 'validation.required'))
    })
    .meta({ type: 'string', maxLength: max })

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One id in the forms of a link to one record (contract §4). */
function idOfLink(value: unknown): number | undefined {
  if (isObject(value)) {
    const only = value.id ?? value.connect ?? value.set
    return only === undefined ? undefined : idOfLink(only)
  }
  if (Array.isArray(value)) return value.length === 1 ? idOfLink(value[0]) : undefined
  const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d{1,10}$/.test(value))
  const id = isWritten ? Number(value) : 0
  return Number.isInteger(id) && id > 0 && id <= maxInteger ? id : undefined
}

/** The id of a record, in any form of a link to one record. */
export const link = () =>
  spelled<number | string | { id: number | string }, number>(idOfLink, 'validation.relation', {
    type: 'integer',
    minimum: 1,
  })

/** The day that a text is. */
export const dayOf = (given: unknown): string | undefined =>
  typeof given === 'string' && isDay(given) ? given : undefined

/** A day in a body. */
export const dayText = () => spelled<string, string>(dayOf, 'validation.date', { type: 'string', format: 'date' })

function shapeOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return shape
}

/** A value that is refused as a whole, whatever is wrong inside: with what its own size breaks, else with `code`. */
export const asOne = <S extends z.ZodType>(schema: S, code: ErrorCode) =>
  z
    .custom<z.input<S>>()
    .transform((given, context): z.output<S> => {
      const read = schema.safeParse(given, { reportInput: true })
      if (read.success) return read.data
      const own = read.error.issues.filter(({ path }) => path.length === 0)
      for (const one of own) context.issues.push({ ...one, input: given } as z.core.$ZodRawIssue)
      if (own.length === 0) context.issues.push(issue(given, code))
      return z.NEVER
    })
    .meta(shapeOf(schema))

/** An id, as a number. */
export const id = z.int().min(1).max(maxInteger)

/** A whole number from 0. */
export const whole = z.int().min(0)

/** A moment, ISO 8601 in UTC with milliseconds. */
export const moment = z
  .string()
  .regex(new RegExp(String(momentSchema.pattern)))
  .meta({ format: 'date-time' })

/** A day, `YYYY-MM-DD`. */
export const day = z.iso.date()

export const locale = z.enum(locales)

// Keys of queries

const truths: Readonly<Record<string, boolean>> = { true: true, t: true, '1': true, false: false, f: false, '0': false }

/** A key that says yes or no, in any spelling of contract §6. */
export const yesOrNo = (description: string) =>
  spelled<boolean | string, boolean>(
    (given) => (typeof given === 'string' && Object.hasOwn(truths, given) ? truths[given] : undefined),
    'query.value',
    { type: 'boolean', description },
  ).optional()

const isWritten = (given: unknown): given is string => typeof given === 'string' && isStorable(given)

/** A key with one of some words; an empty one is absent. */
export const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  z
    .custom<V[number] | ''>()
    .optional()
    .transform((given, context): V[number] | undefined => {
      if (given === undefined || given === '') return undefined
      const value = values.find((one) => one === given)
      if (value === undefined) context.issues.push(issue(given, 'validation.choice', { values: values.join(', ') }))
      return value
    })
    .meta({ type: 'string', enum: [...values], description })

const wholeOf = (given: unknown, min: number): number | undefined => {
  const number = isWritten(given) && /^\d{1,10}$/.test(given) ? Number(given) : -1
  return number >= min && number <= maxInteger ? number : undefined
}

/** A key with a whole number from 0. */
export const wholeKey = (description: string) =>
  spelled<number | string, number>((given) => wholeOf(given, 0), 'query.value', {
    type: 'integer',
    minimum: 0,
    description,
  })

/** A key with the id of a record. */
export const idKey = (description: string) =>
  spelled<number | string, number>((given) => wholeOf(given, 1), 'query.value', {
    type: 'integer',
    minimum: 1,
    description,
  })

/** A key with a text. */
export const textKey = (description: string) =>
  spelled<string, string>((given) => (isWritten(given) ? given : undefined), 'query.value', {
    type: 'string',
    description,
  })

/** A key that may be absent or empty: `read` makes its value, or undefined for a spelling that is none. */
export function optionalKey<Input, Output>(
  read: (given: unknown) => Output | undefined,
  code: ErrorCode,
  schema: JsonSchema,
  params?: FaultParams,
) {
  return z
    .custom<Input | ''>()
    .optional()
    .transform((given, context): Output | undefined => {
      if (given === undefined || given === '') return undefined
      const value = read(given)
      if (value === undefined) context.issues.push(issue(given, code, params))
      return value
    })
    .meta({ ...schema })
}

/** A key with the id of a record, which may be absent or empty. */
export const optionalIdKey = (description: string) =>
  optionalKey<number | string, number>((given) => wholeOf(given, 1), 'validation.relation', {
    type: 'integer',
    minimum: 1,
    description,
  })

/** A key with the ids of some records, or of one. */
export const idsKey = (max: number, description: string) =>
  z
    .custom<number | string | readonly (number | string)[]>()
    .optional()
    .transform((given: unknown, context): number[] | undefined => {
      if (given === undefined || given === '') return undefined
      const list: unknown[] = Array.isArray(given) ? given : [given]
      const ids = list.flatMap((one) => wholeOf(one, 1) ?? [])
      if (list.length > max) context.issues.push(issue(given, 'validation.maxItems', { max }))
      else if (ids.length < list.length) context.issues.push(issue(given, 'validation.relation'))
      return ids
    })
    .meta({ type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: max, description })

/** A key with a day, `YYYY-MM-DD`, which may be absent or empty. */
export const dayKey = (description: string) =>
  optionalKey<string, string>(dayOf, 'validation.date', { type: 'string', format: 'date', description })

/** A key with the language of names; one that is none is as if it were absent. */
export const languageKey = (description: string) =>
  z
    .custom<Locale>()
    .optional()
    .transform((given): Locale | undefined => (isLocale(given) ? given : undefined))
    .meta({ type: 'string', enum: [...locales], description })

/** Conditions on the records of a list, which the engine reads. */
export const filtersOf = (resource: ResourceName) =>
  z
    .custom<object>()
    .optional()
    .meta({ ...reference(`${resource}.Filters`), description: 'Conditions' })

// Shapes of answers

const isWireEntry = (value: unknown): value is WireEntry =>
  isObject(value) && typeof value.id === 'number' && isObject(value.attributes)

/** A record in its envelope: `id` and `attributes`. */
export const entryOf = (resource: ResourceName) => z.custom<WireEntry>(isWireEntry).meta(reference(`${resource}.Entry`))

/** A flat record: its id beside its values. */
export const flatEntryOf = (resource: ResourceName) =>
  z.custom<Entry>((value) => isObject(value) && typeof value.id === 'number').meta(reference(`${resource}.Entry`))

/** The answer with one record in its envelope. */
export const singleOf = (resource: ResourceName) =>
  z
    .custom<WireSingle>((value) => isObject(value) && isWireEntry(value.data) && isObject(value.meta))
    .meta(reference(`${resource}.Single`))

const totals = { total: whole.optional(), estimated: z.boolean().optional() }

const pages = z.union([
  z.strictObject({ page: whole, pageSize: whole, pageCount: whole.optional(), ...totals }),
  z.strictObject({ start: whole, limit: whole, ...totals }),
])

/** The pages of a list, or its rows where the query counts these. */
export const pagination = z
  .custom<PagePagination | OffsetPagination>((value) => pages.safeParse(value).success)
  .meta(reference('Pagination'))

/** The answer `{ok: true}`. */
export const done = z.strictObject({ ok: z.literal(true) })

/** Values below `data`, with nothing to say beside them. */
export const withMeta = <T extends z.ZodType>(value: T) => z.strictObject({ data: value, meta: z.strictObject({}) })

/** Values below `data`, alone. */
export const dataAnswer = <T extends z.ZodType>(value: T) => z.strictObject({ data: value })

/** A person by name. */
export const person = z.strictObject({ id, name: z.string() })
