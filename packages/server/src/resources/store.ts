/** The SQL of writes: rows of documents and entries go in, change and leave. */
import { isScalar, kindOf, type Locale, locales, type Resource } from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../db/database.ts'
import { documentTable, textTable } from '../db/schema.ts'

type Values = Readonly<Record<string, unknown>>

/** A value in the form its column takes. */
function bound(resource: Resource, name: string, value: unknown): RawBuilder<unknown> {
  const field = resource.fields[name]
  if (value !== null && field && isScalar(field) && kindOf(field).column(field) === 'jsonb') {
    return sql`${JSON.stringify(value)}::jsonb`
  }
  return typeof value === 'number' ? sql`${String(value)}::numeric` : sql`${value}`
}

async function insert(
  trx: Transaction,
  table: string,
  resource: Resource,
  values: Values,
  extra: Values,
): Promise<number> {
  const columns = [...Object.keys(values), ...Object.keys(extra)].map((name) => sql.ref(name))
  const items = [
    ...Object.entries(values).map(([name, value]) => bound(resource, name, value)),
    ...Object.values(extra).map((value) => sql`${value}`),
  ]
  const body = columns.length > 0 ? sql`(${sql.join(columns)}) values (${sql.join(items)})` : sql`default values`
  const rows = await trx.query(sql<{ id: number }>`insert into ${sql.table(table)} ${body} returning id`)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`Nothing was inserted into ${table}`)
  return id
}

/** Inserts a document; for types without languages it is the whole record. Out: its id. */
export function insertDocument(trx: Transaction, resource: Resource, values: Values, extra: Values): Promise<number> {
  return insert(trx, documentTable(resource), resource, values, extra)
}

/** Inserts a language entry of a document. Out: its wire id. */
export function insertText(
  trx: Transaction,
  resource: Resource,
  document: number,
  locale: Locale,
  values: Values,
  extra: Values,
): Promise<number> {
  return insert(trx, textTable(resource), resource, values, { document_id: document, locale, ...extra })
}

function assignments(resource: Resource, values: Values): RawBuilder<unknown>[] {
  return Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${bound(resource, name, value)}`)
}

const touch = sql`version = version + 1, updated_at = now()`

/** Changes shared columns of a document and moves the version of all its entries (architecture.md, translations). */
export async function updateDocument(
  trx: Transaction,
  resource: Resource,
  document: number,
  values: Values,
): Promise<void> {
  const set = assignments(resource, values)
  if (!resource.localized) set.push(touch)
  if (set.length > 0) {
    await trx.query(sql`update ${sql.table(documentTable(resource))} set ${sql.join(set)} where id = ${document}`)
  }
  if (resource.localized) {
    await trx.query(sql`update ${sql.table(textTable(resource))} set ${touch} where document_id = ${document}`)
  }
}

/** Changes columns of one entry; `moves` says whether its version moves with it. */
export async function updateText(
  trx: Transaction,
  resource: Resource,
  entry: number,
  values: Values,
  moves: boolean,
): Promise<void> {
  const set = [...assignments(resource, values), ...(moves ? [touch] : [])]
  if (set.length === 0) return
  await trx.query(sql`update ${sql.table(textTable(resource))} set ${sql.join(set)} where id = ${entry}`)
}

/** A stored entry, locked until the transaction ends. */
export interface StoredEntry {
  document: number
  entry: number
  locale: Locale | undefined
  sourceLocale: Locale | undefined
}

/** Finds and locks the entry of a wire id. Out: undefined when there is none. */
export async function lockEntry(trx: Transaction, resource: Resource, id: number): Promise<StoredEntry | undefined> {
  const documents = sql.table(documentTable(resource))
  if (!resource.localized) {
    const rows = await trx.query(sql<{ id: number }>`select id from ${documents} where id = ${id} for update`)
    return rows[0] && { document: rows[0].id, entry: rows[0].id, locale: undefined, sourceLocale: undefined }
  }
  const rows = await trx.query(sql<{ document: number; entry: number; locale: Locale; sourceLocale: Locale }>`
    select d.id as document, t.id as entry, t.locale, d.source_locale as "sourceLocale"
      from ${sql.table(textTable(resource))} t join ${documents} d on d.id = t.document_id
     where t.id = ${id} for update of d, t`)
  return rows[0]
}

/** The entries of a document by language. */
export async function familyOf(trx: Transaction, resource: Resource, document: number): Promise<Map<Locale, number>> {
  const rows = await trx.query(sql<{ id: number; locale: Locale }>`
    select id, locale from ${sql.table(textTable(resource))} where document_id = ${document}`)
  return new Map(rows.map(({ id, locale }) => [locale, id]))
}

/** Counts a change of the source's texts, or notes that a translation has seen the source as it is now. */
export async function followSource(
  trx: Transaction,
  resource: Resource,
  stored: StoredEntry,
  changed: boolean,
): Promise<void> {
  const documents = sql.table(documentTable(resource))
  if (stored.locale === stored.sourceLocale) {
    if (changed)
      await trx.query(sql`update ${documents} set source_changes = source_changes + 1 where id = ${stored.document}`)
    return
  }
  await trx.query(sql`update ${sql.table(textTable(resource))} t set seen_changes = d.source_changes
      from ${documents} d where d.id = t.document_id and t.id = ${stored.entry}`)
}

/**
 * Removes one entry. When it was the source, the next language of en → ru → uz → kaa becomes it; with the last entry
 * the document goes. Out: whether the document is gone.
 */
export async function removeText(trx: Transaction, resource: Resource, stored: StoredEntry): Promise<boolean> {
  await trx.query(sql`delete from ${sql.table(textTable(resource))} where id = ${stored.entry}`)
  const family = await familyOf(trx, resource, stored.document)
  const next = locales.find((locale) => family.has(locale))
  if (next === undefined) return true
  if (stored.locale === stored.sourceLocale) {
    await trx.query(
      sql`update ${sql.table(documentTable(resource))} set source_locale = ${next}, source_changes = 0 where id = ${stored.document}`,
    )
    await trx.query(
      sql`update ${sql.table(textTable(resource))} set seen_changes = 0 where document_id = ${stored.document}`,
    )
  }
  return false
}

/** Removes a document; the database takes its entries and list links with it. */
export async function removeDocument(trx: Transaction, resource: Resource, document: number): Promise<void> {
  await trx.query(sql`delete from ${sql.table(documentTable(resource))} where id = ${document}`)
}
