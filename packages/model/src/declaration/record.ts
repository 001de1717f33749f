/** Types that follow from a declaration: the record that is read and the draft that is written. */
import type { Resource } from './define-resource.ts'
import type { Field } from '../fields/field.ts'
import type { Locale, Translations } from '../locales.ts'
import type { ResourceName, Resources } from '../resources/index.ts'

type TextKinds =
  | 'text'
  | 'longText'
  | 'rich'
  | 'email'
  | 'link'
  | 'slug'
  | 'colour'
  | 'time'
  | 'workingHours'
  | 'date'
  | 'dateTime'

/** The value of a scalar field in a record. */
export type ValueOf<F extends Field> = F extends { kind: TextKinds }
  ? string
  : F extends { kind: 'int' | 'decimal' | 'count' }
    ? number
    : F extends { kind: 'bool' }
      ? boolean
      : F extends { kind: 'choice'; values: infer V extends readonly string[] }
        ? V[number]
        : F extends { kind: 'translations' }
          ? Translations | string
          : F extends { kind: 'json' }
            ? unknown
            : never

/** Required fields and fields with a default always have a value. */
type AlwaysSetField = { required: true } | { default: unknown } | { kind: 'count' }
type LinkKinds = 'relation' | 'relations' | 'picture' | 'pictures'

type ScalarNames<F> = {
  [K in keyof F]: F[K] extends { private: true } | { kind: LinkKinds } ? never : K
}[keyof F]
type LinkNames<F> = { [K in keyof F]: F[K] extends { kind: LinkKinds } ? K : never }[keyof F]
type WritableNames<F> = {
  [K in keyof F]: F[K] extends { readOnly: true } ? never : K
}[keyof F]

type LinkedRecord<F> = F extends { target: infer T extends ResourceName } ? RecordOf<Resources[T]> : never
type LinkValue<F> = F extends { kind: 'relation' | 'picture' } ? LinkedRecord<F> | null : LinkedRecord<F>[]

/** Fields of every record; the language keys exist for localized resources only. */
interface SystemFields {
  id: number
  createdAt: string
  updatedAt: string
  version: number
  locale?: Locale
  outdated?: boolean
  localizations?: { id: number; locale: Locale }[]
}

type ShownValue<F> = F extends Field ? (F extends AlwaysSetField ? ValueOf<F> : ValueOf<F> | null) : never

/**
 * A record as the panel reads it: all scalars, and the links that the query populated. `fromWire` removes the
 * envelope of the API (`data`, `attributes`).
 */
export type RecordOf<R> =
  R extends Resource<string, infer F>
    ? SystemFields & { [K in ScalarNames<F>]: ShownValue<F[K]> } & { [K in LinkNames<F>]?: LinkValue<F[K]> }
    : never

/** Forms of a written link: an id, an `{id}`, a list of them, or an edit of the list (contract §4). */
export type LinkItem = number | string | { id: number | string }
export type LinkDraft =
  | LinkItem
  | readonly LinkItem[]
  | { set: readonly LinkItem[] }
  | { connect?: readonly LinkItem[]; disconnect?: readonly LinkItem[] }
  | null

type WrittenValue<F> = F extends { kind: LinkKinds }
  ? LinkDraft
  : F extends { kind: 'password' }
    ? string
    : F extends Field
      ? ValueOf<F> | null
      : never

/** A body before validation: every writable field is optional. */
export type DraftOf<R> =
  R extends Resource<string, infer F>
    ? { [K in WritableNames<F>]?: WrittenValue<F[K]> } & { locale?: Locale; version?: number }
    : never
