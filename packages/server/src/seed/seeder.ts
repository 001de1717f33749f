/**
 * Writes seed records through the write service: resolves links by the keys of the data files, and writes
 * texts as one document with its entries.
 */
import { type Field, isLink, type Resource } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Database, Transaction } from '../db/database.ts'
import { applyPasswordPolicy } from '../domain/accounts/accounts.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { programCaller } from '../resources/history/history.ts'
import { Aliases, columnSql, entriesFrom } from '../resources/read/sql-entry.ts'
import {
  addTranslation,
  createEntry,
  createFamily,
  isPlainFamily,
  updateEntry,
  type WriteContext,
} from '../resources/write/write.ts'
import { createEntries } from '../resources/write/write-many.ts'
import type { PasswordPolicy } from '../settings.ts'
import { Calendar } from './calendar.ts'
import { fieldsOf, recordInLanguage, keyField, keyOf, languagesOf, type SeedRecord } from './records.ts'

/** Wire ids of seeded records by resource, and by their key in the data files. */
export type KnownIds = Map<string, Map<string, number>>

/** Record of the seed, and whether this run of the seed created it. */
export interface SeededRecord {
  id: number
  isNew: boolean
}

/** Maximum number of seed records that are written concurrently, and in one statement. */
const parallelCount = 16
const portion = 200

/**
 * Whether the records of a list do not depend on each other: no link leads to the same list, and no slug must
 * be made unique.
 */
const isIndependent = (resource: Resource, records: readonly SeedRecord[]): boolean =>
  !resource.single &&
  Object.entries<Field>(resource.fields).every(([name, field]) => {
    if (isLink(field)) return field.target !== resource.name || !records.some((record) => name in record)
    return field.kind !== 'slug' || (!field.localized && records.every((record) => name in record))
  })

/** The settings of a seeder. */
export interface SeederSettings {
  day: string
  passwordPolicy?: PasswordPolicy
}

/** Writes sample records within one transaction; the ids that it learns are available to the next one. */
export class Seeder {
  readonly trx: Transaction
  /** The calendar of the samples. */
  readonly calendar: Calendar
  readonly #context: WriteContext
  readonly #known: KnownIds
  readonly #policy: PasswordPolicy
  readonly #reading = new Map<string, Promise<Map<string, number>>>()

  constructor(database: Database, trx: Transaction, existingIds: KnownIds, settings: SeederSettings) {
    const { day, passwordPolicy = 'spec' } = settings
    this.trx = trx
    this.calendar = new Calendar(day)
    this.#policy = passwordPolicy
    this.#context = { database, trx, author: { caller: programCaller, seeding: true }, view: {} }
    this.#known = existingIds
  }

  /**
   * Returns the wire id of a record by its key.
   *
   * @throws For an unknown key: the data files name only their own records.
   */
  async id(name: string, key: string): Promise<number> {
    const id = (await this.#ids(resourceNamed(name))).get(key)
    if (id === undefined) throw new Error(`The seeds name "${key}" of ${name}, and there is no such record`)
    return id
  }

  /** Creates a seed record unless one with its key exists, whichever user created that one. */
  async add(name: string, record: SeedRecord): Promise<SeededRecord> {
    const resource = resourceNamed(name)
    const key = keyOf(resource, record)
    const ids = await this.#ids(resource)
    const existingId = resource.single ? [...ids.values()][0] : ids.get(key)
    if (existingId !== undefined) return { id: existingId, isNew: false }
    const id = await this.insert(name, record)
    ids.set(key, id)
    return { id, isNew: true }
  }

  /**
   * Creates the seed records of a list; without an order of their own they keep that of the list.
   *
   * @returns The created or existing records.
   */
  async addAll(name: string, records: readonly SeedRecord[]): Promise<SeededRecord[]> {
    const resource = resourceNamed(name)
    const isOrdered = 'order' in resource.fields
    const placedRecords = records.map((record, index) => (isOrdered ? { order: index + 1, ...record } : record))
    return this.#inParallel(placedRecords, isIndependent(resource, records) ? parallelCount : 1, (record) =>
      this.add(name, record),
    )
  }

  /**
   * Writes records in their order, some concurrently: the database writes one while the program prepares the
   * next. Their statements are sent in that order, so that the records get the same ids each time.
   *
   * @param records - The records.
   * @param maxWrites - Maximum number of concurrent writes.
   * @param write - Writes one record.
   * @returns The result of each write, in the order of the records.
   */
  async #inParallel<R, T>(records: readonly R[], maxWrites: number, write: (record: R) => Promise<T>): Promise<T[]> {
    const results: T[] = []
    for (let start = 0; start < records.length; start += maxWrites) {
      // The first failure of the seed's writes causes all others, because it has aborted the transaction.
      const failedErrors: unknown[] = []
      const writtenIds = await Promise.all(
        records.slice(start, start + maxWrites).map(async (record) => {
          try {
            return [await write(record)]
          } catch (error) {
            failedErrors.push(error)
            return []
          }
        }),
      )
      if (failedErrors.length > 0) throw failedErrors[0]
      results.push(...writtenIds.flat())
    }
    return results
  }

  /**
   * Creates a seed record: a document with one entry for each language of its texts.
   *
   * @param name - The resource.
   * @param record - Shared values as they are, localized ones keyed by language, links as ids or as keys of
   * the data files.
   * @returns The wire id of its first entry.
   */
  async insert(name: string, record: SeedRecord): Promise<number> {
    const resource = applyPasswordPolicy(this.#policy, resourceNamed(name))
    const body = await this.#linked(resource, fieldsOf(resource, record))
    if (!resource.localized) return createEntry(this.#context, resource, body, undefined)
    const [firstLocale, ...otherLocales] = languagesOf(resource, body)
    if (!firstLocale) throw new Error(`A seed of ${name} has no text in any language`)
    const document = { draft: recordInLanguage(resource, body, firstLocale), locale: firstLocale }
    const languages = otherLocales.map((locale) => ({
      draft: { ...recordInLanguage(resource, body, locale, true), locale },
      locale,
    }))
    const drafts = languages.map(({ draft }) => draft)
    if (isPlainFamily(this.trx.parts, resource, drafts))
      return createFamily(this.#context, resource, [document, ...languages])
    const id = await createFamily(this.#context, resource, [document])
    for (const draft of drafts) await addTranslation(this.#context, resource, id, draft)
    return id
  }

  /**
   * Creates many records in batches, of a type without languages and lists, and without keys that others
   * name.
   *
   * @param name - The resource.
   * @param records - The records, all with the same fields.
   */
  async insertMany(name: string, records: readonly SeedRecord[]): Promise<void> {
    const resource = resourceNamed(name)
    for (let start = 0; start < records.length; start += portion) {
      const bodies = records
        .slice(start, start + portion)
        .map((record) => this.#linked(resource, fieldsOf(resource, record)))
      await createEntries(this.#context, resource, await Promise.all(bodies))
    }
  }

  /** Changes a record that the same seed has created. */
  async update(name: string, id: number, record: SeedRecord): Promise<void> {
    const resource = resourceNamed(name)
    await updateEntry(this.#context, resource, id, await this.#linked(resource, fieldsOf(resource, record)))
  }

  /** Replaces the keys in links of seed records by the ids of their records. */
  async #linked(resource: Resource, record: SeedRecord): Promise<SeedRecord> {
    const body: Record<string, unknown> = { ...record }
    for (const [name, value] of Object.entries(record)) {
      const field = resource.fields[name]
      if (!field || !isLink(field)) continue
      const idOf = (item: unknown) => (typeof item === 'string' ? this.id(field.target, item) : item)
      body[name] = Array.isArray(value) ? await Promise.all(value.map(idOf)) : await idOf(value)
    }
    return body
  }

  /**
   * Returns all ids of a resource by key, read once: a multilingual key leads to one of the document's
   * entries.
   */
  #ids(resource: Resource): Promise<Map<string, number>> {
    const knownIds = this.#known.get(resource.name)
    if (knownIds) return Promise.resolve(knownIds)
    const readingCall = this.#reading.get(resource.name) ?? this.#readIds(resource)
    this.#reading.set(resource.name, readingCall)
    return readingCall
  }

  async #readIds(resource: Resource): Promise<Map<string, number>> {
    const entry = new Aliases(this.trx).entry(resource)
    const rows = await this.trx.query(sql<{ id: number; key: unknown }>`
      select ${sql.ref(`${entry.text}.id`)} as id, ${columnSql(entry, keyField(resource))} as key from ${entriesFrom(entry)}`)
    const ids = new Map(rows.map(({ id, key }) => [String(key), id]))
    this.#known.set(resource.name, ids)
    return ids
  }
}
