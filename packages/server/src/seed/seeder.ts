/** Writes seed records through the write service: links by the keys of the files, texts as one document with its entries. */
import { isLink, type Resource } from '@dala/model'
import { sql } from 'kysely'
import type { Database, Transaction } from '../db/database.ts'
import { accountsUnder } from '../resources/accounts.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { programCaller } from '../resources/history.ts'
import { Aliases, columnSql, entriesFrom } from '../resources/sql-entry.ts'
import { addTranslation, createEntry, updateEntry, type WriteContext } from '../resources/write.ts'
import type { PasswordPolicy } from '../settings.ts'
import { fieldsOf, inLanguage, keyField, keyOf, languagesOf, type SeedRecord } from './records.ts'

/** Wire ids by the key of the files, by resource. */
export type KnownIds = Map<string, Map<string, number>>

/** A record that is there: whether this seed made it. */
export interface Made {
  id: number
  isNew: boolean
}

/** Writes within one transaction; what it learns of ids is kept for the next one. */
export class Seeder {
  readonly trx: Transaction
  readonly #context: WriteContext
  readonly #known: KnownIds
  readonly #policy: PasswordPolicy

  constructor(database: Database, trx: Transaction, known: KnownIds, policy: PasswordPolicy = 'spec') {
    this.trx = trx
    this.#policy = policy
    this.#context = { database, trx, author: { caller: programCaller, seeding: true }, view: {} }
    this.#known = known
  }

  /** The wire id of a record by its key. Throws when there is none: the files name nothing that they do not have. */
  async id(name: string, key: string): Promise<number> {
    const id = (await this.#ids(resourceNamed(name))).get(key)
    if (id === undefined) throw new Error(`The seeds name "${key}" of ${name}, and there is no such record`)
    return id
  }

  /** Makes a record unless one with its key is there, whoever made that. */
  async add(name: string, record: SeedRecord): Promise<Made> {
    const resource = resourceNamed(name)
    const key = keyOf(resource, record)
    const ids = await this.#ids(resource)
    const known = resource.single ? [...ids.values()][0] : ids.get(key)
    if (known !== undefined) return { id: known, isNew: false }
    const id = await this.insert(name, record)
    ids.set(key, id)
    return { id, isNew: true }
  }

  /** Makes the records of a list; without an order of their own they stand as they come. Out: those made or found. */
  async addAll(name: string, records: readonly SeedRecord[]): Promise<Made[]> {
    const isOrdered = 'order' in resourceNamed(name).fields
    const made: Made[] = []
    for (const [index, record] of records.entries()) {
      made.push(await this.add(name, isOrdered ? { order: index + 1, ...record } : record))
    }
    return made
  }

  /**
   * Makes a record: a document with one entry for each language that its texts have.
   *
   * In: shared values as they are, localized ones keyed by language, links as ids or as keys of the files.
   * Out: the wire id of its first entry.
   */
  async insert(name: string, record: SeedRecord): Promise<number> {
    const resource = accountsUnder(this.#policy, resourceNamed(name))
    const body = await this.#linked(resource, fieldsOf(resource, record))
    if (!resource.localized) return createEntry(this.#context, resource, body, undefined)
    const [first, ...others] = languagesOf(resource, body)
    if (!first) throw new Error(`A seed of ${name} has no text in any language`)
    const id = await createEntry(this.#context, resource, inLanguage(resource, body, first), first)
    for (const locale of others) {
      await addTranslation(this.#context, resource, id, { ...inLanguage(resource, body, locale, true), locale })
    }
    return id
  }

  /** Changes a record that this seed has made. */
  async update(name: string, id: number, record: SeedRecord): Promise<void> {
    const resource = resourceNamed(name)
    await updateEntry(this.#context, resource, id, await this.#linked(resource, fieldsOf(resource, record)))
  }

  /** Links that name keys, as the ids they stand for. */
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

  /** All ids of a resource by key, read once: a key in several languages leads to one of the document's entries. */
  async #ids(resource: Resource): Promise<Map<string, number>> {
    const known = this.#known.get(resource.name)
    if (known) return known
    const entry = new Aliases().entry(resource)
    const rows = await this.trx.query(sql<{ id: number; key: unknown }>`
      select ${sql.ref(`${entry.text}.id`)} as id, ${columnSql(entry, keyField(resource))} as key from ${entriesFrom(entry)}`)
    const ids = new Map(rows.map(({ id, key }) => [String(key), id]))
    this.#known.set(resource.name, ids)
    return ids
  }
}
