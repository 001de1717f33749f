/**
 * Stores and restores rows that the database deletes or changes
 * with a removed record and that no revision describes.
 */
import { type Field, isLink, type Resource } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { documentTable, inboundLinks, textTable } from '../../db/schema.ts'
import { linkOf, resources } from '../attributes.ts'
import { forgetMentionsSql, mentionTable } from '../mentions.ts'

type Sql = Template<unknown>

/** A foreign key of one column, and its action on delete. */
interface ForeignKey {
  table: string
  column: string
  target: string
  targetColumn: string
  rule: 'cascade' | 'set null' | 'other'
}

/** The foreign keys of the database, and of each table its key and its writable columns. */
interface Catalogue {
  keys: readonly ForeignKey[]
  tables: ReadonlyMap<string, { primaryKey: readonly string[]; columns: readonly string[] }>
}

const catalogues = new WeakMap<Database, Catalogue>()

/** Reads the catalogue once per open database: only migrations change it, and they run earlier. */
async function catalogueOf(trx: Transaction): Promise<Catalogue> {
  const cachedCatalogue = catalogues.get(trx.database)
  if (cachedCatalogue) return cachedCatalogue
  const [row] = await trx.query(sql<{ keys: ForeignKey[]; tables: [string, string[], string[]][] }>`
    select (select json_agg(json_build_object('table', t.relname, 'column', a.attname, 'target', f.relname, 'targetColumn', b.attname,
              'rule', case c.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'other' end) order by c.conname)
              from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
              join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
             where c.contype = 'f' and c.connamespace = 'public'::regnamespace) as keys,
           (select json_agg(json_build_array(t.relname,
              (select json_agg(a.attname order by a.attnum) from pg_index i join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
                where i.indrelid = t.oid and i.indisprimary),
              (select json_agg(a.attname order by a.attnum) from pg_attribute a
                where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')))
              from pg_class t where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace) as tables`)
  const catalogue: Catalogue = {
    keys: row?.keys ?? [],
    tables: new Map(
      (row?.tables ?? []).map(([name, primaryKey, columns]) => [name, { primaryKey: primaryKey ?? [], columns }]),
    ),
  }
  catalogues.set(trx.database, catalogue)
  return catalogue
}

const keyName = (table: string, column: string) => `${table}.${column}`

/**
 * Foreign keys to a record that its own revisions describe: languages, links in both directions, parts with a
 * trash.
 */
function describedKeys(resource: Resource): ReadonlySet<string> {
  const describedKeySet = new Set<string>([keyName(textTable(resource), 'document_id')])
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    const linkPosition = isLink(field) ? linkOf(resource, name).place : undefined
    if (linkPosition?.in === 'table') describedKeySet.add(keyName(linkPosition.table, linkPosition.ownColumn))
  }
  for (const { resource: holder, field, storage } of inboundLinks(resource, resources)) {
    if (storage.in === 'table') describedKeySet.add(keyName(storage.table, storage.otherColumn))
    else if (holder.restoredWith !== field) describedKeySet.add(keyName(documentTable(holder), storage.column))
  }
  return describedKeySet
}

/**
 * Tables whose rows are deleted, each after those that it refers to, with the foreign keys that lead to them.
 */
interface Plan {
  removedKeys: ReadonlyMap<string, readonly ForeignKey[]>
  /** Foreign keys whose columns are set to null in remaining rows. */
  emptiedKeys: readonly ForeignKey[]
}

/**
 * Walks the foreign keys from a resource: the tables whose rows a removal deletes without a revision, and the
 * columns that it empties.
 *
 * @throws An error when tables delete each other's rows in
 *   a circle: their rows could not be restored in order.
 */
function planOf(resource: Resource, { keys }: Catalogue): Plan {
  const root = documentTable(resource)
  const describedNames = describedKeys(resource)
  const ownKeys = keys.filter((key) => key.target === root && !describedNames.has(keyName(key.table, key.column)))
  const keysByTable = new Map<string, ForeignKey[]>()
  const emptiedKeys: ForeignKey[] = []
  const openKeys = [ownKeys]
  for (let foundKeys = openKeys.pop(); foundKeys; foundKeys = openKeys.pop()) {
    for (const key of foundKeys) {
      if (key.rule === 'set null') emptiedKeys.push(key)
      if (key.rule !== 'cascade') continue
      const reachingKeys = keysByTable.get(key.table)
      keysByTable.set(key.table, [...(reachingKeys ?? []), key])
      if (!reachingKeys) openKeys.push(keys.filter(({ target }) => target === key.table))
    }
  }
  const removedKeys = new Map<string, readonly ForeignKey[]>()
  while (removedKeys.size < keysByTable.size) {
    const nextTable = [...keysByTable].find(
      ([table, foreignKeys]) =>
        !removedKeys.has(table) && foreignKeys.every(({ target }) => target === root || removedKeys.has(target)),
    )
    if (!nextTable) throw new Error(`Tables delete each other's rows: ${[...keysByTable.keys()].join(', ')}`)
    removedKeys.set(...nextTable)
  }
  return { removedKeys, emptiedKeys }
}

/** Deleted record under which rows of other tables are stored. */
export interface RemovedRecord {
  removal: string
  resource: Resource
  document: number
}

/** Returns the alias of a table's rows while the delete of a record collects them. */
const collectedRows = (index: number) => sql.ref(`rows${index}`)

/**
 * Stores all rows that the delete of a record takes along and that its revisions do not describe, in one
 * statement. Without such tables none runs.
 *
 * @param trx - The transaction that deletes the record; the record is locked.
 * @param record - The record and the number of its removal.
 */
export async function storeRemovedRows(
  trx: Transaction,
  { removal, resource, document }: RemovedRecord,
): Promise<void> {
  const catalogue = await catalogueOf(trx)
  const { removedKeys, emptiedKeys } = planOf(resource, catalogue)
  if (removedKeys.size === 0 && emptiedKeys.length === 0) return
  const tables = [...removedKeys.keys()]
  const root = documentTable(resource)
  const targetsOf = ({ target, targetColumn }: ForeignKey): Sql =>
    target === root
      ? sql`(${document}::int)`
      : sql`(select ${sql.ref(targetColumn)} from ${collectedRows(tables.indexOf(target))})`
  const reachedSql = (key: ForeignKey, alias: string) => sql`${sql.ref(`${alias}.${key.column}`)} in ${targetsOf(key)}`

  const parts = tables.map((table, index) => {
    const conditions = (removedKeys.get(table) ?? []).map((key) => reachedSql(key, 't'))
    return sql`${collectedRows(index)} as materialized (select t.* from ${sql.table(table)} t where ${sql.join(conditions, sql` or `)})`
  })
  const columnsOf = (table: string) => [...(catalogue.tables.get(table)?.columns ?? [])]
  const lines = tables.map(
    (table, index) => sql`
      select ${sql.lit(index)} as place, ${sql.lit(table)}::text as table_name, null::text as emptied,
             (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where key = any(${columnsOf(table)}::text[])) as content
        from ${collectedRows(index)} t`,
  )
  for (const key of emptiedKeys) {
    const { primaryKey } = catalogue.tables.get(key.table) ?? { primaryKey: [] }
    const namedColumns = [...primaryKey, key.column].map(
      (column) => sql`${sql.lit(column)}::text, ${sql.ref(`t.${column}`)}`,
    )
    const tableIndex = tables.indexOf(key.table)
    // A row that is deleted with a record is stored whole, so its columns are not stored as emptied as well.
    const equalKeys = primaryKey.map((column) => sql`${sql.ref(`gone.${column}`)} = ${sql.ref(`t.${column}`)}`)
    const remainsSql =
      tableIndex < 0
        ? sql``
        : sql` and not exists (select 1 from ${collectedRows(tableIndex)} gone where ${sql.join(equalKeys, sql` and `)})`
    lines.push(sql`
      select ${sql.lit(tables.length)}, ${sql.lit(key.table)}::text, ${sql.lit(key.column)}::text, jsonb_build_object(${sql.join(namedColumns)})
        from ${sql.table(key.table)} t where ${reachedSql(key, 't')}${remainsSql}`)
  }
  for (const [index, table] of tables.entries()) {
    const forgetSql =
      resources[table] &&
      forgetMentionsSql(resources[table], { documents: sql`select id from ${collectedRows(index)}` })
    if (!forgetSql) continue
    const mentions = sql.ref(`mentions${index}`)
    parts.push(sql`${mentions} as (${forgetSql} returning *)`)
    lines.push(sql`
      select ${sql.lit(tables.length)}, ${sql.lit(mentionTable)}::text, null::text, to_jsonb(m) from ${mentions} m`)
  }
  const sharedPrefix = parts.length > 0 ? sql`with ${sql.join(parts)} ` : sql``
  await trx.rows(
    compileTemplate(sql`${sharedPrefix}insert into removed_rows (removal, resource, document_id, place, table_name, emptied, content)
      select ${removal}::uuid, ${resource.name}::text, ${document}::int, found.* from (${sql.join(lines, sql` union all `)}) as found`),
  )
}

/** Stored rows of one table that are ready to be restored with a record. */
interface WaitingRow {
  table: string
  emptied: string | null
  columns: readonly string[]
}

const rowsOfSql = ({ removal, resource, document }: RemovedRecord) =>
  sql`w.removal = ${removal}::uuid and w.resource = ${resource.name}::text and w.document_id = ${document}::int`

/**
 * Restores the rows that were stored with a removed record, with their keys, times and numbers, one statement
 * per table. If a row refers to something deleted since, its foreign key decides: the row is left out or
 * loses the link.
 *
 * @param trx - The transaction that has restored the record itself.
 * @param record - The record and the number of its removal.
 * @throws The database's own error for a row that cannot exist without what was deleted.
 */
export async function restoreRemovedRows(trx: Transaction, record: RemovedRecord): Promise<void> {
  const waitingRows = await trx.query(sql<WaitingRow>`
    select distinct on (place, table_name, emptied) table_name as "table", emptied, array(select jsonb_object_keys(content)) as columns
      from removed_rows w where ${rowsOfSql(record)} order by place, table_name, emptied`)
  if (waitingRows.length === 0) return
  const catalogue = await catalogueOf(trx)
  for (const waitingRow of waitingRows) {
    await trx.rows(
      compileTemplate(
        waitingRow.emptied === null
          ? insertSql(record, waitingRow, catalogue)
          : refillSql(record, waitingRow, catalogue),
      ),
    )
    if (resources[waitingRow.table]) trx.changed(waitingRow.table)
  }
  await trx.rows(compileTemplate(sql`delete from removed_rows w where ${rowsOfSql(record)}`))
}

/** SQL of the rows that a delete stored of a table, as rows of that table, named `batch`. */
const batchSql = (record: RemovedRecord, { table, emptied }: WaitingRow) => sql`with batch as materialized (
  select r.* from removed_rows w, jsonb_populate_record(null::${sql.table(table)}, w.content) r
   where ${rowsOfSql(record)} and w.table_name = ${table}::text and w.emptied is not distinct from ${emptied}::text)`

function insertSql(record: RemovedRecord, waiting: WaitingRow, { keys, tables }: Catalogue): Sql {
  const { table } = waiting
  // A column of stored rows that a later version dropped is left out; an added column gets its default.
  const columns = (tables.get(table)?.columns ?? []).filter((column) => waiting.columns.includes(column))
  const ownKeys = keys.filter((key) => key.table === table)
  const existsSql = ({ column, target, targetColumn }: ForeignKey) => {
    const foundSql = sql`exists (select 1 from ${sql.table(target)} x where ${sql.ref(`x.${targetColumn}`)} = ${sql.ref(`b.${column}`)})`
    const besideSql = sql`exists (select 1 from batch y where ${sql.ref(`y.${targetColumn}`)} = ${sql.ref(`b.${column}`)})`
    return target === table ? sql`(${foundSql} or ${besideSql})` : foundSql
  }
  const values = columns.map((column) => {
    const optionalKey = ownKeys.find((key) => key.column === column && key.rule === 'set null')
    return optionalKey
      ? sql`case when ${existsSql(optionalKey)} then ${sql.ref(`b.${column}`)} end`
      : sql.ref(`b.${column}`)
  })
  const neededConditions = ownKeys
    .filter(({ rule }) => rule === 'cascade')
    .map((key) => sql`(${sql.ref(`b.${key.column}`)} is null or ${existsSql(key)})`)
  const whereSql = neededConditions.length > 0 ? sql` where ${sql.join(neededConditions, sql` and `)}` : sql``
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`${batchSql(record, waiting)} insert into ${sql.table(table)} (${names}) overriding system value
    select ${sql.join(values)} from batch b${whereSql}`
}

/** Gives rows that remained after a delete their former link back, unless they have another link by now. */
function refillSql(record: RemovedRecord, waiting: WaitingRow, { tables }: Catalogue): Sql {
  const { table, emptied } = waiting
  const column = emptied ?? ''
  const keysMatch = (tables.get(table)?.primaryKey ?? []).map(
    (key) => sql`${sql.ref(`t.${key}`)} = ${sql.ref(`b.${key}`)}`,
  )
  return sql`${batchSql(record, waiting)} update ${sql.table(table)} t set ${sql.ref(column)} = ${sql.ref(`b.${column}`)}
    from batch b where ${sql.join(keysMatch, sql` and `)} and ${sql.ref(`t.${column}`)} is null`
}
