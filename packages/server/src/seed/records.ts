/**
 * Converts records of the data files to request bodies: checks every key, and separates texts by language.
 */
import { type Field, isLocale, isScalar, type Locale, locales, type Resource } from '@dala/model'

export type SeedRecord = Readonly<Record<string, unknown>>
type Texts = Partial<Record<Locale, unknown>>

/** Keys that only help readers of the data files (data notes), such as a `slug` of a type that has none. */
const readersHelp: Readonly<Record<string, readonly string[]>> = {
  regions: ['coordsApprox'],
  districts: ['short', 'coordsApprox', 'coordsPrecision'],
  tags: ['order'],
  roles: ['order'],
  consultations: ['id'],
}

/**
 * Returns the fields of a seed record, including its creation time.
 *
 * @param resource - The resource.
 * @param record - The record of the data files.
 * @returns The fields that the resource has.
 * @throws For a key that is neither a field nor a known help, so that no data is lost unnoticed.
 */
export function fieldsOf(resource: Resource, record: SeedRecord): SeedRecord {
  const takenValues: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    const field: Field | undefined = resource.fields[name]
    if (field || name === 'createdAt') takenValues[name] = value
    else if (name !== 'slug' && !readersHelp[resource.name]?.includes(name)) {
      throw new Error(`The seeds have "${name}" for ${resource.name}, which has no such field`)
    }
    // A localized slug belongs to the English entry; the other languages derive theirs from their names.
    if (field?.kind === 'slug' && field.localized && typeof value === 'string') takenValues[name] = { en: value }
  }
  return takenValues
}

/** Returns the field that identifies a record in the data files: the first unique one, else the title. */
export function keyField({ fields, title, uniqueTogether = [] }: Resource): string {
  const names = Object.entries<Field>(fields).filter(([, field]) => isScalar(field))
  const uniqueField =
    names.find(([, field]) => field.unique) ?? names.find(([name]) => uniqueTogether.flat().includes(name))
  return uniqueField?.[0] ?? title
}

/**
 * Returns the value of the identifying field of a record; of a multilingual text the Russian one, which every
 * sample has.
 */
export function keyOf(resource: Resource, record: SeedRecord): string {
  const name = keyField(resource)
  const value = record[name]
  const key = isTextsByLanguage(value) ? value.ru : value
  if (typeof key !== 'string') throw new Error(`A seed of ${resource.name} has no ${name} to know it by`)
  return key
}

/** Returns the languages of a seed record, Russian first, because most samples were written in it. */
export function languagesOf(resource: Resource, record: SeedRecord): Locale[] {
  const writtenKeys = new Set<string>()
  for (const [name, value] of Object.entries(record)) {
    if (resource.fields[name]?.localized && isTextsByLanguage(value))
      for (const locale of Object.keys(value)) writtenKeys.add(locale)
  }
  return locales.filter((locale) => writtenKeys.has(locale)).toSorted((a, b) => Number(b === 'ru') - Number(a === 'ru'))
}

/**
 * Returns a record as the body of one language. A localized value without languages (a web address) applies
 * to every language.
 *
 * @param resource - The resource.
 * @param record - The record.
 * @param locale - The language.
 * @param textsOnly - Whether to leave out what the document already has.
 * @returns The body.
 */
export function recordInLanguage(
  resource: Resource,
  record: SeedRecord,
  locale: Locale,
  textsOnly = false,
): SeedRecord {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (resource.fields[name]?.localized) body[name] = isTextsByLanguage(value) ? value[locale] : value
    else if (!textsOnly || name === 'createdAt') body[name] = value
  }
  return body
}

function isTextsByLanguage(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every(isLocale)
}
