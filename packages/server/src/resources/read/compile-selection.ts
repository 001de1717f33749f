/**
 * Compiles the selection of a query: columns and populated
 * relations, as columns of a row or as JSON made by the database.
 */
import type { Locale } from '@dala/model'
import { momentSql } from '../../db/moment-sql.ts'
import { sql, type Template } from '../../db/sql.ts'
import { countedListSql, rowsToRead } from './answer-budget.ts'
import { conditionSql } from './compile-condition.ts'
import { directionSql, sortSql } from './compile-order.ts'
import type { RelatedSelection, Selection } from './query.ts'
import { columnWriters, type EntryWriter, entryWriter, type LinkPart, listWriter, singleWriter } from './read-rows.ts'
import { type Aliases, columnAttribute, columnSql, type EntryAlias, linkAttribute, relatedSql } from './sql-entry.ts'

type Sql = Template<unknown>

/** Settings of a compiled selection that all of its fields and links share. */
export interface Setting {
  locale: Locale
  aliases: Aliases
  /** Form of the record's body: `data`/`attributes`, or flat (users, contract §3). */
  isFlat: boolean
}

/** The SQL of a selection: columns in the order its writer expects, and the joins they need. */
interface SelectionSql {
  columns: Sql[]
  joinedSources: Sql[]
  writeEntry: EntryWriter
}

const idSql = (entry: EntryAlias) => sql.ref(`${entry.text}.id`)

const isJson = (entry: EntryAlias, name: string) => {
  const { storage, field } = columnAttribute(entry.resource, name)
  return storage === 'json' || field?.kind === 'translations'
}

/**
 * A selection as columns of a row. Scalars and to-one targets are plain columns, which cost the database
 * little. A list is one column of JSON, because a column can contain nothing else (decision 5).
 */
export function selectionSql(
  selection: Selection,
  entry: EntryAlias,
  setting: Setting,
  path: readonly string[] = [],
): SelectionSql {
  const { aliases, isFlat } = setting
  const columns: Sql[] = [idSql(entry), ...selection.fields.map((name) => columnSql(entry, name))]
  const joinedSources: Sql[] = []
  const links: LinkPart[] = []
  for (const [name, linkedSelection] of selection.populate) {
    const alias = aliases.next('j')
    const offset = columns.length
    if (linkAttribute(entry.resource, name).isMany) {
      joinedSources.push(
        sql`left join lateral (${listSql(linkedSelection, name, entry, setting, path)}) as ${sql.ref(alias)} on true`,
      )
      columns.push(sql.ref(`${alias}.list`))
      links.push({ name, offset, writeEntry: listWriter(isFlat) })
      continue
    }
    const { source, target } = sourceSql(linkedSelection, name, entry, setting)
    const innerSelection = selectionSql(linkedSelection, target, setting, [...path, name])
    const namedColumns = innerSelection.columns.map((column, index) => sql`${column} as ${sql.ref(`c${index}`)}`)
    joinedSources.push(
      sql`left join lateral (select ${sql.join(namedColumns)} from ${source(innerSelection.joinedSources)} limit 1) as ${sql.ref(alias)} on true`,
    )
    for (let index = 0; index < namedColumns.length; index += 1) columns.push(sql.ref(`${alias}.c${index}`))
    links.push({ name, offset, writeEntry: singleWriter(innerSelection.writeEntry, isFlat) })
  }
  const parts = selection.fields.map((name) => ({
    name,
    writeColumn: columnWriters[isJson(entry, name) ? 'json' : columnAttribute(entry.resource, name).storage],
  }))
  return { columns, joinedSources, writeEntry: entryWriter(parts, links, isFlat) }
}

/**
 * The related entries of a link: their `from` and `where`, once the joins of their own selection are known.
 */
function sourceSql(linkedSelection: RelatedSelection, link: string, parent: EntryAlias, { locale, aliases }: Setting) {
  const { target, place } = linkAttribute(parent.resource, link)
  const { entry, fromSql, tieSql: tiedSql, order } = relatedSql(parent, target, place, locale, aliases)
  const narrowingConditions = [linkedSelection.where, linkedSelection.scope].flatMap((condition) =>
    condition ? [sql` and ${conditionSql(condition, entry, locale, aliases)}`] : [],
  )
  const sortedKeys = linkedSelection.sort.map((sort) => ({
    value: sortSql(sort, entry, locale, aliases),
    direction: directionSql(sort),
  }))
  return {
    target: entry,
    order: [...sortedKeys, ...order.map((value) => ({ value, direction: sql`asc` }))],
    source: (joins: Sql[]) =>
      sql`${fromSql} ${sql.join(joins, sql` `)} where ${tiedSql}${sql.join(narrowingConditions, sql``)}`,
  }
}

/**
 * A to-many link as two columns: `list`, the JSON of its entries in wire
 * format, and `records`, the number of its records that are not counted yet.
 * Reading stops when the list is too long; its order does not matter then.
 */
function listSql(
  relatedSelection: RelatedSelection,
  link: string,
  parent: EntryAlias,
  setting: Setting,
  pathAbove: readonly string[],
): Sql {
  const path = [...pathAbove, link]
  const { source, target, order } = sourceSql(relatedSelection, link, parent, setting)
  const { json, joins, countBelow } = jsonSql(relatedSelection, target, setting, path)
  const rows = setting.aliases.next('r')
  const column = (name: string) => sql.ref(`${rows}.${name}`)
  const keys = order.map(({ value }, index) => sql`, ${value} as ${sql.ref(`k${index}`)}`)
  const sortedSql = sql.join(order.map(({ direction }, index) => sql`${column(`k${index}`)} ${direction}`))
  const entries = sql`coalesce(json_agg(${column('entry')} order by ${sortedSql}), '[]')`
  const records = countBelow ? sql`coalesce(sum((1 + ${column('below')})::int), 0)` : sql`count(*)`
  const countedListText = countedListSql(entries, records, path)
  const readSql = sql`select ${json} as entry${countBelow ? sql`, ${countBelow} as below` : sql``}${sql.join(keys, sql``)} from ${source(joins)} limit ${sql.lit(rowsToRead)}`
  return sql`select ${countedListText.list} as list, ${countedListText.records} as records from (${readSql}) as ${sql.ref(rows)}`
}

/** Moments inside JSON need the wire format, because PostgreSQL writes them differently. */
function jsonColumnSql(entry: EntryAlias, name: string): Sql {
  const column = columnSql(entry, name)
  if (columnAttribute(entry.resource, name).storage !== 'timestamp') return column
  return momentSql(column)
}

/**
 * A selection as JSON of one entry. Names and values are a row of a sub-select, because functions take at
 * most a hundred arguments. `below` is SQL of the number of records inside the entry that are not counted
 * yet; undefined when it has none.
 */
function jsonSql(
  selection: Selection,
  entry: EntryAlias,
  setting: Setting,
  path: readonly string[],
): { json: Sql; joins: Sql[]; countBelow: Sql | undefined } {
  const { aliases, isFlat } = setting
  const joinedSources: Sql[] = []
  const countsBelow: Sql[] = []
  const namedColumns = selection.fields.map((name) => sql`${jsonColumnSql(entry, name)} as ${sql.id(name)}`)
  for (const [name, linkedSelection] of selection.populate) {
    const alias = aliases.next('j')
    const value = sql.ref(`${alias}.list`)
    countsBelow.push(sql`coalesce(${sql.ref(`${alias}.records`)}, 0)`)
    if (linkAttribute(entry.resource, name).isMany) {
      joinedSources.push(
        sql`left join lateral (${listSql(linkedSelection, name, entry, setting, path)}) as ${sql.ref(alias)} on true`,
      )
    } else {
      const { source, target } = sourceSql(linkedSelection, name, entry, setting)
      const innerJson = jsonSql(linkedSelection, target, setting, [...path, name])
      const records = innerJson.countBelow ? sql`1 + ${innerJson.countBelow}` : sql`1`
      joinedSources.push(
        sql`left join lateral (select ${innerJson.json} as list, ${records} as records from ${source(innerJson.joins)} limit 1) as ${sql.ref(alias)} on true`,
      )
    }
    namedColumns.push(sql`${isFlat ? value : sql`json_build_object('data', ${value})`} as ${sql.id(name)}`)
  }
  const attributes = aliases.next('a')
  const listedColumns = isFlat ? [sql`${idSql(entry)} as id`, ...namedColumns] : namedColumns
  joinedSources.push(sql`cross join lateral (select ${sql.join(listedColumns)}) as ${sql.ref(attributes)}`)
  const row = sql`row_to_json(${sql.ref(attributes)})`
  return {
    json: isFlat ? row : sql`json_build_object('id', ${idSql(entry)}, 'attributes', ${row})`,
    joins: joinedSources,
    countBelow: countsBelow.length > 0 ? sql.join(countsBelow, sql` + `) : undefined,
  }
}
