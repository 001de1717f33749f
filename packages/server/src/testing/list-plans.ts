/**
 * Reads the query plan of every list in every order that it offers, over tables filled by the database itself
 * (decision 31).
 */
import { type Caller, isToOne, type Resource } from '@dala/model'
import type { Database } from '../db/database.ts'
import { documentTable, sortedFields, tablesOf } from '../db/schema.ts'
import { type Column, quoteName, type Table } from '../db/schema-parts.ts'
import { compileRead } from '../resources/read/compile-read.ts'
import { resources } from '../resources/attributes.ts'
import { parseList } from '../resources/read/parse-query.ts'
import { type PlanNode, readPlan } from './query-plan.ts'

/** Maximum rows that a sort or a scan may process for one page. */
const maxRowsRead = 1_000

/** A list in one order, and the steps of its plan that process too many rows. */
export interface PlanFinding {
  query: string
  fault: string
}

/** Returns the lists that may be long: those with an index for an order. */
const longLists = (): Resource[] =>
  Object.values(resources).filter((resource) => resource.list !== undefined && ordersOf(resource).length > 2)

/** Returns the sorts through the to-one links that a list shows, to records without languages. */
function linkedOrders({ fields, list }: Resource): string[] {
  return (list?.columns ?? []).flatMap((name) => {
    const field = fields[name]
    if (!field || !isToOne(field) || field.onDelete === 'keep') return []
    const target = resources[field.target]
    const isPlain =
      target &&
      !target.localized &&
      sortedFields(target, false, resources).some(([sortName]) => sortName === target.title)
    return isPlain ? [`${name}.${target.title}`] : []
  })
}

/** Returns the fields of a list with an index for their order, besides id and the moment of creation. */
function ordersOf(resource: Resource): string[] {
  const fields = [false, true].flatMap((localized) => sortedFields(resource, localized, resources))
  const names = fields.map(([name]) => name)
  const changes = resource.screens && !resource.appendOnly ? ['updatedAt'] : []
  return names.length > 0 ? ['id', 'createdAt', ...changes, ...names, ...linkedOrders(resource)] : []
}

/** Returns filters with which the lists of the panel and of clients begin. */
function filtersOf({ localized, fields }: Resource): string[] {
  const languages = localized ? ['locale=en', 'locale=ru&fallback=true'] : ['']
  const activeFilters = fields.active ? ['', '&active=true'] : ['']
  return languages.flatMap((language) => activeFilters.map((filter) => `${language}${filter}`))
}

/** SQL of a valid value of a column, different in most rows. */
function anyValueSql({ type, checkSql = '', references }: Column, rows: number): string {
  const values = [...checkSql.matchAll(/'([^']+)'/g)].map(([, value]) => `'${value}'`)
  if (values.length > 0) return `(array[${values.join(', ')}])[1 + n % ${values.length}]`
  if (type === 'boolean') return 'n % 10 <> 0'
  if (type === 'date') return `date '2000-01-01' + n`
  if (type.startsWith('timestamptz')) return `timestamptz '2020-01-01' + n * interval '1 minute'`
  if (type === 'jsonb') return `'{}'::jsonb`
  if (type !== 'integer' && !type.startsWith('numeric')) return `left(md5(n::text), ${/\d+/.exec(type)?.[0] ?? 255})`
  // The multiplier of the links is a prime number, so that each record is linked once.
  if (references) return `1 + n * 7919::bigint % ${rows}`
  const maxRows = Number(/<= (\d+)/.exec(checkSql)?.[1] ?? 0)
  return maxRows > 0 ? `1 + n % ${maxRows}` : 'n * 7919::bigint % 1000003'
}

/**
 * SQL of a column in the n-th row of a filled table: half of the rows have its default, and one in five is
 * empty where allowed.
 */
function valueSql(column: Column, isUnique: boolean, rows: number): string {
  const value = anyValueSql(column, rows)
  if (isUnique) return value
  if (column.defaultSql !== undefined) return `case when n % 2 = 0 then ${column.defaultSql} else ${value} end`
  return column.isRequired ? value : `case when n % 5 <> 0 then ${value} end`
}

/** SQL that fills a table with rows 1 to `rows`; texts in one language, every third in a second one. */
function fillSql({ name, columns, indexes }: Table, rows: number): string {
  const isText = columns.some((column) => column.name === 'locale') && name.endsWith('_texts')
  const uniqueParts = indexes.flatMap((index) => (index.isUnique ? index.parts : []))
  const ownColumns = columns.filter(
    (column) => !column.generatedFrom && !(isText && ['id', 'document_id', 'locale'].includes(column.name)),
  )
  const names = ownColumns.map((column) => quoteName(column.name))
  const values = ownColumns.map((column) =>
    column.name === 'id'
      ? 'n'
      : valueSql(
          column,
          uniqueParts.some((uniquePart) => uniquePart.includes(quoteName(column.name))),
          rows,
        ),
  )
  const insertRows = (condition: string, extraColumns: [string, string][]) =>
    `insert into ${quoteName(name)} (${[...extraColumns.map(([key]) => key), ...names].join(', ')})
       select ${[...extraColumns.map(([, value]) => value), ...values].join(', ')} from generate_series(1, ${rows}) n where ${condition};`
  if (!isText) return insertRows('true', [])
  return (
    insertRows('true', [
      ['document_id', 'n'],
      ['locale', `'en'`],
    ]) +
    insertRows('n % 3 = 0', [
      ['document_id', 'n'],
      ['locale', `'ru'`],
    ])
  )
}

/**
 * Fills the tables of all long lists.
 *
 * @param database - A migrated database without rows. Its trigram indexes are dropped: no order needs them.
 * @param rows - Number of rows of each table.
 */
export async function fillLists(database: Database, rows: number): Promise<void> {
  const names = new Set(longLists().map(documentTable))
  const tables = tablesOf(resources).filter(({ name }) => names.has(name) || names.has(name.replace(/_texts$/, '')))
  const groups = tables.flatMap(({ indexes }) => indexes.filter(({ indexKind }) => indexKind === 'gin'))
  await database.session(async (session) => {
    await session.script(`set statement_timeout = 0; set session_replication_role = replica`)
    for (const { name } of groups) await session.script(`drop index ${quoteName(name)}`)
    for (const table of tables) await session.script(fillSql(table, rows))
    await session.script('vacuum analyze')
    await session.script('set session_replication_role = origin; set statement_timeout = 5000')
  })
}

/** Returns the steps of a query plan that process too many rows. */
function faultsOf(node: PlanNode): string[] {
  const faultsBelow = (node.Plans ?? []).flatMap(faultsOf)
  const type = node['Node Type']
  const rows = (planNode: PlanNode) =>
    (planNode['Actual Rows'] + (planNode['Rows Removed by Filter'] ?? 0)) * planNode['Actual Loops']
  if (type === 'Seq Scan' && rows(node) > maxRowsRead)
    return [...faultsBelow, `scans ${rows(node)} rows of ${node['Relation Name'] ?? '?'}`]
  const [input] = node.Plans ?? []
  if (type === 'Sort' && input && rows(input) > maxRowsRead) return [...faultsBelow, `sorts ${rows(input)} rows`]
  return faultsBelow
}

/** Caller who sees all rows of the lists: filters that narrow a list for others have indexes of their own. */
const caller: Caller = { id: 1, role: 'owner', isConsultant: false, language: 'en', sessionId: 'plans' }

interface ListReading {
  /** Names of the resources whose lists are checked; all when absent. */
  onlyColumns?: readonly string[]
  /** Whether the tables are so small that a scan is cheap: it is accepted where no index has the order. */
  isSmall?: true
}

/**
 * Reads the plan of the first page of each long list in each of its orders, under each filter that lists
 * begin with.
 *
 * @param database - A database that `fillLists` has filled.
 * @param reading - The resources to check, and whether the tables are small.
 * @returns Number of plans, and those that process too many rows.
 */
export async function readListPlans(
  database: Database,
  { onlyColumns, isSmall }: ListReading = {},
): Promise<{ plans: number; findings: PlanFinding[] }> {
  const findings: PlanFinding[] = []
  const queries = longLists()
    .filter(({ name }) => !onlyColumns || onlyColumns.includes(name))
    .flatMap((resource) =>
      filtersOf(resource).flatMap((filter) =>
        ordersOf(resource).flatMap((name) => [name, `${name}:desc`].map((sort) => ({ resource, filter, sort }))),
      ),
    )
  await database.transaction(async (trx) => {
    if (isSmall) await trx.rows({ sql: 'set local enable_seqscan = off', parameters: [] })
    for (const { resource, filter, sort } of queries) {
      const { active, ...language } = Object.fromEntries(new URLSearchParams(filter))
      const tree = { ...language, ...(active && { filters: { active } }), sort, fields: 'id' }
      const query = parseList(tree, resource, caller, {})
      const { sql, parameters } = compileRead({ ...query.shape, count: false }, trx)
      const faults = faultsOf(await readPlan(trx, { sql, parameters: parameters(query.values) }))
      findings.push(...faults.map((fault) => ({ query: `${resource.name}?${filter}&sort=${sort}`, fault })))
    }
  })
  return { plans: queries.length, findings }
}
