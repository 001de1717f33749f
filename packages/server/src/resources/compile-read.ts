/** Compiles a checked read into ONE SQL statement and the reader of its rows; equal shapes are compiled once. */
import type { Locale, WireEntry } from '@dala/model'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { compiler } from '../db/database.ts'
import { textTable } from '../db/schema.ts'
import { resourceNamed } from './attributes.ts'
import { conditionSql, Slot, slotSql } from './compile-condition.ts'
import type { ReadShape, RelatedSelection, Selection, Sort } from './query.ts'
import { type FlatEntry, type LinkReader, type Reader, readEntry, readMany, readOne } from './read-rows.ts'
import {
  Aliases,
  columnAttribute,
  columnSql,
  comparedSql,
  entriesFrom,
  type EntryAlias,
  languageOrder,
  linkAttribute,
  relatedSql,
} from './sql-entry.ts'

type Sql = RawBuilder<unknown>

/** A statement ready to run: its text, its parameters from a query's values, and the reader of its rows. */
export interface CompiledRead {
  sql: string
  parameters: (values: readonly unknown[]) => unknown[]
  /** Rows as arrays → wire entries and, when the shape counts, the total. */
  read: (rows: readonly (readonly unknown[])[]) => { entries: (WireEntry | FlatEntry)[]; total?: number }
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

/** What a selection adds to a statement: columns in the order its reader expects, and the joins they need. */
interface SelectionSql {
  columns: Sql[]
  joins: Sql[]
  read: Reader
}

/** Columns inside JSON keep the wire's form of moments, which PostgreSQL would write in another way. */
function shownSql(entry: EntryAlias, name: string, inJson: boolean): Sql {
  const column = columnSql(entry, name)
  if (!inJson || columnAttribute(entry.resource, name).storage !== 'timestamp') return column
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function selectionSql(
  selection: Selection,
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  flat: boolean,
  inJson = false,
): SelectionSql {
  const columns: Sql[] = [sql`${sql.ref(`${entry.text}.id`)}`]
  const joins: Sql[] = []
  for (const name of selection.fields) columns.push(shownSql(entry, name, inJson))

  const links: LinkReader[] = []
  for (const [name, related] of selection.populate) {
    const many = linkAttribute(entry.resource, name).many
    const alias = aliases.next('j')
    const inner = relatedSelectionSql(related, name, entry, locale, aliases, flat, many || inJson)
    const offset = columns.length
    if (many) {
      // A list is one JSON column of arrays; its rows have the same layout as the statement's own.
      joins.push(
        sql`left join lateral (select coalesce(json_agg(s.line order by s.place), '[]'::json) as list from (${inner.lines}) as s) as ${sql.ref(alias)} on true`,
      )
      columns.push(sql`${sql.ref(`${alias}.list`)}`)
      links.push({ name, offset, read: readMany(inner.read, flat) })
    } else {
      joins.push(sql`left join lateral (${inner.row}) as ${sql.ref(alias)} on true`)
      for (let index = 0; index < inner.width; index += 1) columns.push(sql`${sql.ref(`${alias}.c${index}`)}`)
      links.push({ name, offset, read: readOne(inner.read, flat) })
    }
  }
  return { columns, joins, read: readEntry(selection.fields, links, flat) }
}

/** The sub-select of one populated link, as single row of columns and as lines of JSON arrays. */
function relatedSelectionSql(
  related: RelatedSelection,
  link: string,
  parent: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  flat: boolean,
  inJson: boolean,
): { row: Sql; lines: Sql; width: number; read: Reader } {
  const { target, place } = linkAttribute(parent.resource, link)
  const { entry, from, tied, order } = relatedSql(parent, target, place, locale, aliases)
  const { columns, joins, read } = selectionSql(related, entry, locale, aliases, flat, inJson)
  const narrowed = [related.where, related.scope].flatMap((condition) =>
    condition ? [sql` and ${conditionSql(condition, entry, locale, aliases)}`] : [],
  )
  const source = sql`${from} ${sql.join(joins, sql` `)} where ${tied}${sql.join(narrowed, sql``)}`
  const sorted = related.sort.length > 0 ? sql`${orderSql(related.sort, entry, locale, aliases)}, ` : sql``
  const named = columns.map((column, index) => sql`${column} as ${sql.ref(`c${index}`)}`)
  return {
    row: sql`select ${sql.join(named)} from ${source} limit 1`,
    lines: sql`select json_build_array(${sql.join(columns)}) as line, row_number() over (order by ${sorted}${order}) as place from ${source}`,
    width: columns.length,
    read,
  }
}

/** `order by` of a sort. Texts are ordered by their folded form, so that ё stands by е and Á by A. */
function orderSql(sorts: readonly Sort[], entry: EntryAlias, locale: Locale, aliases: Aliases): Sql {
  return sql.join(
    sorts.map(({ path, descending }) => {
      const value = sortValueSql(path, entry, locale, aliases, descending)
      return sql`${value} ${sql.raw(descending ? 'desc' : 'asc')}`
    }),
  )
}

function sortValueSql(
  path: readonly string[],
  entry: EntryAlias,
  locale: Locale,
  aliases: Aliases,
  descending: boolean,
): Sql {
  const [name = 'id', ...rest] = path
  if (rest.length === 0) {
    const column = comparedSql(entry, name, locale)
    return columnAttribute(entry.resource, name).storage === 'text' ? sql`fold_search(${column}) collate "C"` : column
  }
  const { target, place, many } = linkAttribute(entry.resource, name)
  const related = relatedSql(entry, target, place, locale, aliases)
  const value = sortValueSql(rest, related.entry, locale, aliases, descending)
  // A list sorts by the one of its entries that would come first.
  const first = many ? sql` order by ${value} ${sql.raw(descending ? 'desc nulls last' : 'asc')}` : sql``
  return sql`(select ${value} from ${related.from} where ${related.tied}${first} limit 1)`
}

/** Conditions on the entries of a list: its language, the client's filters, and last the caller's scope. */
function listCondition(shape: ReadShape, entry: EntryAlias, aliases: Aliases): Sql {
  const parts: Sql[] = []
  const { resource, document, text } = entry
  if (shape.entries === 'none') parts.push(sql`false`)
  if (shape.entries === 'locale') parts.push(sql`${sql.ref(`${text}.locale`)} = ${sql.lit(shape.locale)}`)
  if (shape.entries === 'fallback') {
    parts.push(
      sql`${sql.ref(`${text}.id`)} = (select f.id from ${sql.table(textTable(resource))} as f where f.document_id = ${sql.ref(`${document}.id`)} order by ${languageOrder(sql`f.locale`, undefined, shape.locale)} limit 1)`,
    )
  }
  const family = (condition: Sql) =>
    sql`exists (select 1 from ${sql.table(textTable(resource))} as f where f.document_id = ${sql.ref(`${document}.id`)} and ${condition})`
  if (shape.missing) parts.push(sql`not ${family(sql`f.locale = ${sql.lit(shape.missing)}`)}`)
  if (shape.outdated) {
    parts.push(
      family(
        sql`f.locale = ${sql.lit(shape.outdated)} and f.locale <> ${sql.ref(`${document}.source_locale`)} and f.seen_changes < ${sql.ref(`${document}.source_changes`)}`,
      ),
    )
  }
  for (const condition of [shape.where, shape.scope]) {
    if (condition) parts.push(conditionSql(condition, entry, shape.locale, aliases))
  }
  return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`
}

function compileList(shape: ReadShape): CompiledRead {
  const resource = resourceNamed(shape.resource)
  const aliases = new Aliases()
  const counted = aliases.entry(resource)
  const paged = aliases.entry(resource)
  const shown = aliases.entry(resource)
  const { columns, joins, read } = selectionSql(shape.selection, shown, shape.locale, aliases, shape.flat)

  const sorted = shape.sort.length > 0 ? sql`${orderSql(shape.sort, paged, shape.locale, aliases)}, ` : sql``
  const id = sql.ref(`${paged.text}.id`)
  const order = sql`order by ${sorted}${id}`
  // Ids of the page first; the wide columns are read for these rows only.
  const page = sql`select ${id} as id, row_number() over (${order}) as place from ${entriesFrom(paged)} where ${listCondition(shape, paged, aliases)} ${order} limit ${slotSql(shape.limit ?? 0, 'int')} offset ${slotSql(shape.offset ?? 0, 'int')}`
  const joined = resource.localized ? sql`(${entriesFrom(shown)})` : entriesFrom(shown)
  const entries = sql`page join ${joined} on ${sql.ref(`${shown.text}.id`)} = page.id ${sql.join(joins, sql` `)}`

  if (!shape.count) {
    const statement = sql`with page as materialized (${page}) select ${sql.join(columns)} from ${entries} order by page.place`
    return finish(statement, (rows) => ({ entries: rows.map((row) => read(row, 0)) }))
  }
  const total = sql`select count(*)::int as total from ${entriesFrom(counted)} where ${listCondition(shape, counted, aliases)}`
  // The total stands in front of every row, and alone in one row when the page is empty.
  const statement = sql`with page as materialized (${page}), totals as (${total}) select totals.total, ${sql.join(columns)} from totals left join (${entries}) on true order by page.place`
  return finish(statement, (rows) => ({
    entries: rows.filter((row) => row[1] !== null).map((row) => read(row, 1)),
    total: Number(rows[0]?.[0] ?? 0),
  }))
}

function compileOne(shape: ReadShape): CompiledRead {
  const aliases = new Aliases()
  const entry = aliases.entry(resourceNamed(shape.resource))
  const { columns, joins, read } = selectionSql(shape.selection, entry, shape.locale, aliases, shape.flat)
  const scope = shape.scope ? sql` and ${conditionSql(shape.scope, entry, shape.locale, aliases)}` : sql``
  const statement = sql`select ${sql.join(columns)} from ${entriesFrom(entry)} ${sql.join(joins, sql` `)} where ${sql.ref(`${entry.text}.id`)} = ${slotSql(shape.id ?? 0, 'int')}${scope}`
  return finish(statement, (rows) => ({ entries: rows.map((row) => read(row, 0)) }))
}

function finish(statement: Sql, read: CompiledRead['read']): CompiledRead {
  const { sql: text, parameters }: CompiledQuery = statement.compile(compiler)
  return {
    sql: text,
    parameters: (values) => parameters.map((item) => (item instanceof Slot ? values[item.index] : item)),
    read,
  }
}
