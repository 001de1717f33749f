/** Records of the data files as bodies of writes: every key accounted for, texts taken apart by language. */
import { type Field, isLocale, isScalar, type Locale, locales, type Resource } from '@dala/model'

export type SeedRecord = Readonly<Record<string, unknown>>
type Texts = Partial<Record<Locale, unknown>>

/** Keys that help whoever reads the files and are no fields (data notes); so is a `slug` of a type that has none. */
const readersHelp: Readonly<Record<string, readonly string[]>> = {
  regions: ['coordsApprox'],
  districts: ['short', 'coordsApprox', 'coordsPrecision'],
  tags: ['order'],
  roles: ['order'],
  consultations: ['id'],
}

/**
 * What a resource takes of a record, its creation time included.
 * Throws for a key that is neither a field nor known as help: nothing of the files may be lost unseen.
 */
export function fieldsOf(resource: Resource, record: SeedRecord): SeedRecord {
  const taken: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    const field: Field | undefined = resource.fields[name]
    if (field || name === 'createdAt') taken[name] = value
    else if (name !== 'slug' && !readersHelp[resource.name]?.includes(name)) {
      throw new Error(`The seeds have "${name}" for ${resource.name}, which has no such field`)
    }
    // A slug that differs by language is the English entry's; the others make theirs from their names.
    if (field?.kind === 'slug' && field.localized && typeof value === 'string') taken[name] = { en: value }
  }
  return taken
}

/** The field by whose value the files name a record: the first that no two records share, else the title. */
export function keyField({ fields, title, uniqueTogether = [] }: Resource): string {
  const names = Object.entries<Field>(fields).filter(([, field]) => isScalar(field))
  const unique = names.find(([, field]) => field.unique) ?? names.find(([name]) => uniqueTogether.flat().includes(name))
  return unique?.[0] ?? title
}

/** The value of that field; of a text in several languages the Russian one, which every sample has. */
export function keyOf(resource: Resource, record: SeedRecord): string {
  const name = keyField(resource)
  const value = record[name]
  const key = isTexts(value) ? value.ru : value
  if (typeof key !== 'string') throw new Error(`A seed of ${resource.name} has no ${name} to know it by`)
  return key
}

/** The languages a record is written in; Russian first, because most samples were written in it. */
export function languagesOf(resource: Resource, record: SeedRecord): Locale[] {
  const written = new Set<string>()
  for (const [name, value] of Object.entries(record)) {
    if (resource.fields[name]?.localized && isTexts(value)) for (const locale of Object.keys(value)) written.add(locale)
  }
  return locales.filter((locale) => written.has(locale)).toSorted((a, b) => Number(b === 'ru') - Number(a === 'ru'))
}

/**
 * A record as the body of one language. A localized value without languages (an address on the web) is every
 * language's. `textsOnly` leaves out what the document already has.
 */
export function inLanguage(resource: Resource, record: SeedRecord, locale: Locale, textsOnly = false): SeedRecord {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (resource.fields[name]?.localized) body[name] = isTexts(value) ? value[locale] : value
    else if (!textsOnly || name === 'createdAt') body[name] = value
  }
  return body
}

function isTexts(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every(isLocale)
}
