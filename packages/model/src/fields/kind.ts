/** The responsibilities of a field kind: how a value is checked, stored, filtered, displayed and edited. */
import type { RoleType } from '../access/access.ts'
import type { ErrorCode, FaultParams } from '../errors/errors.ts'

/** The storage of a value in the database; comparisons and the parsing of query text follow from it. */
export type Storage = 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'timestamp' | 'json'

/** Operators that every column accepts (contract §6). */
const anyOperators = ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'] as const
const rangeOperators = ['$lt', '$lte', '$gt', '$gte', '$between'] as const
const textOperators = [
  '$eqi',
  '$nei',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$endsWith',
  '$startsWithi',
  '$endsWithi',
] as const

export type Operator = (typeof anyOperators)[number] | (typeof rangeOperators)[number] | (typeof textOperators)[number]

/** Every operator on an attribute in contract §6. */
export const operators: readonly Operator[] = [...anyOperators, ...rangeOperators, ...textOperators]

/** Operators of a field kind by the storage of its values, for kinds that need no others. */
export const operatorsOf: Readonly<Record<Storage, readonly Operator[]>> = {
  text: operators,
  integer: [...anyOperators, ...rangeOperators],
  decimal: [...anyOperators, ...rangeOperators],
  boolean: anyOperators,
  date: [...anyOperators, ...rangeOperators],
  timestamp: [...anyOperators, ...rangeOperators],
  json: ['$null', '$notNull'],
}

/** Options that every field accepts. */
export interface FieldOptions {
  /** Whether a value of the field must be given on create and can never be empty. */
  required?: boolean
  /** Whether the field has its own value in each language (content-model, `~`). */
  localized?: boolean
  /**
   * Whether the value of the field is unique among documents; for localized fields, among the entries of one
   * language.
   */
  unique?: boolean
  /** Whether the uniqueness of the field ignores letter case. */
  caseInsensitive?: boolean
  /** Whether the server sets the value of the field, and ignores one in a body. */
  readOnly?: boolean
  /** Whether the value of the field is stored, but unknown to queries, answers, exports and history. */
  private?: boolean
  /** Least role that reads the field, filters and sorts by it; everybody who reads the record when absent. */
  readableBy?: RoleType
  /** Whether the field is searched by its whole value only: indexed, and skipped by `_q`. */
  exact?: true
  /** Whether `_q` skips the text column, because its value is a code. */
  unsearched?: true
  /** Whether the server computes the field whenever it is read, without a column. Always read-only. */
  computed?: true
  /**
   * Error code for a missing required value of the field, where the spec gives the text (requirements §5).
   */
  message?: ErrorCode
}

/** The result of checking a value that is neither null nor absent. */
export type AcceptedValue = { value: unknown } | { code: ErrorCode; params?: FaultParams }

/** A JSON Schema of 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * Schemas of a value as it is read, and as a body may contain it: what `accept` allows, before normalisation.
 */
export interface ValueSchemas {
  read: JsonSchema
  write: JsonSchema
}

/** A field kind; `F` is the declared field. */
export interface Kind<F> {
  storage: Storage
  /** PostgreSQL type of the field's column. */
  column: (field: F) => string
  operators: readonly Operator[]
  /** Checks and normalises one value of the field in a body or form. */
  accept: (value: unknown, field: F) => AcceptedValue
  /**
   * The schemas of the value in the OpenAPI document, without null, which belongs to the field (`schema.ts`).
   */
  schema: (field: F) => ValueSchemas
  /** Values of a field kind that mean "empty" beside null; they fail `required` and are stored as null. */
  isEmpty?: (value: unknown) => boolean
  /**
   * Whether a value of the field kind may refer to stored files by address, so that writing it counts as a
   * use.
   */
  namesFiles?: true
  /** Names of the components that display and edit a value of the field kind (panel `fields/`). */
  display: string
  input: string
  /** Returns the faults of a field's declaration itself. */
  faults?: (field: F) => string[]
}

/**
 * Length in Unicode code points, as users and PostgreSQL's varchar count.
 *
 * @example
 * countCharacters('🌾') // 1
 */
export function countCharacters(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/**
 * Tells whether PostgreSQL can store a text unchanged: no null byte, no lone surrogate (checklist §3).
 *
 * @example
 * isStorable('a\0b') // false
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
