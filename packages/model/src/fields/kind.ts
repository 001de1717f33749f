/** What a field kind owns: how a value is checked, stored, filtered, shown and typed in. */
import type { RoleType } from '../access/access.ts'
import type { ErrorCode, FaultParams } from '../errors/errors.ts'

/** How a value lies in the database; comparisons and the reading of query text follow from it. */
export type Storage = 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'timestamp' | 'json'

/** Operators that every column knows (contract §6). */
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

/** Every attribute operator of contract §6. */
export const operators: readonly Operator[] = [...anyOperators, ...rangeOperators, ...textOperators]

/** Operators by storage, for kinds that have no reason to differ. */
export const operatorsOf: Readonly<Record<Storage, readonly Operator[]>> = {
  text: operators,
  integer: [...anyOperators, ...rangeOperators],
  decimal: [...anyOperators, ...rangeOperators],
  boolean: anyOperators,
  date: [...anyOperators, ...rangeOperators],
  timestamp: [...anyOperators, ...rangeOperators],
  json: ['$null', '$notNull'],
}

/** What any field may say of itself. */
export interface FieldOptions {
  /** Must be given on create and can never be empty. */
  required?: boolean
  /** Each language entry has its own value (content-model, `~`). */
  localized?: boolean
  /** No two documents share the value; for localized fields, no two entries of one language. */
  unique?: boolean
  /** Unique without regard to letter case. */
  caseless?: boolean
  /** Set by the server; a body's value is ignored. */
  readOnly?: boolean
  /** Stored, but unknown to queries, answers, exports and history. */
  private?: boolean
  /** Least role that reads the field, filters and sorts by it; everybody who reads the record when absent. */
  readableBy?: RoleType
  /** Looked for by its whole value: indexed, and passed over by `_q`. */
  exact?: true
  /** Text columns: a code, no text to look for. `_q` passes over it. */
  unsearched?: true
  /** Stored and served, and nothing follows it yet: no form, list, filter or file of the panel names it. */
  unused?: true
  /** Worked out by the server whenever it is read; there is no column. Always read-only. */
  computed?: true
  /** Catalogue code for "required and missing", where the spec words it (requirements §5). */
  message?: ErrorCode
}

/** The answer of a kind to a value that is neither null nor absent. */
export type Accepted = { value: unknown } | { code: ErrorCode; params?: FaultParams }

/** A JSON Schema of 2020-12, the language in which OpenAPI 3.1 describes values. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A value as it is read, and as a body may give it: what `accept` lets through, before it is normalised. */
export interface ValueSchemas {
  read: JsonSchema
  write: JsonSchema
}

/** The meaning of a kind; `F` is the field as declared. */
export interface Kind<F> {
  storage: Storage
  /** PostgreSQL type of the column. */
  column: (field: F) => string
  operators: readonly Operator[]
  /** Checks and normalises one value of a body or form. */
  accept: (value: unknown, field: F) => Accepted
  /** The value in the document of the API; nothing about null, which belongs to the field (`schema.ts`). */
  schema: (field: F) => ValueSchemas
  /** Values that mean "empty" beside null; they fail `required` and are stored as null. */
  isEmpty?: (value: unknown) => boolean
  /** A value may name stored files by their addresses, so that writing one counts as using them. */
  namesFiles?: true
  /** Component that shows the value, and the one that edits it (panel `fields/`). */
  display: string
  input: string
  /** Faults of the declaration itself. */
  faults?: (field: F) => string[]
}

/** Length in Unicode code points: what a reader counts and what PostgreSQL's varchar counts. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Text that PostgreSQL can keep byte for byte: no null byte, no lone surrogate (checklist §3). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
