/** A field as declared: one of the kinds, with what it says of itself. */
import type { FieldOptions, Kind } from './kind.ts'
import { type CountField, linkKinds, type ToManyField, type ToOneField } from './link-kinds.ts'
import { textKinds, type TextOptions } from './text-kinds.ts'
import { type ChoiceOptions, type DecimalOptions, type NumberOptions, type Unit, valueKinds } from './value-kinds.ts'

export type TextKindName = keyof typeof textKinds
export type ValueKindName = keyof typeof valueKinds
export type KindName = TextKindName | ValueKindName | keyof typeof linkKinds

interface Text extends TextOptions {
  kind: TextKindName
  /** Slugs: the field it is made from when empty. */
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
interface Bool extends FieldOptions {
  kind: 'bool'
  default?: boolean
}
interface Plain extends FieldOptions {
  kind: 'date' | 'dateTime' | 'json' | 'translations'
  maxLength?: number
  /** Structures: a list of short texts. */
  list?: 'words'
  /** Structures: an object that has no other keys, of so many bytes. */
  keys?: readonly string[]
  maxBytes?: number
}

/** A field with a column that holds its value. */
export type ScalarField = Text | Int | Decimal | Choice | Bool | Plain
/** A field that points at other records. */
export type LinkField = ToOneField | ToManyField
export type Field = ScalarField | LinkField | CountField
export type Fields = Readonly<Record<string, Field>>

const scalarKinds: Record<string, Kind<never>> = { ...textKinds, ...valueKinds }

/** The meaning of a scalar field's kind, bound to the field. */
export function kindOf(field: ScalarField): Kind<ScalarField> {
  return scalarKinds[field.kind] as Kind<ScalarField>
}

export function isScalar(field: Field): field is ScalarField {
  return field.kind in scalarKinds
}
export function isToOne(field: Field): field is ToOneField {
  return field.kind === 'relation' || field.kind === 'picture'
}
export function isToMany(field: Field): field is ToManyField {
  return field.kind === 'relations' || field.kind === 'pictures'
}
export function isLink(field: Field): field is LinkField {
  return isToOne(field) || isToMany(field)
}

/**
 * Tells whether a value of a field can name stored files by their addresses (`/uploads/<name>`) and so use them.
 *
 * @param field - The field as declared.
 * @returns True for fields whose kind holds such text and that a body may write. What the server alone writes, such as
 *   the addresses in the record of a file, uses nothing.
 */
export function canNameFiles(field: Field): field is ScalarField {
  if (!isScalar(field) || field.readOnly || field.private || field.computed) return false
  return !('from' in field && field.from) && kindOf(field).namesFiles === true
}

/** How a field is shown and typed in. */
export interface Parts {
  display: string
  input: string
  /** What its number counts. */
  unit?: Unit | undefined
}

/** Component names of a field: `display` shows it, `input` edits it. */
export function partsOf(field: Field): Parts {
  if (!isScalar(field)) return linkKinds[field.kind]
  const { display, input } = kindOf(field)
  if ('video' in field && field.video) return { display, input: 'video' }
  if ('list' in field && field.list) return { display, input: field.list }
  return { display, input, ...('unit' in field && { unit: field.unit }) }
}

/** The same field with a value of its own in each language (content-model, `~`). */
export function localized<const F extends Field>(field: F): F & { localized: true } {
  return { ...field, localized: true }
}

/** The same field, worked out by the server whenever it is read (content-model, `ro`). */
export function computed<const F extends Field>(field: F): F & { readOnly: true; computed: true } {
  return { ...field, readOnly: true, computed: true }
}

/** The same field, set by the server only (content-model, `ro`). */
export function readOnly<const F extends Field>(field: F): F & { readOnly: true } {
  return { ...field, readOnly: true }
}

/** The same field, stored and served for what will follow it: the panel shows it nowhere until then. */
export function unused<const F extends Field>(field: F): F & { unused: true } {
  return { ...field, unused: true }
}
