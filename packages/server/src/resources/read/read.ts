/** Runs reads: one statement each. Exact totals are cached until something they depend on changes. */
import {
  type Caller,
  type OffsetPagination,
  pageCountOf,
  type PagePagination,
  type Resource,
  type WireEntry,
} from '@dala/model'
import { LRUCache } from 'lru-cache'
import { type Database, type Queries, rowsOf, type Transaction } from '../../db/database.ts'
import type { SentRow } from '../../db/sent-row.ts'
import { budgetFault } from './answer-budget.ts'
import { resourceNamed } from '../attributes.ts'
import { alternativesOf, hasKey, searchesTexts } from './compile-condition.ts'
import { type CompiledRead, compileRead } from './compile-read.ts'
import { countBriefly, estimateTotal, type LongList, applyTotal, sizeOfLong, TableSizes } from './estimate-total.ts'
import { JsonBytes } from './json-bytes.ts'
import { parseSingleQuery } from './parse-query.ts'
import type { Condition, Pagination, ReadQuery, ReadShape } from './query.ts'
import type { FlatEntry } from './read-rows.ts'

/** A connection for reads: the database, or an open transaction. */
export type Runner = Pick<Queries, 'calendar' | 'parts' | 'rows' | 'forEachRow'>

/** Milliseconds after which a cached total expires, in case the notification of a change was lost. */
const maxCountAge = 60_000

/**
 * A cache of exact totals by query, valid until one of the resources they depend on changes (decision 5). The
 * key contains a counter for each of these resources, read before the statement runs. A total counted while a
 * write commits is stored under the old counters and never read again.
 */
export class TotalsCache {
  readonly #counters = new Map<string, number>()
  readonly #totals = new LRUCache<string, CountedTotal & { countedAt: number }>({ max: 5_000 })
  readonly #counting = new Map<string, Promise<CountedTotal | undefined>>()
  #epoch = 0
  /** Sizes of tables, which decide whether the total of a list is counted or estimated. */
  readonly sizes = new TableSizes()

  /** Invalidates totals after a change; `'all'` when changes may have been missed. */
  forget(names: ReadonlySet<string> | 'all'): void {
    if (names === 'all') this.#epoch += 1
    else for (const name of names) this.#counters.set(name, (this.#counters.get(name) ?? 0) + 1)
  }

  /**
   * Returns the cache key of a list's total.
   *
   * @param query - The query of a list.
   * @param countedSubject - `values` for counts that depend on more than the number of rows.
   * @returns The cache key of its total, which differs after each change that the total may depend on.
   */
  keyOf({ totalKey, dependsOn, shape }: ReadQuery, countedSubject: 'total' | 'values' = 'total'): string {
    const { where, scope, missing, outdated } = shape
    // The number of a list's records in a language changes only with their number, not when one of them is
    // edited.
    const isWhole = countedSubject === 'total' && !where && !scope && !missing && !outdated
    const counters = [...dependsOn].map((name) => this.#counters.get(isWhole ? rowsOf(name) : name) ?? 0)
    return `${this.#epoch}/${counters.join('.')}/${totalKey}`
  }
  get(key: string): CountedTotal | undefined {
    const countedTotal = this.#totals.get(key)
    return countedTotal && performance.now() - countedTotal.countedAt < maxCountAge ? countedTotal : undefined
  }
  set(key: string, newTotal: CountedTotal): void {
    this.#totals.set(key, { ...newTotal, countedAt: performance.now() })
  }

  /**
   * Counts a total once for concurrent callers: the others wait for the first, even if it fails.
   *
   * @param key - The key of the total.
   * @param count - Counts and returns its result.
   * @returns The result of `count` for the first caller; for
   *   the others the total, or undefined when there is none.
   */
  async once<T extends Partial<CountedTotal>>(
    key: string,
    count: () => Promise<T>,
  ): Promise<{ result: T } | { counted: CountedTotal | undefined }> {
    const cachedTotal = this.get(key)
    if (cachedTotal) return { counted: cachedTotal }
    const runningCount = this.#counting.get(key)
    if (runningCount) return { counted: await runningCount }
    const countingCall = count()
    this.#counting.set(
      key,
      countingCall.then(toCountedTotal, () => undefined),
    )
    try {
      const result = await countingCall
      const countedTotal = toCountedTotal(result)
      if (countedTotal) this.set(key, countedTotal)
      return { result }
    } finally {
      this.#counting.delete(key)
    }
  }
}

/** Total of a list, and the approximate number of rows of the table where the query searches texts. */
interface CountedTotal {
  total: number
  size?: number
  isEstimate?: true
}
const toCountedTotal = ({ total, size, isEstimate }: Partial<CountedTotal>): CountedTotal | undefined =>
  total === undefined ? undefined : { total, ...(size !== undefined && { size }), ...(isEstimate && { isEstimate }) }

/** Number of rows that an index of letter groups finds for each match, because it ignores their order. */
const maxFoundPerMatch = 10

/** Tells whether an index of letter groups finds candidates. */
const isIndexed = (readCondition: Condition | undefined): boolean =>
  readCondition !== undefined && (hasKey(readCondition) || alternativesOf(readCondition).length > 1)

/**
 * Whether so many rows match that walking the list reaches the end of the page sooner than looking up all
 * matches in an index.
 */
function isCommon({ shape, values }: ReadQuery, { total, size = 0 }: CountedTotal): boolean {
  const end = (shape.limit ?? 0) + (shape.offset === undefined ? 0 : Number(values[shape.offset]))
  return size > 0 && total > 0 && (end * size) / total <= (isIndexed(shape.where) ? total * maxFoundPerMatch : size)
}

/** Text around the entries of an answer; the entries of a list are separated by commas. */
interface Frame {
  head: Uint8Array
  tail: Uint8Array
}
const [noBytes, comma] = [Buffer.from(''), Buffer.from(',')]
const arrayFrame: Frame = { head: Buffer.from('['), tail: Buffer.from(']') }
const listFrame: Frame = { head: Buffer.from('{"data":['), tail: Buffer.from('],"meta":') }
const recordFrame: Frame = { head: Buffer.from('{"data":'), tail: Buffer.from(',"meta":{}}') }
const flatFrame: Frame = { head: noBytes, tail: noBytes }

/** Approximate length of a statement's answers: the length of its last answer. */
const lengths = new WeakMap<CompiledRead, number>()
const usualLength = 4_096
/** Bytes reserved for the pagination, and for an answer that is a little longer than the last one. */
const spareLength = 512

/** The changes to a shape that the query itself leaves open: whether to count, and the plan. */
interface Change {
  count: boolean
  hasManyMatches?: true
}
/**
 * Compiled forms of a shape that is used again; finding them by their text takes longer than running them.
 */
const compiledForms = new WeakMap<ReadShape, Map<string, CompiledRead>>()

function compileCached(shape: ReadShape, change: Change, runner: Runner): CompiledRead {
  const forms = compiledForms.get(shape) ?? new Map<string, CompiledRead>()
  compiledForms.set(shape, forms)
  const form = `${change.count}/${change.hasManyMatches}`
  const compiledRead = forms.get(form) ?? compileRead({ ...shape, ...change }, runner)
  forms.set(form, compiledRead)
  return compiledRead
}

/**
 * Result of a list's statement: the JSON of its entries in their frame, their number, and the additional
 * counts.
 */
interface FoundPage {
  out: JsonBytes
  entries: number
  countedTotal: CountedTotal | undefined
}

async function run(runner: Runner, query: ReadQuery, change: Change, { head, tail }: Frame): Promise<FoundPage> {
  const compiledRead = compileCached(query.shape, change, runner)
  const { sql, parameters, mustReplan, counts, writeEntry } = compiledRead
  const out = new JsonBytes(lengths.get(compiledRead) ?? usualLength)
  out.bytes(head)
  let countedTotal: CountedTotal | undefined
  let entries = 0
  const takeSentRow = (row: SentRow) => {
    if (counts > 0) countedTotal ??= { total: Number(row.text(0)), ...(counts > 1 && { size: Number(row.text(1)) }) }
    if (row.isNull(counts)) return
    if (entries > 0) out.bytes(comma)
    writeEntry(out, row, counts)
    entries += 1
  }
  try {
    await runner.forEachRow({ sql, parameters: parameters(query.values), mustReplan: mustReplan }, takeSentRow)
  } catch (error) {
    throw budgetFault(error) ?? error
  }
  out.bytes(tail)
  lengths.set(compiledRead, Math.max(out.length, usualLength) + spareLength)
  return { out, entries, countedTotal }
}

/** A list of records as bytes: the JSON of its records in their frame. */
interface ListBytes {
  out: JsonBytes
  pagination: PagePagination | OffsetPagination
  total: number | undefined
}
export interface ListResult extends Omit<ListBytes, 'out'> {
  entries: (WireEntry | FlatEntry)[]
}

/** A page of a list, and the total if the statement counted or estimated it. */
type CountedPage = Pick<FoundPage, 'out' | 'entries'> & Partial<CountedTotal>

/** Reads a page of a list and counts all matches in the same statement. */
async function readAndCount(database: Database, query: ReadQuery, frame: Frame): Promise<CountedPage> {
  const { countedTotal, ...page } = await run(database, query, { count: true }, frame)
  return { ...page, ...countedTotal }
}

/** Reads a page of a list whose total is known. */
const readCountedPage = (
  database: Database,
  query: ReadQuery,
  frame: Frame,
  totalCounts?: CountedTotal,
): Promise<FoundPage> =>
  run(
    database,
    query,
    { count: false, ...(totalCounts && isCommon(query, totalCounts) && { hasManyMatches: true }) },
    frame,
  )

/**
 * Reads a page of a list that is too long to be counted: first an estimate of its total, then the page, then
 * an exact count when an estimate has too few matches and the page is full.
 */
async function readLongList(database: Database, query: ReadQuery, frame: Frame, list: LongList): Promise<CountedPage> {
  const { size } = list
  const { total, isReliable } = await estimateTotal(database, query, list)
  const { where } = query.shape
  const sizeOptions = where && searchesTexts(where) ? { size } : {}
  // Neighbouring rows are alike, so a small estimate may be far too high; an existing index is used instead.
  const isTrusted = isReliable || !isIndexed(where)
  const { out, entries } = await readCountedPage(
    database,
    query,
    frame,
    isTrusted ? { total, ...sizeOptions } : undefined,
  )
  const settledTotal = applyTotal(query, entries, total)
  if (settledTotal.isExact) return { out, entries, total: settledTotal.total, ...sizeOptions }
  const countedTotal = isReliable ? undefined : await countBriefly(database, query)
  if (countedTotal !== undefined) return { out, entries, total: countedTotal, ...sizeOptions }
  return { out, entries, total, ...sizeOptions, isEstimate: true }
}

/** Runs the statement of a list; an estimated total takes further statements. */
async function findList(database: Database, totals: TotalsCache, query: ReadQuery, frame: Frame): Promise<ListBytes> {
  const answer = (out: JsonBytes, total?: number, isEstimate = false): ListBytes => ({
    out,
    total,
    pagination: { ...presentPagination(query.pagination, total), ...(isEstimate && { estimated: true }) },
  })
  if (!query.pagination.withCount) return answer((await readCountedPage(database, query, frame)).out)
  // Nearly every write adds rows to append-only resources: notifying of each would cost more than counting at
  // each read.
  if (resourceNamed(query.shape.resource).appendOnly) {
    const { out, total } = await readAndCount(database, query, frame)
    return answer(out, total)
  }
  const key = totals.keyOf(query)
  const countOrEstimate = async (): Promise<CountedPage> => {
    const list = await sizeOfLong(database, totals.sizes, query)
    return list ? readLongList(database, query, frame, list) : readAndCount(database, query, frame)
  }
  const foundTotal = await totals.once(key, countOrEstimate)
  const knownTotal = 'result' in foundTotal ? undefined : foundTotal.counted
  const page: CountedPage =
    'result' in foundTotal
      ? foundTotal.result
      : knownTotal
        ? { ...(await readCountedPage(database, query, frame, knownTotal)), ...knownTotal }
        : await countOrEstimate()
  if (page.total === undefined || !page.isEstimate) return answer(page.out, page.total)
  const { total, isExact } = applyTotal(query, page.entries, page.total)
  if (isExact) totals.set(key, { total, ...(page.size !== undefined && { size: page.size }) })
  return answer(page.out, total, !isExact)
}

/**
 * Runs a list, in one statement unless its total is estimated.
 *
 * @returns The JSON of the answer, in the requested form of pagination.
 */
export async function readListBody(database: Database, totals: TotalsCache, query: ReadQuery): Promise<Buffer> {
  const { out, pagination } = await findList(database, totals, query, listFrame)
  out.json(`${JSON.stringify({ pagination })}}`)
  return out.written
}

/** Runs a list like `readListBody`, but returns entries as objects. */
export async function readList(database: Database, totals: TotalsCache, query: ReadQuery): Promise<ListResult> {
  const { out, ...list } = await findList(database, totals, query, arrayFrame)
  return { ...list, entries: entriesOf(out) }
}

/**
 * Counts all matches of a query, for answers that consist of the number alone.
 *
 * @param database - The database that is read.
 * @param totals - The cache of totals.
 * @param query - The query of a list.
 * @returns The exact total, however long counting takes.
 */
export async function readTotal(database: Database, totals: TotalsCache, query: ReadQuery): Promise<number> {
  const key = totals.keyOf(query)
  const cachedTotal = totals.get(key)
  if (cachedTotal && !cachedTotal.isEstimate) return cachedTotal.total
  const { total = 0, size } = await readAndCount(database, query, arrayFrame)
  totals.set(key, { total, ...(size !== undefined && { size }) })
  return total
}

/**
 * Reads one page of a list inside a transaction, so that successive pages see the same rows.
 *
 * @returns The entries, and the number of all matches when the query's own shape counts them.
 */
export async function readPage(
  runner: Runner,
  query: ReadQuery,
): Promise<{ entries: (WireEntry | FlatEntry)[]; total: number | undefined }> {
  const { out, countedTotal } = await run(runner, query, { count: query.shape.count }, arrayFrame)
  return { entries: entriesOf(out), total: query.shape.count ? (countedTotal?.total ?? 0) : undefined }
}

const entriesOf = (out: JsonBytes) => JSON.parse(out.written.toString()) as (WireEntry | FlatEntry)[]

/** Returns the pagination of an answer in one of the three shapes of contract §5. */
export function presentPagination(
  { form, page, pageSize, start, limit }: Pagination,
  total: number | undefined,
): PagePagination | OffsetPagination {
  if (form === 'offset') return { start, limit, ...(total !== undefined && { total }) }
  return { page, pageSize, ...(total !== undefined && { pageCount: pageCountOf(total, pageSize), total }) }
}

/**
 * Runs the query that reads one record.
 *
 * @param runner - The database, or an open transaction.
 * @param query - The query of the record.
 * @param isFlat - Whether the answer is the record itself, without the envelope of the wire.
 * @returns The JSON of the answer; undefined when the record does not exist within the caller's rows.
 */
export async function readOneBody(runner: Runner, query: ReadQuery, isFlat: boolean): Promise<Buffer | undefined> {
  const { out, entries } = await run(runner, query, { count: false }, isFlat ? flatFrame : recordFrame)
  return entries > 0 ? out.written : undefined
}

/** Reads one record like `readOneBody`, but returns an object. */
export async function readSingleRecord(runner: Runner, query: ReadQuery): Promise<WireEntry | FlatEntry | undefined> {
  const body = await readOneBody(runner, query, true)
  return body && (JSON.parse(body.toString()) as WireEntry | FlatEntry)
}

/** Returns the columns of a record, flat, for a caller who tried to change an older version. */
export async function readCurrentRecord(
  trx: Transaction,
  resource: Resource,
  id: number,
  caller: Caller,
): Promise<FlatEntry | undefined> {
  const entry = await readSingleRecord(trx, parseSingleQuery({}, resource, caller, {}, id))
  return entry && flattenEntry(entry)
}

/** Returns a record without the envelope of its attributes. */
export function flattenEntry(entry: WireEntry | FlatEntry): FlatEntry {
  return isWrapped(entry) ? { id: entry.id, ...entry.attributes } : entry
}

/** Returns records with the envelope of their attributes. */
export function wrapEntries(entries: readonly (WireEntry | FlatEntry)[]): WireEntry[] {
  return entries.map((entry) => {
    if (isWrapped(entry)) return entry
    throw new Error('These records have no envelope')
  })
}

/** Tells whether a record has the envelope of its attributes. */
export function isWrapped(entry: WireEntry | FlatEntry): entry is WireEntry {
  return typeof entry.attributes === 'object' && entry.attributes !== null
}
