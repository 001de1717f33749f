/**
 * Compiles a checked read into ONE SQL statement and the writer of its rows; equal shapes are compiled once.
 */
import type { Resource } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import { LRUCache } from 'lru-cache'
import { publishedTable } from '../../db/published-tables.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resourceNamed } from '../attributes.ts'
import { alternativesOf, conditionSql, hasKey, searchesTexts, removeKeys } from './compile-condition.ts'
import { directionSql, type LinkedOrder, linkedOrder, type SortKey, sortKeys, tieGroups } from './compile-order.ts'
import { selectionSql } from './compile-selection.ts'
import type { Condition, ReadShape } from './query.ts'
import { readPublishedVersion } from './published.ts'
import type { EntryWriter } from './read-rows.ts'
import { fillSlots, slotSql } from './slots.ts'
import { Aliases, entriesFrom, type EntryAlias, languageOrder } from './sql-entry.ts'

type Sql = Template<unknown>

/**
 * A statement ready to run: its text, its parameters from the values of a query, and the reader of its rows.
 */
export interface CompiledRead {
  sql: string
  parameters: (values: readonly unknown[]) => unknown[]
  /**
   * Whether values should influence the plan: a search for a
   * common word is best applied last, for a rare word first.
   */
  mustReplan: boolean
  /**
   * Number of columns before those of the entry: none, the total, or the total
   * and the approximate number of rows in the table where the query searches
   * texts. Every row has them; when no entry matches, one row has only them.
   */
  counts: 0 | 1 | 2
  /** Writes the entry of a list's row as JSON, from the column after the counts on. */
  writeEntry: EntryWriter
}

const compiledReads = new LRUCache<string, CompiledRead>({ max: 1_000 })

/**
 * Compiles a checked read to a statement of SQL.
 *
 * @param shape - The shape of the read.
 * @param runner - The connection that the statement is sent to.
 * @returns The compiled form, from the cache when an equal shape was compiled before.
 */
export function compileRead(shape: ReadShape, runner: Pick<Queries, 'parts'>): CompiledRead {
  const key = JSON.stringify(shape)
  const cachedRead = compiledReads.get(key)
  if (cachedRead) return cachedRead
  const newRead = (shape.kind === 'list' ? compileList : compileSingleRead)(shape, new Aliases(runner))
  compiledReads.set(key, newRead)
  return newRead
}

/** Conditions of a read on the document and its languages, whichever entry of it is shown. */
function filterSql(shape: ReadShape, readCondition: Condition | undefined, entry: EntryAlias, aliases: Aliases): Sql[] {
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
  const filterConditions =
    readCondition && 'all' in readCondition ? readCondition.all : readCondition ? [readCondition] : []
  for (const filterCondition of filterConditions) {
    const condition = conditionSql(filterCondition, entry, shape.locale, aliases)
    // A `case` prevents the use of an index and makes the planner read the rows in the order of the list.
    parts.push(shape.hasManyMatches ? sql`case when ${condition} then true else false end` : condition)
  }
  if (shape.scope) parts.push(conditionSql(shape.scope, entry, shape.locale, aliases))
  return parts
}

/** SQL condition that selects the language of each document that a list shows. */
function choiceSql({ entries, locale }: ReadShape, { resource, text, documentId }: EntryAlias): Sql[] {
  if (!resource.localized) return []
  const ownLocale = sql.ref(`${text}.locale`)
  switch (entries) {
    case 'none':
      return [sql`false`]
    case 'locale':
      return [sql`${ownLocale} = ${sql.lit(locale)}`]
    case 'fallback': {
      // Selects the first language of each document as an anti-join, which works with any order of rows.
      const precedesSql = sql`${languageOrder(sql`f.locale`, undefined, locale)} < ${languageOrder(ownLocale, undefined, locale)}`
      return [
        sql`not exists (select 1 from ${sql.table(textTable(resource))} as f where f.document_id = ${documentId} and ${precedesSql})`,
      ]
    }
    default:
      return []
  }
}

const joinConditions = (conditions: Sql[]): Sql =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`

/**
 * Rows of a list as SQL: `id` and the values that it is sorted by, `k0`, `k1` …, with the direction of each.
 */
interface MatchQuery {
  rows: Sql
  directions: readonly Sql[]
}

/** The filter of a list as conditions, one of which must be true. */
const findAlternatives = ({ where, hasManyMatches: isCommon }: ReadShape): (Condition | undefined)[] =>
  isCommon && where ? [removeKeys(where)] : alternativesOf(where)

/** SQL of all rows that match a list's filter. */
function matchesSql(shape: ReadShape, aliases: Aliases): MatchQuery {
  const alternatives = findAlternatives(shape).map((alternative) => {
    const entry = aliases.entry(resourceNamed(shape.resource))
    const keys = sortKeys(shape.sort, entry, shape.locale, aliases)
    const conditions = [...choiceSql(shape, entry), ...filterSql(shape, alternative, entry, aliases)]
    return { rows: rowsSql(entry, keys, conditions), directions: keys.map(directionSql) }
  })
  return {
    rows: sql.join(
      alternatives.map(({ rows }) => rows),
      sql` union `,
    ),
    directions: alternatives[0]?.directions ?? [],
  }
}

type Entry = ReturnType<Aliases['entry']>

function rowsSql(
  entry: Entry,
  keys: readonly { value: Sql }[],
  conditions: Sql[],
  firstKey = 0,
  fromClauseOf: (entry: Entry) => Sql = ({ neededFrom }) => neededFrom,
): Sql {
  const id = sql.ref(`${entry.text}.id`)
  const values = keys.map(({ value }, index) => sql`, ${value} as ${sql.ref(`k${index + firstKey}`)}`)
  return sql`select ${id} as id${sql.join(values, sql``)} from ${fromClauseOf(entry)} where ${joinConditions(conditions)}`
}

/**
 * SQL of entries whose documents are found first, by their link: the entries of each are looked up by key. A
 * join would be planned to scan both tables.
 */
function documentsFirst(entry: Entry): Sql {
  const { resource, document, text } = entry
  const documents = sql`${sql.table(documentTable(resource))} as ${sql.ref(document)}`
  if (!resource.localized) return documents
  return sql`${documents} cross join lateral (select * from ${sql.table(textTable(resource))} as f where f.document_id = ${sql.ref(`${document}.id`)} offset 0) as ${sql.ref(text)}`
}

/** SQL of the sort values of rows by name: `k0`, `k1` …, from `first` on. */
const orderOf = (keys: readonly SortKey[], firstKey = 0): Sql[] =>
  keys.map((key, index) => sql`${sql.ref(`k${index + firstKey}`)} ${directionSql(key)}`)

/** A part of a list, as SQL of the part's first rows. */
interface HeadQuery {
  rows: Sql
  keys: readonly SortKey[]
}

/** The conditions of a part of a list, in addition to its own. */
type Conditions = (entry: Entry) => Sql[]

/** Maximum number of records of one target that are all looked up, whatever the length of the list. */
const fewTargets = 1_000

/**
 * The parts of a list that is sorted through a link: the records of each target, in the order of the targets,
 * and those without one. The index of the link finds the records of a target, because walking through ids
 * would read the whole table for a rare target. A target is read by id if it has more records than the square
 * root of the page's end times all records. This requires that no condition may leave few of them, and that
 * records have one language.
 */
function linkedHeads(
  shape: ReadShape,
  { targets, column, isByLanguage, isColumn, hasNoTargetSql }: LinkedOrder,
  conditions: Conditions,
  end: Sql,
  aliases: Aliases,
): HeadQuery[] {
  const resource = resourceNamed(shape.resource)
  const [firstSort, ...laterSorts] = shape.sort
  const isDescending = firstSort?.isDescending ?? false
  const [order, rowsAlias] = [aliases.next('o'), aliases.next('r')]
  const [linkedEntry, unlinkedEntry] = [aliases.entry(resource), aliases.entry(resource)]
  const link = (entry: Entry) => sql.ref(`${entry.document}.${column}`)
  const laterKeys = sortKeys(laterSorts, linkedEntry, shape.locale, aliases)
  const tieConditions = [
    sql`${link(linkedEntry)} = ${sql.ref(`${order}.target`)}`,
    ...(isByLanguage ? [sql`${sql.ref(`${linkedEntry.text}.locale`)} = ${sql.ref(`${order}.locale`)}`] : []),
  ]
  const keys = [{ value: sql.ref(`${order}.k0`), isDescending }, ...laterKeys]
  const targetsSource = sql`(${targets}) as ${sql.ref(order)}`
  const headSql = () => {
    const matchingConditions = [...conditions(linkedEntry), ...tieConditions]
    if (isColumn)
      return rowsSql(linkedEntry, keys, matchingConditions, 0, ({ neededFrom }) => sql`${targetsSource}, ${neededFrom}`)
    const names = [sql`${sql.ref(`${rowsAlias}.id`)} as id`, sql`${sql.ref(`${order}.k0`)} as k0`]
    const otherColumns = laterKeys.map((_, index) => sql.ref(`${rowsAlias}.k${index + 1}`))
    // The sum in the list's order keeps the planner from using the order of ids.
    const innerOrder = sql.join([...orderOf(laterKeys, 1), sql`${sql.ref(`${linkedEntry.text}.id`)} + 0`])
    const rowsOfOne = rowsSql(linkedEntry, laterKeys, matchingConditions, 1, documentsFirst)
    const head = sql`select ${sql.join([...names, ...otherColumns])} from ${targetsSource}`
    const isWhole = !shape.where && !shape.scope && !shape.missing && !shape.outdated
    const canUseListOrder = isWhole && laterSorts.length === 0 && !isByLanguage
    if (!canUseListOrder)
      return sql`${head} cross join lateral (${rowsOfOne} order by ${innerOrder} limit ${end}) as ${sql.ref(rowsAlias)}`
    const [walkedEntry, amount] = [aliases.entry(resource), aliases.next('q')]
    const targetColumn = sql`${sql.ref(`${order}.target`)}`
    // A `case` in the condition prevents the use of an index and makes the planner expect every other record
    // to match.
    const tiedWalk = sql`case when ${link(walkedEntry)} = ${targetColumn} then true else false end`
    const isManySql = sql.ref(`${amount}.many`)
    const walkSql = rowsSql(walkedEntry, [], [...conditions(walkedEntry), tiedWalk, isManySql])
    const manySql = sql`select exists (select 1 from ${sql.table(documentTable(resource))} as f where ${sql.ref(`f.${column}`)} = ${targetColumn} offset (select greatest(${sql.lit(fewTargets)}, sqrt((${end})::float8 * s.size))::bigint from (${sizeSql(resource)}) as s(size))) as many offset 0`
    const fewRowsSql = rowsSql(
      linkedEntry,
      laterKeys,
      [...matchingConditions, sql`not ${isManySql}`],
      1,
      documentsFirst,
    )
    const [byLink, byId] = [
      sql`(${fewRowsSql} order by ${innerOrder} limit ${end})`,
      sql`(${walkSql} order by ${sql.ref(`${walkedEntry.text}.id`)} limit ${end})`,
    ]
    return sql`${head} cross join lateral (${manySql}) as ${sql.ref(amount)} cross join lateral (${byLink} union all ${byId}) as ${sql.ref(rowsAlias)}`
  }
  const keysAfter = sortKeys(laterSorts, unlinkedEntry, shape.locale, aliases)
  const keysWithout = [{ value: sql`null`, isDescending }, ...keysAfter]
  return [
    { keys, rows: sql`(${headSql()} order by ${sql.join([...orderOf(keys), sql`id`])} limit ${end})` },
    {
      keys: keysWithout,
      rows: sql`(${rowsSql(unlinkedEntry, keysWithout, [...conditions(unlinkedEntry), hasNoTargetSql(link(unlinkedEntry))])} order by ${sql.join([...orderOf(keysAfter, 1), sql`id`])} limit ${end})`,
    },
  ]
}

/** The parts of a list by frequent values of its first sort; none when there are no such values. */
function tiedHeads(shape: ReadShape, conditions: Conditions, end: Sql, aliases: Aliases): HeadQuery[] {
  const resource = resourceNamed(shape.resource)
  const [firstSort] = shape.sort
  const count = tieGroups(firstSort, aliases.entry(resource))?.length ?? 0
  return Array.from({ length: count }).flatMap((_, index): HeadQuery[] => {
    const entry = aliases.entry(resource)
    const group = tieGroups(firstSort, entry)?.[index]
    if (!group) return []
    const keys = sortKeys(shape.sort, entry, shape.locale, aliases)
    const order = sql.join([...orderOf(keys).slice(group.isSingle ? 1 : 0), sql`id`])
    const rows = rowsSql(entry, keys, [...conditions(entry), group.condition])
    return [{ keys, rows: sql`(${rows} order by ${order} limit ${end})` }]
  })
}

/**
 * The candidate rows of a page, when not all rows are needed anyway: the head of each part of the list, as
 * long as the page with all pages before it.
 */
function headsSql(shape: ReadShape, end: Sql, aliases: Aliases): MatchQuery {
  const [firstAlternative, ...otherAlternatives] = findAlternatives(shape)
  const conditions = (entry: Entry) => [
    ...choiceSql(shape, entry),
    ...filterSql(shape, firstAlternative, entry, aliases),
  ]
  const linkedTarget = linkedOrder(shape.sort[0], shape, aliases)
  const heads =
    otherAlternatives.length > 0
      ? []
      : linkedTarget
        ? linkedHeads(shape, linkedTarget, conditions, end, aliases)
        : tiedHeads(shape, conditions, end, aliases)
  const [firstHead] = heads
  if (!firstHead) return matchesSql(shape, aliases)
  const rows = sql.join(
    heads.map((head) => head.rows),
    sql` union all `,
  )
  return { rows, directions: firstHead.keys.map(directionSql) }
}

/**
 * SQL that counts the rows of a list by a value: `value` and `count`.
 *
 * @param shape - The shape of the list.
 * @param valueOf - SQL of the value of an entry.
 * @param isShared - Whether the value belongs to the document. A list with one entry per document then need not
 *   find that entry.
 */
export function countsByValueSql(
  shape: ReadShape,
  aliases: Aliases,
  valueOf: (entry: EntryAlias) => Sql,
  isShared: boolean,
): Sql {
  const resource = resourceNamed(shape.resource)
  if (isShared && shape.entries === 'fallback') {
    const entry = aliases.entry(resource, 'document')
    const whereSql = joinConditions(filterSql(shape, shape.where, entry, aliases))
    const value = valueOf(entry)
    if (!entry.usesText)
      return sql`select ${value} as value, count(*)::int as count from ${entry.neededFrom} where ${whereSql} group by 1`
  }
  const alternatives = alternativesOf(shape.where).map((alternative) => {
    const entry = aliases.entry(resource)
    const [id, value] = [sql.ref(`${entry.text}.id`), valueOf(entry)]
    const conditions = [...choiceSql(shape, entry), ...filterSql(shape, alternative, entry, aliases)]
    return sql`select ${id} as id, ${value} as value from ${entry.neededFrom} where ${joinConditions(conditions)}`
  })
  return sql`select value, count(*)::int as count from (${sql.join(alternatives, sql` union `)}) as m group by 1`
}

/**
 * SQL of the total of a list. A list that shows one entry per document counts documents,
 * unless its condition concerns the shown entry. In that case, and wherever
 * a row is an entry, `costly` says that counting reads as much as finding.
 */
function totalSql(shape: ReadShape, aliases: Aliases): { total: Sql; costly: boolean } {
  const resource = resourceNamed(shape.resource)
  if (shape.entries === 'fallback') {
    const entry = aliases.entry(resource, 'document')
    const whereSql = joinConditions(filterSql(shape, shape.where, entry, aliases))
    if (!entry.usesText)
      return { total: sql`select count(*)::int as total from ${entry.neededFrom} where ${whereSql}`, costly: false }
  }
  const entry = aliases.entry(resource)
  const whereSql = joinConditions([...choiceSql(shape, entry), ...filterSql(shape, shape.where, entry, aliases)])
  return { total: sql`select count(*)::int as total from ${entry.neededFrom} where ${whereSql}`, costly: true }
}

function compileList(shape: ReadShape, aliases: Aliases): CompiledRead {
  const resource = resourceNamed(shape.resource)
  const shownEntry = aliases.entry(resource)
  const setting = { locale: shape.locale, aliases, isFlat: shape.isFlat }
  const { columns, joinedSources, writeEntry } = selectionSql(shape.selection, shownEntry, setting)

  // A costly total and the page of a list use the same rows; otherwise the page is the head of an index.
  const countedTotal = shape.count ? totalSql(shape, aliases) : undefined
  const mustKeep = shape.where !== undefined && countedTotal?.costly === true
  const length = sql.lit(shape.limit ?? 0)
  const start = shape.offset === undefined ? undefined : slotSql(shape.offset, 'int')
  const { rows, directions } = mustKeep
    ? matchesSql(shape, aliases)
    : headsSql(shape, start ? sql`${start} + ${length}` : length, aliases)
  const order = (tableAlias: string) =>
    sql.join([
      ...directions.map((direction, index) => sql`${sql.ref(`${tableAlias}.k${index}`)} ${direction}`),
      sql.ref(`${tableAlias}.id`),
    ])
  const limitSql = sql`limit ${length}${start ? sql` offset ${start}` : sql``}`
  // The ids of the list's page are found first; the wide columns are read for these rows only.
  const joinedSql = resource.localized ? sql`(${entriesFrom(shownEntry)})` : entriesFrom(shownEntry)
  const entries = sql`page join ${joinedSql} on ${sql.ref(`${shownEntry.text}.id`)} = page.id ${sql.join(joinedSources, sql` `)}`

  const page = sql`select * from ${mustKeep ? sql`m` : sql`(${rows}) as m`} order by ${order('m')} ${limitSql}`
  if (!countedTotal) {
    const statement = sql`with page as (${page}) select ${sql.join(columns)} from ${entries} order by ${order('page')}`
    return finishRead(shape, statement, { counts: 0, writeEntry })
  }
  const foundRowsSql = mustKeep ? sql`m as materialized (${rows}), ` : sql``
  const isSized = shape.where !== undefined && searchesTexts(shape.where)
  const size = isSized ? sql`, (${sizeSql(resource)}) as size` : sql``
  const totals = mustKeep ? sql`select count(*)::int as total from m` : countedTotal.total
  // The total of a list precedes every row, and is alone in one row when the page is empty.
  const statement = sql`with ${foundRowsSql}page as (${page}), totals as (${totals}) select totals.total${size}, ${sql.join(columns)} from totals left join (${entries}) on true order by ${order('page')}`
  return finishRead(shape, statement, { counts: isSized ? 2 : 1, writeEntry })
}

/**
 * SQL of the approximate number of rows in the table of a
 * list; for a table that was never analysed one per kB.
 */
function sizeSql(resource: Resource): Sql {
  const table = sql.lit(`"${resource.localized ? textTable(resource) : documentTable(resource)}"`)
  return sql`select case when c.reltuples > 0 then c.reltuples::bigint else pg_relation_size(c.oid) / 1024 end from pg_class c where c.oid = ${table}::regclass`
}

/**
 * SQL of how many rows of a sample of the table match, and of the size of the sample. The sample consists of
 * whole pages of the table. Rows of the other table of a localized type are looked up by key, because the
 * planner would read it all.
 *
 * @param shape - The list, of which only the conditions matter.
 * @param rows - The approximate size of the sample.
 * @param runner - The connection that the statement is sent to.
 * @returns SQL of one row of two numbers.
 */
export function sampleSql(shape: ReadShape, rows: number, runner: Pick<Queries, 'parts'>): Sql {
  const resource = resourceNamed(shape.resource)
  const aliases = new Aliases(runner)
  const entry = aliases.entry(resource)
  const condition = joinConditions([...choiceSql(shape, entry), ...filterSql(shape, shape.where, entry, aliases)])
  const isLinked = resource.localized && entry.usesDocument
  const { document, text } = entry
  const percent = sql`(select least(100, 100.0 * ${sql.lit(rows)} / greatest(s.size, 1)) from (${sizeSql(resource)}) as s(size))`
  const name = resource.localized ? textTable(resource) : documentTable(resource)
  // A sample for an estimate is taken of a table, not of a query that hides the table.
  const table = sql.table(shape.published === 'copies' && resource.publishedCopies ? publishedTable(name) : name)
  const sampledSql = sql`${table} as ${sql.ref(text)} tablesample system (${percent}) repeatable (1)`
  const documents = isLinked
    ? sql` cross join lateral (select * from ${sql.table(documentTable(resource))} as f where f.id = ${sql.ref(`${text}.document_id`)} offset 0) as ${sql.ref(document)}`
    : sql``
  return sql`select count(*) filter (where ${condition})::int, count(*)::int from ${sampledSql}${documents}`
}

/** SQL of the ids of all matches of a list, as rows of `id`; its values are slots to be filled. */
export const matchingIds = (shape: ReadShape, runner: Pick<Queries, 'parts'>): Sql => {
  const { rows } = matchesSql({ ...shape, sort: [] }, new Aliases(runner))
  return sql`select id from (${rows}) as m`
}

function compileSingleRead(shape: ReadShape, aliases: Aliases): CompiledRead {
  const entry = aliases.entry(resourceNamed(shape.resource))
  const { columns, joinedSources, writeEntry } = selectionSql(shape.selection, entry, { ...shape, aliases })
  const scope = shape.scope ? sql` and ${conditionSql(shape.scope, entry, shape.locale, aliases)}` : sql``
  const statement = sql`select ${sql.join(columns)} from ${entriesFrom(entry)} ${sql.join(joinedSources, sql` `)} where ${sql.ref(`${entry.text}.id`)} = ${slotSql(shape.id ?? 0, 'int')}${scope}`
  return finishRead(shape, statement, { counts: 0, writeEntry })
}

/** Whether an index of search keys is one of several plans: which is best depends on how rare the text is. */
const isKeyAmongOthers = ({ where, hasManyMatches: isCommon }: ReadShape): boolean =>
  !isCommon && where !== undefined && 'all' in where && where.all.length > 1 && where.all.some(hasKey)

function finishRead(shape: ReadShape, statement: Sql, rows: Pick<CompiledRead, 'counts' | 'writeEntry'>): CompiledRead {
  const { sql: text, parameters } = compileTemplate(readPublishedVersion(statement, shape.published))
  return {
    sql: text,
    parameters: (values) => fillSlots(parameters, values),
    mustReplan: findAlternatives(shape).length > 1 || isKeyAmongOthers(shape),
    ...rows,
  }
}
