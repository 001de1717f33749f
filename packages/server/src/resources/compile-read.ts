/** Compiles a checked read into ONE SQL statement and the writer of its rows; equal shapes are compiled once. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compiler } from '../db/database.ts'
import { textTable } from '../db/schema.ts'
import { resourceNamed } from './attributes.ts'
import { alternativesOf, conditionSql } from './compile-condition.ts'
import { directionSql, sortSql } from './compile-order.ts'
import { selectionSql } from './compile-selection.ts'
import type { Condition, ReadShape } from './query.ts'
import type { Row } from './read-rows.ts'
import { fillSlots, slotSql } from './slots.ts'
import { Aliases, entriesFrom, type EntryAlias, languageOrder } from './sql-entry.ts'

type Sql = RawBuilder<unknown>

/** A statement ready to run: its text, its parameters from a query's values, and the writer of its rows. */
export interface CompiledRead {
  sql: string
  parameters: (values: readonly unknown[]) => unknown[]
  /** A search for a common word is best made after all other conditions, one for a rare word before them. */
  replan: boolean
  /** Rows as texts → the JSON text of each entry and, when the shape counts, the total. */
  write: (rows: readonly Row[]) => { entries: string[]; total?: number }
}

const compiled = new LRUCache<string, CompiledRead>({ max: 1_000 })

/** The compiled form of a shape, from the cache when an equal one was compiled before. */
export function compileRead(shape: ReadShape): CompiledRead {
  const key = JSON.stringify(shape)
  const known = compiled.get(key)
  if (known) return known
  const fresh = shape.kind === 'list' ? compileList(shape) : compileOne(shape)
  compiled.set(key, fresh)
  return fresh
}

/** Conditions on the document and its languages, whichever entry of it is shown. */
function filterSql(shape: ReadShape, where: Condition | undefined, entry: EntryAlias, aliases: Aliases): Sql[] {
  const family = (condition: Sql) =>
    sql`exists (select 1 from ${sql.table(textTable(entry.resource))} as f where f.document_id = ${entry.documentId} and ${condition})`
  const parts: Sql[] = []
  if (shape.missing) parts.push(sql`not ${family(sql`f.locale = ${sql.lit(shape.missing)}`)}`)
  if (shape.outdated) {
    const { document } = entry
    parts.push(
      family(
        sql`f.locale = ${sql.lit(shape.outdated)} and f.locale <> ${sql.ref(`${document}.source_locale`)} and f.seen_changes < ${sql.ref(`${document}.source_changes`)}`,
      ),
    )
  }
  for (const condition of [where, shape.scope]) {
    if (condition) parts.push(conditionSql(condition, entry, shape.locale, aliases))
  }
  return parts
}

/** Which entries of a document a list shows. */
function choiceSql({ entries, locale }: ReadShape, { resource, text, documentId }: EntryAlias): Sql[] {
  if (!resource.localized) return []
  const own = sql.ref(`${text}.locale`)
  switch (entries) {
    case 'none':
      return [sql`false`]
    case 'locale':
      return [sql`${own} = ${sql.lit(locale)}`]
    case 'fallback': {
      // The entry that no other of its document comes before: an anti-join, which works on from any order of rows.
      const before = sql`${languageOrder(sql`f.locale`, undefined, locale)} < ${languageOrder(own, undefined, locale)}`
      return [
        sql`not exists (select 1 from ${sql.table(textTable(resource))} as f where f.document_id = ${documentId} and ${before})`,
      ]
    }
    default:
      return []
  }
}

const all = (conditions: Sql[]): Sql => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

/** SQL of the rows of a list: `id` and the values it is sorted by, `k0`, `k1` …, of all entries that match. */
function matchesSql(shape: ReadShape, aliases: Aliases): Sql {
  const alternatives = alternativesOf(shape.where).map((where) => {
    const entry = aliases.entry(resourceNamed(shape.resource))
    const keys = shape.sort.map(
      (sort, index) => sql`, ${sortSql(sort, entry, shape.locale, aliases)} as ${sql.ref(`k${index}`)}`,
    )
    const id = sql.ref(`${entry.text}.id`)
    const conditions = [...choiceSql(shape, entry), ...filterSql(shape, where, entry, aliases)]
    return sql`select ${id} as id${sql.join(keys, sql``)} from ${entry.neededFrom} where ${all(conditions)}`
  })
  return sql.join(alternatives, sql` union `)
}

/**
 * SQL of a list's rows under one value of each: `value` and `count`. In: the shape, and SQL of the value of an entry;
 * `shared` when it belongs to the document, so that a list of one entry a document need not look for that entry.
 */
export function countsByValueSql(
  shape: ReadShape,
  aliases: Aliases,
  valueOf: (entry: EntryAlias) => Sql,
  shared: boolean,
): Sql {
  const resource = resourceNamed(shape.resource)
  if (shared && shape.entries === 'fallback') {
    const entry = aliases.entry(resource, 'document')
    const where = all(filterSql(shape, shape.where, entry, aliases))
    const value = valueOf(entry)
    if (!entry.usesText)
      return sql`select ${value} as value, count(*)::int as count from ${entry.neededFrom} where ${where} group by 1`
  }
  const alternatives = alternativesOf(shape.where).map((where) => {
    const entry = aliases.entry(resource)
    const [id, value] = [sql.ref(`${entry.text}.id`), valueOf(entry)]
    const conditions = [...choiceSql(shape, entry), ...filterSql(shape, where, entry, aliases)]
    return sql`select ${id} as id, ${value} as value from ${entry.neededFrom} where ${all(conditions)}`
  })
  return sql`select value, count(*)::int as count from (${sql.join(alternatives, sql` union `)}) as m group by 1`
}

/**
 * How many match. A list that shows one entry of each document counts documents, unless it looks at the entry shown:
 * then, and wherever a row is an entry anyway, `costly` says that counting looks at as much as finding does.
 */
function totalSql(shape: ReadShape, aliases: Aliases): { total: Sql; costly: boolean } {
  const resource = resourceNamed(shape.resource)
  if (shape.entries === 'fallback') {
    const entry = aliases.entry(resource, 'document')
    const where = all(filterSql(shape, shape.where, entry, aliases))
    if (!entry.usesText)
      return { total: sql`select count(*)::int as total from ${entry.neededFrom} where ${where}`, costly: false }
  }
  const entry = aliases.entry(resource)
  const where = all([...choiceSql(shape, entry), ...filterSql(shape, shape.where, entry, aliases)])
  return { total: sql`select count(*)::int as total from ${entry.neededFrom} where ${where}`, costly: true }
}

function compileList(shape: ReadShape): CompiledRead {
  const resource = resourceNamed(shape.resource)
  const aliases = new Aliases()
  const shown = aliases.entry(resource)
  const setting = { locale: shape.locale, aliases, flat: shape.flat }
  const { columns, joins, write } = selectionSql(shape.selection, shown, setting)

  const order = (of: string) =>
    sql.join([
      ...shape.sort.map((sort, index) => sql`${sql.ref(`${of}.k${index}`)} ${directionSql(sort)}`),
      sql.ref(`${of}.id`),
    ])
  const skip = shape.offset === undefined ? sql`` : sql` offset ${slotSql(shape.offset, 'int')}`
  const cut = sql`limit ${sql.lit(shape.limit ?? 0)}${skip}`
  const matches = matchesSql(shape, aliases)
  // Ids of the page first; the wide columns are read for these rows only.
  const joined = resource.localized ? sql`(${entriesFrom(shown)})` : entriesFrom(shown)
  const entries = sql`page join ${joined} on ${sql.ref(`${shown.text}.id`)} = page.id ${sql.join(joins, sql` `)}`

  if (!shape.count) {
    const page = sql`select * from (${matches}) as m order by ${order('m')} ${cut}`
    const statement = sql`with page as (${page}) select ${sql.join(columns)} from ${entries} order by ${order('page')}`
    return finish(shape, statement, (rows) => ({ entries: rows.map((row) => write(row, 0)) }))
  }
  const { total, costly } = totalSql(shape, aliases)
  // A filter that looks at the entries shown is looked at once, for page and total. Otherwise the page is the head of
  // an index, and a count of documents is cheaper than to keep every row.
  const keeps = shape.where !== undefined && costly
  const found = keeps ? sql`m as materialized (${matches}), ` : sql``
  const totals = keeps ? sql`select count(*)::int as total from m` : total
  const source = keeps ? sql`m` : sql`(${matches}) as m`
  const page = sql`select * from ${source} order by ${order('m')} ${cut}`
  // The total stands in front of every row, and alone in one row when the page is empty.
  const statement = sql`with ${found}page as (${page}), totals as (${totals}) select totals.total, ${sql.join(columns)} from totals left join (${entries}) on true order by ${order('page')}`
  return finish(shape, statement, (rows) => ({
    entries: rows.filter((row) => row[1] !== null).map((row) => write(row, 1)),
    total: Number(rows[0]?.[0] ?? 0),
  }))
}

/** SQL of the ids of all that a list matches, as rows of `id`; its values are slots to be filled. */
export const matchingIds = (shape: ReadShape): Sql => {
  const matches = matchesSql({ ...shape, sort: [] }, new Aliases())
  return sql`select id from (${matches}) as m`
}

function compileOne(shape: ReadShape): CompiledRead {
  const aliases = new Aliases()
  const entry = aliases.entry(resourceNamed(shape.resource))
  const { columns, joins, write } = selectionSql(shape.selection, entry, { ...shape, aliases })
  const scope = shape.scope ? sql` and ${conditionSql(shape.scope, entry, shape.locale, aliases)}` : sql``
  const statement = sql`select ${sql.join(columns)} from ${entriesFrom(entry)} ${sql.join(joins, sql` `)} where ${sql.ref(`${entry.text}.id`)} = ${slotSql(shape.id ?? 0, 'int')}${scope}`
  return finish(shape, statement, (rows) => ({ entries: rows.map((row) => write(row, 0)) }))
}

function finish({ where }: ReadShape, statement: Sql, write: CompiledRead['write']): CompiledRead {
  const { sql: text, parameters }: CompiledQuery = statement.compile(compiler)
  return {
    sql: text,
    parameters: (values) => fillSlots(parameters, values),
    replan: alternativesOf(where).length > 1,
    write,
  }
}
