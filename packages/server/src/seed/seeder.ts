/** Writes seed records through the write service, a record keyed by language becoming one document with its entries. */
import { type Caller, type Locale, locales, type Resource, roleTypes } from '@dala/model'
import type { Database } from '../db/database.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { firstRows, parseList } from '../resources/parse-query.ts'
import { readList, Totals } from '../resources/read.ts'
import { addTranslation, createEntry, type WriteContext } from '../resources/write.ts'

/** The program itself; it stands for no account. */
const system: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'seed' }

type Texts = Partial<Record<Locale, string>>
export type SeedRecord = Record<string, unknown>

const roleNames: Readonly<Record<(typeof roleTypes)[number], [name: string, description: string]>> = {
  owner: ['Owner', 'Holds the product; can do everything'],
  'super-admin': ['Super administrator', 'Runs the office; everything below the owner'],
  admin: ['Administrator', 'Keeps content, lists and people'],
  authenticated: ['Registered user', 'Farmers and consultants'],
  public: ['Guest', 'Nobody signed in'],
}

export class Seeder {
  readonly #context: WriteContext
  readonly #totals = new Totals()

  constructor(database: Database) {
    this.#context = { database, author: { caller: system, seeding: true }, view: {} }
  }

  /** The wire id of the record with this value, in any language. */
  async find(name: string, field: string, value: string): Promise<number | undefined> {
    const resource = resourceNamed(name)
    const query = parseList(
      { locale: 'all', filters: { [field]: { $eq: value } }, fields: [field] },
      resource,
      system,
      {},
      firstRows(1),
    )
    const { entries } = await readList(this.#context.database, this.#totals, query)
    return entries[0]?.id
  }

  /** Makes a record of a type without languages, unless one with the same key is there. Out: its wire id. */
  async plain(name: string, key: string, record: SeedRecord): Promise<number> {
    const known = await this.find(name, key, String(record[key]))
    return known ?? createEntry(this.#context, resourceNamed(name), record, undefined)
  }

  /**
   * Makes a document with one entry for each language that its `title` has.
   *
   * In: shared values as they are, localized ones keyed by language; a language without a title is left untranslated.
   * Out: the wire id of its first entry.
   */
  async document(name: string, record: SeedRecord, find: { field: string; value: string }): Promise<number> {
    const resource = resourceNamed(name)
    const known = await this.find(name, find.field, find.value)
    if (known !== undefined) return known
    const languages = languagesOf(resource, record)
    const [first, ...others] = languages
    if (!first) throw new Error(`A sample of ${name} has no text in any language`)
    const id = await createEntry(this.#context, resource, inLanguage(resource, record, first), first)
    for (const locale of others) {
      await addTranslation(this.#context, resource, id, { ...inLanguage(resource, record, locale, true), locale })
    }
    return id
  }

  /** Makes a record of a reference list, in all languages that it has. */
  async record(resource: Resource, record: SeedRecord, key: { field: string; value: string }): Promise<void> {
    await (resource.localized
      ? this.document(resource.name, record, key)
      : this.plain(resource.name, key.field, record))
  }

  /** Whether any account has this role. */
  async hasUserOfRole(role: number): Promise<boolean> {
    const query = parseList(
      { filters: { role: { $eq: String(role) } }, fields: ['username'] },
      resourceNamed('users'),
      system,
      {},
      firstRows(1),
    )
    const { entries } = await readList(this.#context.database, this.#totals, query)
    return entries.length > 0
  }

  async roles(): Promise<void> {
    for (const type of roleTypes) {
      const [name, description] = roleNames[type]
      await this.plain('roles', 'type', { type, name, description })
    }
  }
}

const textsOf = (value: unknown): Texts => (typeof value === 'object' && value !== null ? value : {})

/** The languages a record is written in; Russian first, because most samples were written in it. */
function languagesOf(resource: Resource, record: SeedRecord): Locale[] {
  const texts = textsOf(record[resource.title])
  return locales.filter((locale) => texts[locale]).toSorted((a, b) => Number(b === 'ru') - Number(a === 'ru'))
}

/** A record as the body of one language; `textsOnly` leaves out what the document already has. */
function inLanguage(resource: Resource, record: SeedRecord, locale: Locale, textsOnly = false): SeedRecord {
  const body: SeedRecord = {}
  for (const [name, value] of Object.entries(record)) {
    if (resource.fields[name]?.localized) body[name] = textsOf(value)[locale]
    else if (!textsOnly || name === 'createdAt') body[name] = value
  }
  return body
}
