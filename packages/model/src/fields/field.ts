/** A declared field: one of the field kinds, with its options. */
import type { FieldOptions, Kind } from './kind.ts'
import { type CountField, linkKinds, type ToManyField, type ToOneField } from './link-kinds.ts'
import { textKinds, type TextOptions } from './text-kinds.ts'
import { type ChoiceOptions, type DecimalOptions, type NumberOptions, type Unit, valueKinds } from './value-kinds.ts'

export type TextKindName = keyof typeof textKinds
export type ValueKindName = keyof typeof valueKinds
export type KindName = TextKindName | ValueKindName | keyof typeof linkKinds

interface Text extends TextOptions {
  kind: TextKindName
  /** Option of slugs: the field that an empty slug is filled from. */
  slugFrom?: string
}
interface Int extends NumberOptions {
  kind: 'int'
}
interface Decimal extends DecimalOptions {
  kind: 'decimal'
}
interface Choice extends ChoiceOptions {
  kind: 'choice'
}
interface BoolDefinition extends FieldOptions {
  kind: 'bool'
  default?: boolean
}
interface PlainDefinition extends FieldOptions {
  kind: 'date' | 'dateTime' | 'json' | 'translations'
  maxLength?: number
  /** Option of structures: a list of short texts. */
  list?: 'textList'
  /** Option of structures: the only keys of an object of limited size. */
  keys?: readonly string[]
  maxBytes?: number
}

/** A field with a column that holds its value. */
export type ScalarField = Text | Int | Decimal | Choice | BoolDefinition | PlainDefinition
/** A field that links to other records. */
export type LinkField = ToOneField | ToManyField
export type Field = ScalarField | LinkField | CountField
export type Fields = Readonly<Record<string, Field>>

const scalarKinds: Record<string, Kind<never>> = { ...textKinds, ...valueKinds }

/**
 * Returns the kind of a scalar field.
 *
 * @example
 * kindOf({ kind: 'int' }).storage // 'integer'
 */
export function kindOf(field: ScalarField): Kind<ScalarField> {
  return scalarKinds[field.kind] as Kind<ScalarField>
}

/**
 * Tells whether a field has a column with its value.
 *
 * @example
 * isScalar({ kind: 'bool' }) // true
 */
export function isScalar(field: Field): field is ScalarField {
  return field.kind in scalarKinds
}
/**
 * Tells whether a field links to one record.
 *
 * @example
 * isToOne(resources.branches.fields.district) // true
 */
export function isToOne(field: Field): field is ToOneField {
  return field.kind === 'relation' || field.kind === 'picture'
}
/**
 * Tells whether a field links to several records.
 *
 * @example
 * isToMany(resources.branches.fields.district) // false
 */
export function isToMany(field: Field): field is ToManyField {
  return field.kind === 'relations' || field.kind === 'pictures'
}
/**
 * Tells whether a field links to other records.
 *
 * @example
 * isLink({ kind: 'bool' }) // false
 */
export function isLink(field: Field): field is LinkField {
  return isToOne(field) || isToMany(field)
}

/**
 * Tells whether a value of a field can refer to stored files by their addresses (`/uploads/<name>`), and so
 * use them.
 *
 * @param field - The field as declared.
 * @returns True for fields that a body may write and whose kind holds such text. Fields that only the server
 *   writes, such as the addresses in the record of a file, use nothing.
 * @example
 * canNameFiles({ kind: 'rich' }) // true
 */
export function canNameFiles(field: Field): field is ScalarField {
  if (!isScalar(field) || field.readOnly || field.private || field.computed) return false
  return !('from' in field && field.from) && kindOf(field).namesFiles === true
}

/** The components that display and edit a field. */
export interface FieldComponents {
  display: string
  input: string
  /** Unit of the field's number. */
  unit?: Unit | undefined
}

/**
 * Component names of a field: `display` shows it, `input` edits it.
 *
 * @example
 * componentsOf({ kind: 'int', unit: 'months' }) // { display: 'number', input: 'number', unit: 'months' }
 */
export function componentsOf(field: Field): FieldComponents {
  if (!isScalar(field)) return linkKinds[field.kind]
  const { display, input } = kindOf(field)
  if ('video' in field && field.video) return { display, input: 'video' }
  if ('list' in field && field.list) return { display, input: field.list }
  return { display, input, ...('unit' in field && { unit: field.unit }) }
}

/**
 * Marks a field as having a value for each language (content-model, `~`).
 *
 * @example
 * localized(text({ required: true }))
 */
export function localized<const F extends Field>(field: F): F & { localized: true } {
  return { ...field, localized: true }
}

/**
 * Marks a field as computed by the server whenever it is read (content-model, `ro`).
 *
 * @example
 * computed(integer())
 */
export function computedField<const F extends Field>(field: F): F & { readOnly: true; computed: true } {
  return { ...field, readOnly: true, computed: true }
}

/**
 * Marks a field as set by the server only (content-model, `ro`).
 *
 * @example
 * readOnly(moment())
 */
export function readOnly<const F extends Field>(field: F): F & { readOnly: true } {
  return { ...field, readOnly: true }
}
