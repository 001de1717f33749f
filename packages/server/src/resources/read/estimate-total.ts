/** Estimates the totals of long lists from a sample of their table instead of counting (decision 33). */
import { LRUCache } from 'lru-cache'
import type { Database, Queries } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import { resourceNamed } from '../attributes.ts'
import { alternativesOf, searchesTexts } from './compile-condition.ts'
import { matchingIds, sampleSql } from './compile-read.ts'
import { readPublishedVersion } from './published.ts'
import type { ReadQuery, ReadShape } from './query.ts'
import { fillSlots } from './slots.ts'

/**
 * Numbers of rows up to which lists are counted: a search in the texts of a row takes up to 14 µs, other
 * conditions below 1 µs.
 */
const countedRows = { texts: 20_000, others: 200_000 }
/** The approximate size of a sample; smaller where all texts of a row are searched. */
const sampledRows = { searched: 2_500, others: 8_000 }
/**
 * The minimum number of matches in a sample for an estimate; its error is at most 20 % in two of three cases.
 */
const minSampleMatches = 25
/** The maximum milliseconds for counting a rare text, of which the sample has too few matches. */
const longestCount = 1_000
/** Milliseconds until the sizes of tables are read again. */
const sizesCachedFor = 60_000

/** The approximate number of rows of each table, read once a minute for all tables. */
export class TableSizes {
  #sizes: ReadonlyMap<string, number> = new Map()
  #readAt = Number.NEGATIVE_INFINITY

  /**
   * Reads the approximate sizes of the database's tables.
   *
   * @param database - The database with the tables.
   */
  async load(database: Pick<Database, 'query'>): Promise<void> {
    const rows = await database.query(sql<{ name: string; size: number }>`
      select relname as name, (case when reltuples > 0 and relpages > 0
          then reltuples / relpages * (pg_relation_size(oid) / current_setting('block_size')::int)
          else pg_relation_size(oid) / 1024 end)::int as size
        from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`)
    this.#sizes = new Map(rows.map(({ name, size }) => [name, size]))
    this.#readAt = performance.now()
  }

  /**
   * Returns the size of a table.
   *
   * @param database - The database with the tables.
   * @param table - The name of a table.
   * @returns Its approximate number of rows.
   */
  async of(database: Pick<Database, 'query'>, table: string): Promise<number> {
    if (performance.now() - this.#readAt > sizesCachedFor) await this.load(database)
    return this.#sizes.get(table) ?? 0
  }
}

/** Returns the table that has the rows of a list. */
function tableOf({ resource: name }: ReadShape): string {
  const resource = resourceNamed(name)
  return resource.localized ? textTable(resource) : documentTable(resource)
}

/** Size of a list that is too long to be counted. */
export interface LongList {
  /** Approximate number of rows in the list's table, in all languages. */
  size: number
  /** Approximate number of rows that the list's condition is checked for. */
  checkedRows: number
}

/**
 * Decides whether counting a list would cost too much.
 *
 * @param database - The database that is read.
 * @param sizes - The sizes of its tables.
 * @param query - The query of the list.
 * @returns The length of the list when its total is to be estimated; undefined when it is to be counted.
 */
export async function sizeOfLong(
  database: Database,
  sizes: TableSizes,
  { shape }: ReadQuery,
): Promise<LongList | undefined> {
  const size = await sizes.of(database, tableOf(shape))
  // A language has at most as many rows in a list as there are documents.
  const documents = await sizes.of(database, documentTable(resourceNamed(shape.resource)))
  const checkedRows = shape.entries === 'locale' ? Math.min(size, documents) : size
  const maxCountedRows = shape.where && searchesTexts(shape.where) ? countedRows.texts : countedRows.others
  return checkedRows > maxCountedRows ? { size, checkedRows } : undefined
}

const compiledCounts = new LRUCache<string, ReturnType<typeof compileTemplate>>({ max: 300 })

/** Runs a statement that returns numbers in one row, made from the shape of a list without its page. */
async function numbersOf(
  runner: Pick<Queries, 'rows' | 'parts'>,
  { shape, values }: ReadQuery,
  name: string,
  makeCount: (shape: ReadShape, runner: Pick<Queries, 'parts'>) => Template<unknown>,
): Promise<number[]> {
  const { limit: _limit, offset: _offset, ...unpagedShape } = shape
  const bareShape: ReadShape = { ...unpagedShape, sort: [], selection: { fields: [], populate: [] } }
  const key = `${name}${JSON.stringify(bareShape)}`
  const statement =
    compiledCounts.get(key) ?? compileTemplate(readPublishedVersion(makeCount(bareShape, runner), shape.published))
  compiledCounts.set(key, statement)
  const [row] = await runner.rows({
    sql: statement.sql,
    parameters: fillSlots(statement.parameters, values),
    mustReplan: true,
  })
  return (row ?? []).map(Number)
}

const countSql = (shape: ReadShape, runner: Pick<Queries, 'parts'>) =>
  sql`select count(*)::int from (${matchingIds(shape, runner)}) as c`

/** An estimated total, and whether the sample has enough matches for it to be reliable. */
export interface Estimate {
  total: number
  isReliable: boolean
}

/**
 * Estimates the total of a list from the rows of some pages of the table, always the same pages.
 *
 * @param database - The database that is read.
 * @param query - The query of the list.
 * @param list - The length of the list.
 * @returns The estimate, with two significant digits.
 */
export async function estimateTotal(
  database: Database,
  query: ReadQuery,
  { size, checkedRows }: LongList,
): Promise<Estimate> {
  // The sample of a table includes rows of other languages, which cost next to nothing.
  const isSearched = alternativesOf(query.shape.where).length > 1
  const rows = sampledRows[isSearched ? 'searched' : 'others'] * Math.min(4, Math.round(size / checkedRows))
  const [matchedCount = 0, sampledCount = 0] = await numbersOf(database, query, String(rows), (shape, runner) =>
    sampleSql(shape, rows, runner),
  )
  const total = sampledCount > 0 ? (matchedCount / sampledCount) * size : 0
  return { total: Number(total.toPrecision(2)), isReliable: matchedCount >= minSampleMatches }
}

/**
 * Counts matches of a list that are too rare in a sample, for at most a second.
 *
 * @param database - The database that is read.
 * @param query - The query of the list.
 * @returns The exact total; undefined when the time was too short.
 */
export async function countBriefly(database: Database, query: ReadQuery): Promise<number | undefined> {
  try {
    return await database.transaction(async (trx) => {
      await trx.rows({ sql: `set local statement_timeout = ${longestCount}`, parameters: [] })
      const [total] = await numbersOf(trx, query, 'count', countSql)
      return total
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '57014') return undefined
    throw error
  }
}

/**
 * Adjusts an estimated total to its page: a page that is not full ends the list, and after a full page
 * another one may follow, so that every page can be reached.
 *
 * @param query - The query of the page.
 * @param shownCount - The number of entries on the page.
 * @param estimate - The estimated total.
 * @returns The total of the answer, and whether it is exact.
 */
export function applyTotal(
  { shape, values }: ReadQuery,
  shownCount: number,
  estimate: number,
): { total: number; isExact: boolean } {
  const start = shape.offset === undefined ? 0 : Number(values[shape.offset])
  const isFull = shownCount === shape.limit
  if (isFull) return { total: Math.max(estimate, start + shownCount + 1), isExact: false }
  if (shownCount > 0 || start === 0) return { total: start + shownCount, isExact: true }
  return { total: Math.min(estimate, start), isExact: false }
}
