/** SQL of one entry of a resource: its aliased tables, its columns, and the joins to its related entries. */
import { type Field, locales, type Locale, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { countColumn, documentTable, textTable } from '../../db/schema.ts'
import { type Attribute, attributeOf, type LinkPlace } from '../attributes.ts'
import type { ComputedSql, EntryTables } from '../engine-parts.ts'

type Sql = Template<unknown>

/** An entry inside a statement: `document` and `text` are aliases; without languages they are the same. */
export interface EntryAlias extends EntryTables {
  /** SQL of the key of the entry's document, from the leading table of the statement. */
  readonly documentId: Sql
  /**
   * SQL of the language in which entries related to the entry are looked for first; undefined: only the
   * query's.
   */
  readonly language: Sql | undefined
  /** Makes the SQL of the computed fields of the entry's resource. */
  readonly computedSql: ComputedSql
}

/**
 * An entry that notes which of its two tables are used, so that a statement joins only what it needs
 * (decision 14). A deep page walks through an index of the texts and never looks up thousands of documents.
 */
class Entry implements EntryAlias {
  readonly resource: Resource
  readonly leadingTable: 'text' | 'document'
  readonly computedSql: ComputedSql
  readonly #document: string
  readonly #text: string
  #used = { text: false, document: false }

  constructor({ resource, document, text }: EntryTables, firstTable: 'text' | 'document', computedSql: ComputedSql) {
    this.resource = resource
    this.leadingTable = firstTable
    this.computedSql = computedSql
    this.#document = document
    this.#text = text
  }
  get document() {
    this.#used.document = true
    return this.#document
  }
  get text() {
    this.#used.text = true
    return this.#text
  }
  get documentId() {
    if (this.leadingTable === 'document' || !this.resource.localized) return sql.ref(`${this.document}.id`)
    return sql.ref(`${this.text}.document_id`)
  }
  get language() {
    return this.resource.localized ? sql.ref(`${this.text}.locale`) : undefined
  }
  get usesText(): boolean {
    return this.#used.text
  }
  get usesDocument(): boolean {
    return this.#used.document
  }
  /** SQL of the entry's leading table and of the tables used so far. */
  get neededFrom(): Sql {
    const { resource, leadingTable } = this
    if (!resource.localized || (leadingTable === 'text' ? this.#used.document : this.#used.text))
      return entriesFrom(this)
    const [table, alias] = leadingTable === 'text' ? [textTable, this.#text] : [documentTable, this.#document]
    return sql`${sql.table(table(resource))} as ${sql.ref(alias)}`
  }
}

/** Provides aliases that are unique within one statement, and entries that know the computed fields. */
export class Aliases {
  readonly computedSql: ComputedSql
  #next = 0

  /**
   * Creates the table aliases of one SQL statement.
   *
   * @param runner - The connection that the statement is sent to.
   */
  constructor({ parts }: Pick<Queries, 'parts'>) {
    this.computedSql = parts.computedSql
  }
  next(prefix: string): string {
    this.#next += 1
    return `${prefix}${this.#next}`
  }
  entry(resource: Resource, firstTable: 'text' | 'document' = 'text'): Entry {
    const document = this.next('d')
    const text = resource.localized ? this.next('t') : document
    return new Entry({ resource, document, text }, firstTable, this.computedSql)
  }
}

/** Returns the column attribute of a name that the parser has accepted. */
export function columnAttribute(resource: Resource, name: string): Extract<Attribute, { is: 'column' }> {
  const attribute = attributeOf(resource, { hasPrivateFields: true }, name)
  if (attribute?.is !== 'column') throw new Error(`${resource.name}.${name} is no column`)
  return attribute
}

/** Returns the link attribute of a name that the parser has accepted. */
export function linkAttribute(resource: Resource, name: string): Extract<Attribute, { is: 'link' }> {
  const attribute = attributeOf(resource, {}, name)
  if (attribute?.is !== 'link') throw new Error(`${resource.name}.${name} is no link`)
  return attribute
}

const systemNames: Readonly<Record<string, string>> = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** SQL of a column as it is stored. */
export function columnSql(entry: EntryAlias, name: string): Sql {
  const { resource } = entry
  const field: Field | undefined = resource.fields[name]
  if (name === 'outdated' && !field) {
    const { document, text } = entry
    return sql`(${sql.ref(`${text}.locale`)} <> ${sql.ref(`${document}.source_locale`)} and ${sql.ref(`${text}.seen_changes`)} < ${sql.ref(`${document}.source_changes`)})`
  }
  if (!field) return sql.ref(`${entry.text}.${systemNames[name] ?? name}`)
  if (field.computed) return entry.computedSql(entry, name)
  if (field.kind === 'count') {
    return sql`(select count(*)::int from ${sql.table(field.target)} c where ${sql.ref(`c.${countColumn(field)}`)} = ${entry.documentId})`
  }
  const storedColumn = 'from' in field && field.from !== undefined ? field.from : name
  return sql.ref(`${field.localized ? entry.text : entry.document}.${storedColumn}`)
}

/** SQL of a column as filters and sorts see it: one language of a text in several languages (contract §8). */
export function comparedSql(entry: EntryAlias, name: string, locale: Locale): Sql {
  const column = columnSql(entry, name)
  if (entry.resource.fields[name]?.kind !== 'translations') return column
  return sql`(case jsonb_typeof(${column}) when 'string' then ${column} #>> '{}' else ${column} ->> ${sql.lit(locale)} end)`
}

/** SQL of a resource's tables for `from`, with languages joined. */
export function entriesFrom({ resource, document, text }: EntryAlias): Sql {
  const documents = sql`${sql.table(documentTable(resource))} as ${sql.ref(document)}`
  if (!resource.localized) return documents
  return sql`${sql.table(textTable(resource))} as ${sql.ref(text)} join ${documents} on ${sql.ref(`${document}.id`)} = ${sql.ref(`${text}.document_id`)}`
}

/** SQL of the rank of languages as substitutes for each other: parent's, query's, en → ru → uz → kaa. */
export function languageOrder(column: Sql, parent: Sql | undefined, locale: Locale): Sql {
  const order = [locale, ...locales.filter((otherLocale) => otherLocale !== locale)]
  const listedSql = sql.join(order.map((item) => sql.lit(item)))
  const languageList = parent ? sql`${parent}::text, ${listedSql}` : listedSql
  return sql`array_position(array[${languageList}]::text[], ${column}::text)`
}

/** The related entries of one link: `from` and the condition that joins them to their parent. */
export interface RelatedSql {
  entry: EntryAlias
  fromSql: Sql
  tieSql: Sql
  /** SQL of the values by which linked records are in the order of their links. */
  order: readonly Sql[]
}

/**
 * SQL of the entries that a link of `parent` shows: each target once, as its entry in the parent's language,
 * else in the query's, else en → ru → uz → kaa (contract §8). Without `entries` only the documents, for
 * conditions on the target itself.
 */
export function relatedSql(
  parent: EntryAlias,
  target: Resource,
  linkPosition: LinkPlace,
  locale: Locale,
  aliases: Aliases,
  shownRows: 'entries' | 'documents' = 'entries',
): RelatedSql {
  if (linkPosition.in === 'family') {
    const entry = aliases.entry(target)
    return {
      entry,
      fromSql: entriesFrom(entry),
      tieSql: sql`${entry.documentId} = ${parent.documentId} and ${sql.ref(`${entry.text}.id`)} <> ${sql.ref(`${parent.text}.id`)}`,
      order: [sql.ref(`${entry.text}.id`)],
    }
  }
  const entry = aliases.entry(target)
  const documents = sql`${sql.table(documentTable(target))} as ${sql.ref(entry.document)}`
  const id = sql.ref(`${entry.document}.id`)
  const { from: fromSql, tieCondition: tiedSql, order } = tie(parent, linkPosition, documents, id, entry, aliases)
  if (!target.localized || shownRows === 'documents') return { entry, fromSql, tieSql: tiedSql, order }

  const innerAlias = aliases.next('p')
  const pickedText = sql`cross join lateral (select * from ${sql.table(textTable(target))} as ${sql.ref(innerAlias)} where ${sql.ref(`${innerAlias}.document_id`)} = ${id} order by ${languageOrder(sql`${sql.ref(`${innerAlias}.locale`)}`, parent.language, locale)} limit 1) as ${sql.ref(entry.text)}`
  return { entry, fromSql: sql`${fromSql} ${pickedText}`, tieSql: tiedSql, order }
}

function tie(
  parent: EntryAlias,
  linkPosition: Exclude<LinkPlace, { in: 'family' }>,
  documents: Sql,
  id: Sql,
  entry: EntryAlias,
  aliases: Aliases,
): { from: Sql; tieCondition: Sql; order: readonly Sql[] } {
  switch (linkPosition.in) {
    case 'column':
      return {
        from: documents,
        tieCondition: sql`${id} = ${sql.ref(`${parent.document}.${linkPosition.column}`)}`,
        order: [id],
      }
    case 'mirror':
      return {
        from: documents,
        tieCondition: sql`${sql.ref(`${entry.document}.${linkPosition.column}`)} = ${parent.documentId}`,
        order: [id],
      }
    case 'table': {
      const link = aliases.next('l')
      return {
        from: sql`${sql.table(linkPosition.table)} as ${sql.ref(link)} join ${documents} on ${id} = ${sql.ref(`${link}.${linkPosition.otherColumn}`)}`,
        tieCondition: sql`${sql.ref(`${link}.${linkPosition.ownColumn}`)} = ${parent.documentId}`,
        order: [sql.ref(`${link}.${linkPosition.position}`), id],
      }
    }
  }
}
