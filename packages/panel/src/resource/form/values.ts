/** The values of a form: the fields that all languages share, and the texts of each language. */
import {
  type Entry,
  type Field,
  isLink,
  isLocale,
  isScalar,
  isToOne,
  type Locale,
  locales,
  type Resource,
} from '@dala/model'
import type { FieldPath, UseFormReturn } from 'react-hook-form'

export type Values = Record<string, unknown>

export interface FormValues {
  shared: Values
  texts: Partial<Record<Locale, Values>>
}

/** Marks of the form's changed fields, in the shape of the values. */
export interface TouchedFields {
  shared: ReadonlySet<string>
  texts: ReadonlyMap<Locale, ReadonlySet<string>>
}

/** Language version of a record, as the server stores it. */
interface FamilyMember {
  id: number
  version: number
  outdated: boolean
}
export type LanguageFamily = ReadonlyMap<Locale, FamilyMember>

/** Fields of a resource that a person may fill in. */
export function writableFields(resource: Resource): [string, Field][] {
  return Object.entries<Field>(resource.fields).filter(([, field]) => !field.readOnly && field.kind !== 'count')
}

function emptyValue(field: Field): unknown {
  if (isLink(field)) return isToOne(field) ? null : []
  if (field.kind === 'translations') return {}
  const preset = 'default' in field ? field.default : undefined
  return (
    preset ??
    (field.kind === 'bool'
      ? false
      : field.kind === 'int' ||
          field.kind === 'decimal' ||
          field.kind === 'choice' ||
          field.kind === 'date' ||
          field.kind === 'dateTime' ||
          field.kind === 'json'
        ? null
        : '')
  )
}

/** Value of a link in the form: the whole target, so that its name can be shown. */
function formValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined)
    return isScalar(field) && field.required ? emptyValue(field) : emptyWhenUnset(field)
  return value
}

function emptyWhenUnset(field: Field): unknown {
  if (isLink(field)) return isToOne(field) ? null : []
  return field.kind === 'translations'
    ? {}
    : typeof emptyValue(field) === 'string' && field.kind !== 'choice'
      ? ''
      : null
}

/** Initial values of a new record besides its defaults; texts of one language are in `language`. */
export interface InitialValues {
  values: Readonly<Values>
  language: Locale
}

/** The values of a record and of its other languages; for a new record, its defaults and initial values. */
export function toFormValues(resource: Resource, record: Entry | null, start?: InitialValues): FormValues {
  const entries = new Map<Locale, Entry>(familyEntries(resource, record))
  const values: FormValues = { shared: {}, texts: {} }
  for (const [name, field] of writableFields(resource)) {
    if (field.localized) continue
    values.shared[name] = record ? formValue(field, record[name]) : (start?.values[name] ?? emptyValue(field))
  }
  if (!resource.localized) return values
  for (const locale of locales) {
    const entry = entries.get(locale)
    const texts: Values = {}
    for (const [name, field] of writableFields(resource)) {
      if (!field.localized) continue
      const initialValue = record === null && start?.language === locale ? start.values[name] : undefined
      texts[name] = entry ? formValue(field, entry[name]) : (initialValue ?? '')
    }
    values.texts[locale] = texts
  }
  return values
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** A record and its localizations, each with its language. */
function familyEntries(resource: Resource, record: Entry | null): [Locale, Entry][] {
  if (!record || !resource.localized) return []
  const translations = Array.isArray(record.localizations) ? record.localizations.filter(isEntry) : []
  return [record, ...translations].flatMap((entry): [Locale, Entry][] =>
    isLocale(entry.locale) ? [[entry.locale, entry]] : [],
  )
}

/** Languages of a record that exist on the server, with their ids and versions. */
export function familyOf(resource: Resource, record: Entry | null): LanguageFamily {
  return new Map(
    familyEntries(resource, record).map(([locale, entry]) => [
      locale,
      { id: entry.id, version: Number(entry.version), outdated: entry.outdated === true },
    ]),
  )
}

/** Returns whether the form has any text in a language. */
export function hasText(texts: Values | undefined): boolean {
  return Object.values(texts ?? {}).some(
    (value) => typeof value === 'string' && value.trim() !== '' && value !== '<p></p>',
  )
}

/** Path of a field in the values of the form. */
export function nameOfField(resource: Resource, field: string, locale: Locale | undefined): string {
  return resource.fields[field]?.localized && locale ? `texts.${locale}.${field}` : `shared.${field}`
}

/** Progress of a language in the form: the number of fields with text, and of all text fields. */
export function coverageOf(resource: Resource, texts: Values | undefined): { filled: number; all: number } {
  const names = writableFields(resource).filter(([, field]) => field.localized)
  const filledCount = names.filter(([name]) => hasText({ [name]: texts?.[name] })).length
  return { filled: filledCount, all: names.length }
}

export const pathOf = (name: string): FieldPath<FormValues> => name as FieldPath<FormValues>

/** Sets values in the form as typed; fields of an older draft that the form lacks are dropped. */
export function setTypedValues(
  form: UseFormReturn<FormValues>,
  { shared, texts }: FormValues,
  storedValues: FormValues,
): void {
  const typeValues = (prefix: string, typedValues: Values | undefined, storedValues: Values | undefined) => {
    for (const [name, value] of Object.entries(typedValues ?? {})) {
      if (storedValues && name in storedValues) form.setValue(pathOf(`${prefix}.${name}`), value, { shouldDirty: true })
    }
  }
  typeValues('shared', shared, storedValues.shared)
  for (const [locale, values] of Object.entries(texts)) {
    if (isLocale(locale)) typeValues(`texts.${locale}`, values, storedValues.texts[locale])
  }
}
