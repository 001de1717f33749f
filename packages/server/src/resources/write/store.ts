/** Makes the one statement of a write: documents, languages, links, history and audit. */
import { isScalar, kindOf, type Locale, type Resource } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { columnOf, columnType, documentTable, textTable } from '../../db/schema.ts'
import { linkColumns, type ListChange } from './links.ts'
import type { NewIds } from './examine.ts'
import { constraintFault } from './integrity.ts'
import { type Author, type Revision, type WriteTrace, traceSql, traceSqlOfMany } from '../history/history.ts'
import { forgetMentionsSql, mentionsSql, mentionTable } from '../mentions.ts'

type Sql = Template<unknown>
type Values = Readonly<Record<string, unknown>>

/** Returns a value in the form of its column. */
function bindValue(resource: Resource, name: string, value: unknown): Sql {
  const field = resource.fields[name]
  if (value !== null && field && isScalar(field) && kindOf(field).column(field) === 'jsonb') {
    return sql`${JSON.stringify(value)}::jsonb`
  }
  return typeof value === 'number' ? sql`${String(value)}::numeric` : sql`${value}`
}

function insertSql(
  table: string,
  resource: Resource,
  values: Values,
  addedColumns: Readonly<Record<string, Sql>>,
): Sql {
  const columns = [...Object.keys(values), ...Object.keys(addedColumns)].map((name) => sql.ref(name))
  const items = [
    ...Object.entries(values).map(([name, value]) => bindValue(resource, name, value)),
    ...Object.values(addedColumns),
  ]
  const body = columns.length > 0 ? sql`(${sql.join(columns)}) values (${sql.join(items)})` : sql`default values`
  return sql`insert into ${sql.table(table)} ${body} returning id`
}

const toParameters = (values: Values): Record<string, Sql> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sql`${value}`]))

/** Statements that change the list links of a written document to their new content. */
function listsSql(lists: readonly ListChange[], document: Sql): Sql[] {
  return lists.flatMap(({ place, documentsAfter, isNew }) => {
    const [table, ownColumn, otherColumn, position] = [
      sql.table(place.table),
      sql.ref(place.ownColumn),
      sql.ref(place.otherColumn),
      sql.ref(place.position),
    ]
    const insertStatement = sql`insert into ${table} (${ownColumn}, ${otherColumn}, ${position})
      select ${document}, id, place from unnest(${[...documentsAfter]}::int[]) with ordinality as listed(id, place)
      on conflict (holder_id, target_id) do update set ${position} = excluded.${position}`
    if (isNew) return documentsAfter.length > 0 ? [insertStatement] : []
    const deleteStatement = sql`delete from ${table} where ${ownColumn} = ${document} and not (${otherColumn} = any(${[...documentsAfter]}::int[]))`
    return documentsAfter.length > 0 ? [deleteStatement, insertStatement] : [deleteStatement]
  })
}

/** Runs the parts of a write as one statement. Each part sees the database as it was before. */
async function runPartsTogether(trx: Transaction, parts: readonly Sql[], resultSql: Sql): Promise<readonly unknown[]> {
  const namedParts = parts.map((partSql, index) => sql`${sql.ref(`part${index}`)} as (${partSql})`)
  const [row] = await trx.rows(compileTemplate(sql`with ${sql.join(namedParts)} select ${resultSql}`))
  return row ?? []
}

/** Sends the parts as one statement without waiting for its result; a failure fails the transaction. */
function sendPartsTogether(trx: Transaction, resource: Resource, parts: readonly Sql[]): void {
  const namedParts = parts.map((partSql, index) => sql`${sql.ref(`part${index}`)} as (${partSql})`)
  trx.send(
    compileTemplate(sql`with ${sql.join(namedParts)} select 1`),
    (error) => constraintFault(error, resource) ?? error,
  )
}

/** Adds the parts that count the files a write names; subscribers are notified when there are any. */
function noteMentions(trx: Transaction, parts: Sql[], mentions: readonly (Sql | undefined)[]): void {
  const neededMentions = mentions.filter((mentionSql) => mentionSql !== undefined)
  if (neededMentions.length > 0) trx.changed(mentionTable)
  parts.push(...neededMentions)
}

export interface NewDocument {
  resource: Resource
  /** Values of the new document that all languages share, by field, and columns of to-one links and times. */
  sharedValues: Values
  columns: Values
  /** First language of a new localized record. */
  text?: { locale: Locale; values: Values; columns: Values }
  lists: readonly ListChange[]
  trace: WriteTrace
  /** Ids that the new document is inserted with, so that the statement need not be waited for. */
  ids?: NewIds | undefined
  /** Further languages of the new document, each with its own trace. */
  translations?: readonly { locale: Locale; values: Values; columns: Values; trace: WriteTrace }[]
}

/**
 * Inserts a document with its first entry, its links, revisions and audit line.
 *
 * @returns Their ids.
 */
export async function insertDocument(
  trx: Transaction,
  { resource, sharedValues, columns, text, lists, trace, ids, translations = [] }: NewDocument,
): Promise<{ document: number; entry: number }> {
  const [document, entry] = ids
    ? [sql`${ids.document}::int`, sql`${ids.entry}::int`]
    : [sql`(select id from part0)`, text ? sql`(select id from part1)` : sql`(select id from part0)`]
  const documentColumns = {
    ...(ids && { id: document }),
    ...toParameters(columns),
    ...(text && { source_locale: sql`${text.locale}` }),
  }
  const parts = [insertSql(documentTable(resource), resource, sharedValues, documentColumns)]
  if (text) {
    const extraColumns = {
      ...(ids && { id: entry }),
      document_id: document,
      locale: sql`${text.locale}`,
      ...toParameters(text.columns),
    }
    parts.push(insertSql(textTable(resource), resource, text.values, extraColumns))
  }
  parts.push(...listsSql(lists, document))
  noteMentions(trx, parts, mentionsSql(trace, document, entry))
  parts.push(...traceSql(trace, document, entry, parts.length))
  for (const { locale, values, columns: times, trace: translationTrace } of translations) {
    const translationId = sql`(select id from ${sql.ref(`part${parts.length}`)})`
    const extraColumns = { document_id: document, locale: sql`${locale}`, ...toParameters(times) }
    parts.push(insertSql(textTable(resource), resource, values, extraColumns))
    noteMentions(trx, parts, mentionsSql(translationTrace, document, translationId))
    parts.push(...traceSql(translationTrace, document, translationId, parts.length))
  }
  if (ids) {
    sendPartsTogether(trx, resource, parts)
    return ids
  }
  const row = await runPartsTogether(trx, parts, sql`${document} as document, ${entry} as entry`)
  return { document: Number(row[0]), entry: Number(row[1]) }
}

export interface NewDocuments {
  resource: Resource
  /** Values of each new document by field, and its columns by name; all have the same names. */
  rows: readonly NewRow[]
  author: Author
}

export interface NewRow {
  /** Values of the new document that all languages share, by field. */
  sharedValues: Values
  /** To-one links and times of the new document, by column. */
  columns: Values
  changes: Revision['changes']
}

/**
 * Inserts documents without languages, lists and named files, each with its revision and its audit line.
 *
 * @param trx - The open transaction.
 * @param documents - The resource, the rows in their order, and the author.
 * @returns The ids of the documents, in the order of the rows.
 */
export async function insertDocuments(
  trx: Transaction,
  { resource, rows, author }: NewDocuments,
): Promise<readonly number[]> {
  const [firstRow] = rows
  if (!firstRow) return []
  const [fields, columns] = [Object.keys(firstRow.sharedValues), Object.keys(firstRow.columns)]
  const names = [...fields, ...columns].map((name) => sql.ref(name))
  const listedRows = rows.map((row) => {
    const values = fields.map((name) => bindValue(resource, name, row.sharedValues[name]))
    return sql`(${sql.join([...values, ...columns.map((name) => sql`${row.columns[name]}`)])})`
  })
  const [revision, line] = traceSqlOfMany({ author, resource, operation: 'create', revisions: rows })
  const row = await runPartsTogether(
    trx,
    [
      sql`insert into ${sql.table(documentTable(resource))} (${sql.join(names)}) values ${sql.join(listedRows)} returning id`,
      // New rows of a list get their ids in the order of the list.
      sql`select id, row_number() over (order by id) as place from part0`,
      revision,
      line,
    ],
    sql`(select json_agg(id order by id) from part0)`,
  )
  return Array.isArray(row[0]) ? row[0].map(Number) : []
}

/** Change of one document without languages in a batch of writes. */
export interface DocumentChange {
  document: number
  /** Version of the document that a change of many is based on. */
  version: number
  /** New values of the document by field, to-one links as documents; absent ones stay unchanged. */
  values: Values
  changes: Revision['changes']
}

/**
 * Changes many documents without languages in one statement, each with its revision and audit line.
 *
 * @param trx - The open transaction.
 * @param written - The resource, the changes and the author. A field is changed in all documents or in none.
 * @returns The number of changed documents: fewer where a version is stale.
 */
export async function changeDocuments(
  trx: Transaction,
  { resource, rows, author }: { resource: Resource; rows: readonly DocumentChange[]; author: Author },
): Promise<number> {
  const columns = Object.keys(rows[0]?.values ?? {}).map((name) => ({
    name: columnOf(resource, name),
    type: columnType(resource, name),
  }))
  if (columns.length === 0) return 0
  const listedJson = JSON.stringify(
    rows.map(({ document, version, values }) => ({ id: document, version, ...linkColumns(resource, values) })),
  )
  const shape = sql.join(columns.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`))
  const assignmentList = sql.join(columns.map(({ name }) => sql`${sql.ref(name)} = given.${sql.ref(name)}`))
  const [revision, line] = traceSqlOfMany({ author, resource, operation: 'update', revisions: rows })
  const row = await runPartsTogether(
    trx,
    [
      sql`update ${sql.table(documentTable(resource))} d set ${assignmentList}, version = d.version + 1, updated_at = now()
        from jsonb_to_recordset(${listedJson}::jsonb) as given(id int, version int, ${shape})
       where d.id = given.id and d.version = given.version returning d.id`,
      sql`select part0.id, named.place from part0
        join unnest(${rows.map(({ document }) => document)}::int[]) with ordinality as named(id, place) on named.id = part0.id`,
      revision,
      line,
    ],
    sql`(select count(*)::int from part0)`,
  )
  return Number(row[0])
}

/**
 * Deletes many documents that have no languages, lists, parts or links pointing at them.
 *
 * @param trx - The open transaction.
 * @param leaving - The resource, the documents with the content
 *   of their last revision, the author and the removal.
 * @returns The number of deleted documents.
 */
export async function removeDocuments(
  trx: Transaction,
  {
    resource,
    rows,
    author,
    removal,
  }: {
    resource: Resource
    rows: readonly { document: number; version: number; changes: Revision['changes']; kept: RestoredValues }[]
    author: Author
    removal: string
  },
): Promise<number> {
  const [revision, line] = traceSqlOfMany({ author, resource, operation: 'remove', revisions: rows, removal })
  const listedJson = JSON.stringify(rows.map(({ document, version }) => ({ id: document, version })))
  const row = await runPartsTogether(
    trx,
    [
      sql`delete from ${sql.table(documentTable(resource))} d
        using jsonb_to_recordset(${listedJson}::jsonb) as given(id int, version int)
       where d.id = given.id and d.version = given.version returning d.id`,
      sql`select part0.id, named.place from part0
        join unnest(${rows.map(({ document }) => document)}::int[]) with ordinality as named(id, place) on named.id = part0.id`,
      revision,
      line,
    ],
    sql`(select count(*)::int from part0)`,
  )
  return Number(row[0])
}

export interface NewText {
  resource: Resource
  document: number
  locale: Locale
  values: Values
  columns: Values
  /**
   * Shared values and to-one links that change with a new language, and whether any shared value changes at
   * all.
   */
  sharedValues: Values
  links: Values
  familyMoves: boolean
  lists: readonly ListChange[]
  trace: WriteTrace
}

/**
 * Inserts one more language of a document, and applies the shared changes of its body to the whole family.
 *
 * @returns Its id.
 */
export async function insertText(trx: Transaction, change: NewText): Promise<number> {
  const {
    resource,
    document,
    locale,
    values,
    columns,
    sharedValues,
    links,
    familyMoves: familyChanges,
    lists,
    trace,
  } = change
  const extraColumns = { document_id: sql`${document}`, locale: sql`${locale}`, ...toParameters(columns) }
  const parts = [insertSql(textTable(resource), resource, values, extraColumns)]
  const sharedAssignments = [...assignments(resource, sharedValues), ...assignmentsOf(links)]
  if (sharedAssignments.length > 0) {
    parts.push(
      sql`update ${sql.table(documentTable(resource))} set ${sql.join(sharedAssignments)} where id = ${document}`,
    )
  }
  if (familyChanges)
    parts.push(sql`update ${sql.table(textTable(resource))} set ${touchSql} where document_id = ${document}`)
  parts.push(...listsSql(lists, sql`${document}::int`))
  noteMentions(trx, parts, mentionsSql(trace, sql`${document}::int`, sql`(select id from part0)`))
  parts.push(...traceSql(trace, sql`${document}::int`, sql`(select id from part0)`, parts.length))
  const row = await runPartsTogether(trx, parts, sql`(select id from part0)`)
  return Number(row[0])
}

const touchSql = sql`version = version + 1, updated_at = now()`

function assignments(resource: Resource, values: Values): Sql[] {
  return Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${bindValue(resource, name, value)}`)
}
const assignmentsOf = (columns: Values): Sql[] =>
  Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)

export interface EntryChange {
  resource: Resource
  document: number
  entry: number
  /** Values of the written document that all languages share, by field; its to-one links follow by column. */
  sharedValues: Values
  links: Values
  /** Localized values of the language that is written. */
  localized: Values
  /**
   * Whether a shared value of the document changes, so that versions of all languages increase
   * (docs/architecture.md).
   */
  familyMoves: boolean
  /** Whether the write changes texts of the source language, so that translations become outdated. */
  sourceMoves: boolean
  /** Number of source changes that a translation has seen with this save. */
  seenChanges: number | undefined
  /** Number of the translation's source changes that an undo restores. */
  sourceChanges?: number
  lists: readonly ListChange[]
  /** Whether the statement of the write is sent without waiting for its answer. */
  isSent?: true | undefined
  trace: WriteTrace
}

/** Changes a document and its entries in place; without changes no statement runs. */
export async function changeEntry(trx: Transaction, change: EntryChange): Promise<void> {
  const { resource, document, entry, familyMoves, lists, trace } = change
  const documentAssignments = [...assignments(resource, change.sharedValues), ...assignmentsOf(change.links)]
  if (resource.localized && change.sourceMoves) documentAssignments.push(sql`source_changes = source_changes + 1`)
  if (resource.localized && change.sourceChanges !== undefined)
    documentAssignments.push(sql`source_changes = ${String(change.sourceChanges)}::int`)
  if (!resource.localized && familyMoves) documentAssignments.push(touchSql)
  const parts: Sql[] = []
  if (documentAssignments.length > 0) {
    parts.push(
      sql`update ${sql.table(documentTable(resource))} set ${sql.join(documentAssignments)} where id = ${document}`,
    )
  }
  if (resource.localized) parts.push(...textsSql(change))
  parts.push(...listsSql(lists, sql`${document}::int`))
  noteMentions(trx, parts, mentionsSql(trace, sql`${document}::int`, sql`${entry}::int`))
  parts.push(...traceSql(trace, sql`${document}::int`, sql`${entry}::int`, parts.length))
  if (parts.length === 0) return
  if (change.isSent) sendPartsTogether(trx, resource, parts)
  else await runPartsTogether(trx, parts, sql`1`)
}

/**
 * Updates of the texts: the values of this entry, and the versions of all entries that change. A row can
 * change only once in a statement. Columns in an update are computed and compared again, so the updates of
 * other languages name none.
 */
function textsSql({ resource, document, entry, localized, familyMoves, seenChanges }: EntryChange): Sql[] {
  const columnValues = Object.entries(localized).map(
    ([name, value]) => [name, bindValue(resource, name, value)] as const,
  )
  if (seenChanges !== undefined) columnValues.push(['seen_changes', sql`${String(seenChanges)}::int`])
  const table = sql.table(textTable(resource))
  if (familyMoves && columnValues.length === 0)
    return [sql`update ${table} set ${touchSql} where document_id = ${document}`]
  const textAssignments = columnValues.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  if (familyMoves || Object.keys(localized).length > 0) textAssignments.push(touchSql)
  const parts =
    textAssignments.length > 0 ? [sql`update ${table} set ${sql.join(textAssignments)} where id = ${entry}`] : []
  const otherTextsSql = sql`document_id = ${document} and id <> ${entry}`
  return familyMoves ? [...parts, sql`update ${table} set ${touchSql} where ${otherTextsSql}`] : parts
}

export interface DeletedEntries {
  resource: Resource
  document: number
  /** Wire id of the deleted record as requested. */
  entry: number
  /** Ids of the record's languages to delete; `all`: the whole document. */
  entries: readonly number[] | 'all'
  /** Language of the record that becomes the source when the source is deleted. */
  nextSourceLocale: Locale | undefined
  /** Ids of records that lose a link by the delete, so that their versions increase. */
  holders: ReadonlyMap<Resource, readonly number[]>
  trace: WriteTrace
}

/** Deletes the rows of entries, or of a document with its entries and list links. */
export async function removeRows(
  trx: Transaction,
  { resource, document, entry, entries, nextSourceLocale: nextSource, holders, trace }: DeletedEntries,
): Promise<void> {
  const [documents, texts] = [sql.table(documentTable(resource)), sql.table(textTable(resource))]
  const parts: Sql[] = [
    entries === 'all'
      ? sql`delete from ${documents} where id = ${document}`
      : sql`delete from ${texts} where id = any(${[...entries]}::int[])`,
  ]
  if (nextSource !== undefined && entries !== 'all') {
    parts.push(
      sql`update ${documents} set source_locale = ${nextSource}, source_changes = 0 where id = ${document}`,
      sql`update ${texts} set seen_changes = 0 where document_id = ${document} and not (id = any(${[...entries]}::int[]))`,
    )
  }
  for (const [holder, ids] of holders) {
    parts.push(
      holder.localized
        ? sql`update ${sql.table(textTable(holder))} set ${touchSql} where document_id = any(${[...ids]}::int[])`
        : sql`update ${sql.table(documentTable(holder))} set ${touchSql} where id = any(${[...ids]}::int[])`,
    )
  }
  const leavingTexts = entries === 'all' ? { documents: sql`${document}::int` } : { entries }
  noteMentions(trx, parts, [forgetMentionsSql(resource, leavingTexts)])
  parts.push(...traceSql(trace, sql`${document}::int`, sql`${entry}::int`, parts.length))
  await runPartsTogether(trx, parts, sql`1`)
}

type RestoredValues = Readonly<Record<string, unknown>>

/**
 * The version of restored rows increases, so that clients with an older version get a conflict. A record
 * restored exactly as it was keeps its version.
 */
const versionOf = ({ version, updatedAt }: RestoredValues) =>
  sql`${String(Number(version ?? 0) + (updatedAt === undefined ? 1 : 0))}::int`

export interface ReturningDocument {
  resource: Resource
  document: number
  restoredValues: RestoredValues
  values: Values
  /** SQL of the to-one links of a restored document, by column. */
  links: Readonly<Record<string, Sql>>
  /** Further statements that use the key of the restored document. */
  statementsAfter: readonly ((document: Sql) => Sql)[]
  trace: WriteTrace
}

/** Inserts a restored document under its old key, then its links. */
export async function restoreDocument(trx: Transaction, returning: ReturningDocument): Promise<void> {
  const { resource, document, restoredValues, values, links, statementsAfter, trace } = returning
  const key = sql`${document}::int`
  const systemValues = resource.localized
    ? {
        source_locale: sql`${restoredValues.sourceLocale}`,
        source_changes: sql`${String(Number(restoredValues.sourceChanges ?? 0))}::int`,
      }
    : {
        version: versionOf(restoredValues),
        created_at: sql`${restoredValues.createdAt}`,
        ...(restoredValues.updatedAt !== undefined && { updated_at: sql`${restoredValues.updatedAt}` }),
      }
  const insertDocumentSql = insertSql(documentTable(resource), resource, values, { id: key, ...systemValues, ...links })
  const parts = [insertDocumentSql]
  noteMentions(trx, parts, mentionsSql(trace, key, key))
  await runPartsTogether(
    trx,
    [...parts, ...traceSql(trace, key, sql`${restoredValues.entry ?? null}::int`, parts.length)],
    sql`1`,
  )
  for (const nextStatement of statementsAfter) await trx.rows(compileTemplate(nextStatement(key)))
}

export interface ReturningText {
  resource: Resource
  document: number
  locale: Locale
  restoredValues: RestoredValues
  values: Values
  trace: WriteTrace
}

/** Inserts a restored language under its old wire id. */
export async function restoreText(
  trx: Transaction,
  { resource, document, locale, restoredValues, values, trace }: ReturningText,
): Promise<void> {
  const entry = sql`${String(restoredValues.entry)}::int`
  const insertTextSql = insertSql(textTable(resource), resource, values, {
    id: entry,
    document_id: sql`${document}`,
    locale: sql`${locale}`,
    version: versionOf(restoredValues),
    created_at: sql`${restoredValues.createdAt}`,
    seen_changes: sql`${String(Number(restoredValues.seenChanges ?? 0))}::int`,
  })
  const parts = [insertTextSql]
  noteMentions(trx, parts, mentionsSql(trace, sql`${document}::int`, entry))
  await runPartsTogether(trx, [...parts, ...traceSql(trace, sql`${document}::int`, entry, parts.length)], sql`1`)
}
