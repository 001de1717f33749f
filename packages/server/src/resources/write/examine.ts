/**
 * Loads what a write needs before it changes anything: the
 * stored entry, locked, and all the rest in one statement.
 */
import {
  type Caller,
  type Field,
  isScalar,
  isToOne,
  type LinkChange,
  type LinkTarget,
  type Locale,
  type Resource,
} from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { Statement } from '../../db/driver.ts'
import { columnFields, columnOf, documentTable, textTable } from '../../db/schema.ts'
import { fileResource, type LinkAttribute, linkOf, type View, viewOfResource } from '../attributes.ts'
import { conditionSql } from '../read/compile-condition.ts'
import { QueryContext } from '../read/context.ts'
import { scopeOf } from '../read/parse-filters.ts'
import type { SlotIndex } from '../read/query.ts'
import { fillSlots, slotSql } from '../read/slots.ts'
import type { SlugRequest } from './prepare.ts'
import { Aliases, columnSql, entriesFrom, type EntryAlias } from '../read/sql-entry.ts'
import type { Author } from '../history/history.ts'

type Sql = Template<unknown>

/** A stored entry, locked until the transaction ends. */
export interface StoredEntry {
  document: number
  entry: number
  version: number
  createdAt: string
  updatedAt: string
  locale: Locale | undefined
  sourceLocale: Locale | undefined
  sourceChanges: number
  seenChanges: number
  /** Columns of the stored entry by field, private ones and to-one links (as document ids) included. */
  values: Readonly<Record<string, unknown>>
}

/** Returns the document columns of a resource's to-one links, by field. */
function linkColumnsOf(resource: Resource): [field: string, column: string][] {
  return Object.entries<Field>(resource.fields)
    .filter(([, field]) => isToOne(field))
    .map(([name]) => [name, columnOf(resource, name)])
}

type By = 'entry' | 'document'

/** Number of rows that the lock of a write covers: one by the id in its slot, or several by a list of ids. */
type LockedRows = 'one' | 'many'

/**
 * The statement that locks entries, and the fields whose values it returns: columns first, then to-one links.
 */
interface EntryLock {
  fields: readonly string[]
  links: readonly string[]
  statement: Statement
}

/**
 * Makes the statement that locks the entries of a slot,
 * within a condition; several in the order of their ids.
 */
function entryLock(
  trx: Transaction,
  resource: Resource,
  idKind: By,
  slot: SlotIndex,
  condition?: (entry: EntryAlias, aliases: Aliases) => Sql,
  lockedRows: LockedRows = 'one',
): EntryLock {
  const aliases = new Aliases(trx)
  const entry = aliases.entry(resource)
  const { document, text } = entry
  const fields = [...columnFields(resource, false), ...columnFields(resource, true)].map(([name]) => name)
  const links = linkColumnsOf(resource)
  const conditionPart = condition ? sql` and ${condition(entry, aliases)}` : sql``
  const systemValues = resource.localized
    ? [`${text}.locale`, `${document}.source_locale`, `${document}.source_changes`, `${text}.seen_changes`]
    : []
  const columns: Sql[] = [
    ...[`${document}.id`, `${text}.id`, `${text}.version`, `${text}.created_at`, `${text}.updated_at`].map((name) =>
      sql.ref(name),
    ),
    ...fields.map((name) => columnSql(entry, name)),
    ...links.map(([, column]) => sql.ref(`${document}.${column}`)),
    ...systemValues.map((name) => sql.ref(name)),
  ]
  const lockedAliases = sql.join([...new Set([document, text])].map((alias) => sql.ref(alias)))
  const id = sql.ref(`${idKind === 'entry' ? text : document}.id`)
  const namedSql =
    lockedRows === 'one'
      ? sql`${id} = ${slotSql(slot, 'int')}${conditionPart}`
      : sql`${id} = any(${slotSql(slot, 'int[]')})${conditionPart} order by ${id}`
  const statement = compileTemplate(
    sql`select ${sql.join(columns)} from ${entriesFrom(entry)} where ${namedSql} for update of ${lockedAliases}`,
  )
  return { fields, links: links.map(([name]) => name), statement }
}

const unscopedLocks = new WeakMap<Resource, Map<string, EntryLock>>()

/** Returns the statement that locks a record without a condition, cached after its first use. */
function unscopedLock(trx: Transaction, resource: Resource, idKind: By, slot: SlotIndex): EntryLock {
  const entryLocks = unscopedLocks.get(resource) ?? new Map<string, EntryLock>()
  unscopedLocks.set(resource, entryLocks)
  const key = `${idKind}/${slot}`
  const lock = entryLocks.get(key) ?? entryLock(trx, resource, idKind, slot)
  entryLocks.set(key, lock)
  return lock
}

/**
 * Finds and locks the entry of a wire id within the rows that its author may change. With `by` a document's
 * key, it finds any entry of the document.
 *
 * @returns The entry with all committed changes; undefined when there is none within the author's rows.
 */
export async function lockEntry(
  trx: Transaction,
  resource: Resource,
  id: number,
  { author, view }: { author: Author; view: View },
  idKind: By = 'entry',
): Promise<StoredEntry | undefined> {
  const context = new QueryContext(author.caller)
  const slot = context.slot(id)
  const scope = scopeOf(context, resource, view.rows)
  const { fields, links, statement } = scope
    ? entryLock(trx, resource, idKind, slot, (entry, aliases) =>
        conditionSql(scope, entry, author.caller.language, aliases),
      )
    : unscopedLock(trx, resource, idKind, slot)
  const { sql: text, parameters } = statement
  const [row] = await trx.rows({ sql: text, parameters: fillSlots(parameters, context.values) })
  return row && toStoredEntry(resource, [...fields, ...links], row)
}

/** Converts a row of the locking statement to the stored entry. */
function toStoredEntry(resource: Resource, names: readonly string[], row: readonly unknown[]): StoredEntry {
  const [sourceAt, valueIndex] = [5 + names.length, 5]
  return {
    document: Number(row[0]),
    entry: Number(row[1]),
    version: Number(row[2]),
    createdAt: String(row[3]),
    updatedAt: String(row[4]),
    values: Object.fromEntries(names.map((name, index) => [name, row[valueIndex + index] ?? null])),
    locale: resource.localized ? (row[sourceAt] as Locale) : undefined,
    sourceLocale: resource.localized ? (row[sourceAt + 1] as Locale) : undefined,
    sourceChanges: Number(row[sourceAt + 2] ?? 0),
    seenChanges: Number(row[sourceAt + 3] ?? 0),
  }
}

/**
 * Finds and locks many entries within the rows that their author may change, in the order of their ids.
 *
 * @param trx - The open transaction.
 * @param resource - The resource of the entries.
 * @param ids - Their wire ids.
 * @param writer - The author and the rows within their rights.
 * @returns The entries by wire id; entries outside these rows are absent.
 */
export async function lockEntries(
  trx: Transaction,
  resource: Resource,
  ids: readonly number[],
  { author, view }: { author: Author; view: View },
): Promise<Map<number, StoredEntry>> {
  if (ids.length === 0) return new Map()
  const context = new QueryContext(author.caller)
  const slot = context.slot([...ids])
  const scope = scopeOf(context, resource, view.rows)
  const condition =
    scope && ((entry: EntryAlias, aliases: Aliases) => conditionSql(scope, entry, author.caller.language, aliases))
  const { fields, links, statement } = entryLock(trx, resource, 'entry', slot, condition, 'many')
  const { sql: text, parameters } = statement
  const rows = await trx.rows({ sql: text, parameters: fillSlots(parameters, context.values) })
  const names = [...fields, ...links]
  return new Map(rows.map((row) => [Number(row[1]), toStoredEntry(resource, names, row)]))
}

/** The questions about stored data that one statement of a write answers. */
export interface WriteQuestions {
  resource: Resource
  /** Links of the written record whose targets are looked up, by field. */
  links: Readonly<Record<string, LinkChange>>
  /** Columns of link targets that the write loads: link → fields of the target. */
  targetColumns: Readonly<Record<string, readonly string[]>>
  /** Unchanged targets of links whose columns the write needs: link → document, or SQL that it equals. */
  unchangedTargets: Readonly<Record<string, number | Sql>>
  /** Values of the write that are checked for uniqueness, by field. */
  unique: Readonly<Record<string, unknown>>
  slugs: readonly SlugRequest[]
  /** SQL of the document that is written; undefined for a new one. */
  document: Sql | undefined
  locale: Locale | Sql | undefined
  /** Whether the languages of the written document are loaded. */
  family: boolean
  /** Whether a new document gets its ids now, so that later statements need not wait for the writing one. */
  ids?: boolean
  /**
   * Caller who must be able to read the targets of the write's links, except those that the document already
   * links to. Absent: no limit.
   */
  reader?: Caller | undefined
  /** Links of the write whose targets may be outside the reader's rows. */
  checkedLinks?: readonly string[] | undefined
  /** The link whose target is locked for the write: a concurrent write may have moved the record to it. */
  lockedLink?: string | undefined
}

export interface WriteFindings {
  /** Documents that the links of the write point at, by link, and by wire id or file name. */
  targets: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Columns of the targets of the write's links, by link and document. */
  targetValues: ReadonlyMap<string, ReadonlyMap<number, Readonly<Record<string, unknown>>>>
  /** Current documents of the written record's list links, in order. */
  lists: ReadonlyMap<string, readonly number[]>
  /** Links to the same resource that would make the document its own ancestor. */
  cycles: ReadonlySet<string>
  /** Unique fields of the write whose value another record has. */
  takenFields: ReadonlySet<string>
  /** Used slugs that begin like the one that the write requests, by field. */
  slugs: ReadonlyMap<string, ReadonlySet<string>>
  family: ReadonlyMap<Locale, number>
  /** The ids of a new document and of its first entry, when they were requested. */
  ids: NewIds | undefined
}

/**
 * Ids that a new document and its first entry are inserted
 * with. Both are equal for a resource without languages.
 */
export interface NewIds {
  document: number
  entry: number
}

export const keyOfTarget = (target: LinkTarget): string =>
  typeof target === 'number' ? String(target) : lastSegment(target.url)
const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Key of a link's unchanged target in the results of the look-up. */
const unchangedKey = 'unchanged'

/** Options for finding targets: the columns to load, the lock, and a condition on the targets. */
interface Lookup {
  targetColumns: readonly string[]
  lock: Sql
  scopeCondition: (entry: EntryAlias) => Sql
  aliases: Aliases
}

/** Rows of the targets of one link: (key, document, columns), with the documents locked against deletion. */
function targetsSql({ target }: LinkAttribute, linkTargets: readonly LinkTarget[], lookup: Lookup): Sql {
  const { targetColumns, lock, scopeCondition, aliases } = lookup
  const ids = linkTargets.filter((item) => typeof item === 'number')
  const urls = linkTargets.flatMap((item) =>
    typeof item === 'number' ? [] : [`${fileResource.filesPath}${lastSegment(item.url)}`],
  )
  const entry = aliases.entry(target)
  const documentRef = sql.ref(entry.document)
  const document = sql.ref(`${entry.document}.id`)
  const shownValues = targetValuesSql(target, targetColumns, entry.document)
  const namedSql = sql`${sql.ref(`${entry.text}.id`)} = any(${ids}::int[])`
  // The look-up locks documents, never their entries: a delete locks the document before its entries.
  const end = sql`${scopeCondition(entry)} order by ${document} for ${lock} of ${documentRef}`
  if (urls.length > 0) {
    const url = sql.ref(`${entry.document}.url`)
    return sql`select case when ${url} = any(${urls}::text[]) then substring(${url} from '[^/]*$') else ${document}::text end as key, ${document} as document, ${shownValues} as details
      from ${entriesFrom(entry)} where (${namedSql} or ${url} = any(${urls}::text[])) ${end}`
  }
  return sql`select ${sql.ref(`${entry.text}.id`)}::text as key, ${document} as document, ${shownValues} as details
    from ${entriesFrom(entry)} where ${namedSql} ${end}`
}

/** Whether the written document already links to a target: clients send whole records back (contract §4). */
function isLinkedSql({ place }: LinkAttribute, resource: Resource, document: Sql, target: EntryAlias): Sql {
  const id = sql.ref(`${target.document}.id`)
  switch (place.in) {
    case 'column':
      return sql`${id} = (select ${sql.ref(place.column)} from ${sql.table(documentTable(resource))} where id = ${document})`
    case 'mirror':
      return sql`${sql.ref(`${target.document}.${place.column}`)} = ${document}`
    case 'table':
      return sql`exists (select 1 from ${sql.table(place.table)} as held where held.${sql.ref(place.ownColumn)} = ${document} and held.${sql.ref(place.otherColumn)} = ${id})`
    case 'family':
      return sql`true`
  }
}

/**
 * SQL that limits targets to what a caller may read; all others do not exist for them. Where the access table
 * denies all reading, the field is the server's own list (the roles of a view), and existence decides.
 */
function readableTargetsSql(
  attribute: LinkAttribute,
  { resource, document }: WriteQuestions,
  context: QueryContext,
  aliases: Aliases,
): (entry: EntryAlias) => Sql {
  const { caller } = context
  const rows = viewOfResource(attribute.target, caller, 'get')?.rows
  const scope = scopeOf(context, attribute.target, rows)
  if (!scope) return () => sql``
  return (entry) => {
    const readableSql = conditionSql(scope, entry, caller.language, aliases)
    return document
      ? sql` and (${readableSql} or ${isLinkedSql(attribute, resource, document, entry)})`
      : sql` and ${readableSql}`
  }
}

/**
 * Files are locked against becoming private while they are linked, and exclusively while they become private.
 */
function lockOf({ name, target }: LinkAttribute, { fields }: Resource): Sql {
  if (target.filesPath === undefined) return sql`key share`
  return fields[name]?.readableBy === undefined ? sql`share` : sql`no key update`
}

function targetValuesSql(target: Resource, targetColumns: readonly string[], alias = 'd'): Sql {
  if (targetColumns.length === 0) return sql`'{}'::jsonb`
  const pairs = targetColumns.map(
    (name) => sql`${sql.lit(name)}::text, ${sql.ref(`${alias}.${columnOf(target, name)}`)}`,
  )
  return sql`jsonb_build_object(${sql.join(pairs)})`
}

/** SQL of whether the ancestors of a link's targets include the document: a page below itself. */
function leadsBackSql(resource: Resource, column: string, targets: Sql, document: Sql): Sql {
  const table = sql.table(documentTable(resource))
  return sql`(with recursive above(id) as (
      select document from ${targets} union select up.${sql.ref(column)} from ${table} up join above on above.id = up.id
    ) select coalesce(bool_or(id = ${document}), false) from above)`
}

/** Tells whether a target of a link to the same resource would make a document its own ancestor. */
export async function leadsBackToDocument(
  trx: Transaction,
  resource: Resource,
  { column, target, document }: { column: string; target: number; document: number },
): Promise<boolean> {
  const targets = sql`(select ${target}::int as document) as target`
  const [row] = await trx.rows(
    compileTemplate(sql`select ${leadsBackSql(resource, column, targets, sql`${document}`)}`),
  )
  return row?.[0] === true
}

const targetsOfChange = (change: LinkChange): LinkTarget[] =>
  'set' in change ? change.set : [...change.connect, ...change.disconnect]

/**
 * One exists-check for each unique value (contract §4):
 * other documents, within one language for localized fields.
 */
function takenValuesSql({ resource, unique, document = sql`0`, locale }: WriteQuestions): Sql[] {
  return Object.entries(unique).flatMap(([name, value]) => {
    const field = resource.fields[name]
    if (!field || !isScalar(field)) return []
    const column = sql.ref(name)
    const equalSql = field.caseInsensitive
      ? sql`fold_case(${column}) = fold_case(${value}::text)`
      : sql`${column} = ${value}`
    const otherEntriesSql = field.localized
      ? sql`${sql.table(textTable(resource))} where locale = ${locale} and document_id <> ${document}`
      : sql`${sql.table(documentTable(resource))} where id <> ${document}`
    return [sql`select ${sql.lit(name)} as field where exists (select 1 from ${otherEntriesSql} and ${equalSql})`]
  })
}

function slugsSql({ resource, slugs, locale }: WriteQuestions): Sql[] {
  return slugs.map(({ name, base, localized }) => {
    const table = sql.table(localized ? textTable(resource) : documentTable(resource))
    const family = localized ? sql` and locale = ${locale}` : sql``
    return sql`(select json_agg(${sql.ref(name)}) from ${table} where (${sql.ref(name)} = ${base} or ${sql.ref(name)} like ${`${base}-%`})${family})`
  })
}

/**
 * Answers all database questions of a write in one statement; none runs without a question. Link targets stay
 * locked against deletion until the transaction ends.
 */
export async function loadWriteContext(trx: Transaction, question: WriteQuestions): Promise<WriteFindings> {
  const { resource, links, targetColumns, unchangedTargets, document, family, reader } = question
  const context = reader && new QueryContext(reader)
  const aliases = new Aliases(trx)
  const parts: Sql[] = []
  const columns: Sql[] = []
  const readers: ((value: unknown, answerSet: Answers) => void)[] = []
  const ask = (column: Sql, readValue: (value: unknown, answerSet: Answers) => void) => {
    columns.push(column)
    readers.push(readValue)
  }

  const askTargets = (name: string, source: Sql) => {
    const alias = sql.ref(`link${parts.length}`)
    parts.push(sql`${alias} as materialized (${source})`)
    ask(sql`(select json_agg(json_build_array(key, document, details)) from ${alias})`, (value, foundAnswers) => {
      for (const [key, id, targetDetails] of listOf<[string, number, Record<string, unknown>]>(value)) {
        if (key !== unchangedKey) mapOf(foundAnswers.targets, name).set(key, id)
        mapOf(foundAnswers.targetValues, name).set(id, targetDetails)
      }
    })
    return alias
  }
  for (const [name, change] of Object.entries(links)) {
    const attribute = linkOf(resource, name)
    const linkTargets = targetsOfChange(change)
    if (linkTargets.length > 0) {
      const lookup = {
        targetColumns: targetColumns[name] ?? [],
        lock: lockOf(attribute, resource),
        scopeCondition:
          context && !question.checkedLinks?.includes(name)
            ? readableTargetsSql(attribute, question, context, aliases)
            : () => sql``,
        aliases,
      }
      const targets = askTargets(name, targetsSql(attribute, linkTargets, lookup))
      if (attribute.place.in === 'column' && attribute.target.name === resource.name && document) {
        ask(leadsBackSql(resource, attribute.place.column, targets, document), (value, foundAnswers) => {
          if (value === true) foundAnswers.cycles.add(name)
        })
      }
    }
    if (attribute.place.in === 'table' && document) {
      const { table, ownColumn, otherColumn, position } = attribute.place
      ask(
        sql`(select json_agg(${sql.ref(otherColumn)} order by ${sql.ref(position)}, ${sql.ref(otherColumn)}) from ${sql.table(table)} where ${sql.ref(ownColumn)} = ${document})`,
        (value, foundAnswers) => foundAnswers.lists.set(name, listOf<number>(value)),
      )
    }
  }
  for (const [name, id] of Object.entries(unchangedTargets)) {
    const { target } = linkOf(resource, name)
    const unchangedSql = sql`select ${unchangedKey}::text as key, d.id as document, ${targetValuesSql(target, targetColumns[name] ?? [])} as details from ${sql.table(documentTable(target))} d where d.id = ${id}${name === question.lockedLink ? sql` order by d.id for update` : sql``}`
    askTargets(name, unchangedSql)
  }
  const takenParts = takenValuesSql(question)
  if (takenParts.length > 0) {
    ask(
      sql`(select json_agg(field) from (${sql.join(takenParts, sql` union all `)}) as checked)`,
      (value, foundAnswers) => {
        for (const name of listOf<string>(value)) foundAnswers.takenFields.add(name)
      },
    )
  }
  for (const [index, slugSql] of slugsSql(question).entries()) {
    ask(slugSql, (value, foundAnswers) =>
      foundAnswers.slugs.set(question.slugs[index]?.name ?? '', new Set(listOf<string>(value))),
    )
  }
  if (family) {
    ask(
      sql`(select json_agg(json_build_array(locale, id) order by locale) from ${sql.table(textTable(resource))} where document_id = ${document})`,
      (value, foundAnswers) => {
        for (const [locale, id] of listOf<[Locale, number]>(value)) foundAnswers.family.set(locale, id)
      },
    )
  }

  if (question.ids) {
    ask(
      nextIdSql(documentTable(resource)),
      (value, foundAnswers) => (foundAnswers.ids = { document: Number(value), entry: Number(value) }),
    )
    if (resource.localized) {
      ask(nextIdSql(textTable(resource)), (value, foundAnswers) => {
        if (foundAnswers.ids) foundAnswers.ids.entry = Number(value)
      })
    }
  }

  const answers = emptyAnswers()
  if (columns.length === 0) return answers
  const sharedPrefix = parts.length > 0 ? sql`with ${sql.join(parts)} ` : sql``
  const { sql: statement, parameters } = compileTemplate(sql`${sharedPrefix}select ${sql.join(columns)}`)
  const [row] = await trx.rows({ sql: statement, parameters: fillSlots(parameters, context?.values ?? []) })
  for (const [index, readValue] of readers.entries()) readValue(row?.[index], answers)
  return answers
}

interface Answers {
  targets: Map<string, Map<string, number>>
  targetValues: Map<string, Map<number, Readonly<Record<string, unknown>>>>
  lists: Map<string, readonly number[]>
  cycles: Set<string>
  takenFields: Set<string>
  slugs: Map<string, ReadonlySet<string>>
  family: Map<Locale, number>
  ids: NewIds | undefined
}

const emptyAnswers = (): Answers => ({
  targets: new Map(),
  targetValues: new Map(),
  lists: new Map(),
  cycles: new Set(),
  takenFields: new Set(),
  slugs: new Map(),
  family: new Map(),
  ids: undefined,
})

const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])

/** Returns the inner map of a name in a map of maps, and adds a missing one. */
function mapOf<K, V>(maps: Map<string, Map<K, V>>, name: string): Map<K, V> {
  const existingMap = maps.get(name)
  if (existingMap) return existingMap
  const groupedValues = new Map<K, V>()
  maps.set(name, groupedValues)
  return groupedValues
}

const nextIdSql = (table: string): Sql => sql`nextval(pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id'))`
