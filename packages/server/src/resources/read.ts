/** Runs reads: one statement each, exact totals remembered until something they depend on changes. */
import { type Caller, pageCountOf, type Resource, type WireEntry } from '@dala/model'
import { LRUCache } from 'lru-cache'
import type { Database, Transaction } from '../db/database.ts'
import { budgetFault } from './answer-budget.ts'
import { resourceNamed } from './attributes.ts'
import { compileRead } from './compile-read.ts'
import { parseOne } from './parse-query.ts'
import type { Pagination, ReadQuery } from './query.ts'
import type { FlatEntry } from './read-rows.ts'

/** What a read can be sent to: the database, or an open transaction. */
export type Runner = Pick<Database, 'rows' | 'texts'> | Pick<Transaction, 'rows' | 'texts'>

/** Milliseconds that a total is believed, should the word of a change be lost. */
const longestKept = 60_000

/**
 * Exact totals by query, kept until one of the resources they depend on changes (architecture.md, decision 5).
 *
 * The key holds a counter for each of those resources, taken before the statement runs: a total counted while a
 * write commits is filed under the old counters and never read again.
 */
export class Totals {
  readonly #counters = new Map<string, number>()
  readonly #totals = new LRUCache<string, { total: number; countedAt: number }>({ max: 5_000 })
  #epoch = 0

  /** Takes note of a change; `'all'` when changes may have been missed. */
  forget(names: ReadonlySet<string> | 'all'): void {
    if (names === 'all') this.#epoch += 1
    else for (const name of names) this.#counters.set(name, (this.#counters.get(name) ?? 0) + 1)
  }
  keyOf({ totalKey, dependsOn }: ReadQuery): string {
    return `${this.#epoch}/${[...dependsOn].map((name) => this.#counters.get(name) ?? 0).join('.')}/${totalKey}`
  }
  get(key: string): number | undefined {
    const counted = this.#totals.get(key)
    return counted && performance.now() - counted.countedAt < longestKept ? counted.total : undefined
  }
  set(key: string, total: number): void {
    this.#totals.set(key, { total, countedAt: performance.now() })
  }
}

async function run(runner: Runner, query: ReadQuery, count: boolean) {
  const { sql, parameters, replan, write } = compileRead(
    count === query.shape.count ? query.shape : { ...query.shape, count },
  )
  try {
    return write(await runner.texts({ sql, parameters: parameters(query.values), replan }))
  } catch (error) {
    throw budgetFault(error) ?? error
  }
}

/** A list as it was found: the JSON text of each entry. */
interface ListText {
  entries: string[]
  pagination: Record<string, number>
  total: number | undefined
}
export interface ListResult extends Omit<ListText, 'entries'> {
  entries: (WireEntry | FlatEntry)[]
}

/** Runs a list in one statement. Out: entries as JSON texts, the pagination in the form that was asked for, the total. */
export async function readListText(database: Database, totals: Totals, query: ReadQuery): Promise<ListText> {
  const key = totals.keyOf(query)
  // Lines that nearly every write adds: telling of them each time would cost more than counting them when they are read.
  const remembers = query.pagination.withCount && !resourceNamed(query.shape.resource).appended
  const known = remembers ? totals.get(key) : undefined
  const { entries, total: counted } = await run(database, query, query.pagination.withCount && known === undefined)
  if (counted !== undefined && remembers) totals.set(key, counted)
  const total = counted ?? known
  return { entries, total, pagination: presentPagination(query.pagination, total) }
}

/** The same with entries to work on. */
export async function readList(database: Database, totals: Totals, query: ReadQuery): Promise<ListResult> {
  const { entries, ...list } = await readListText(database, totals, query)
  return { ...list, entries: entries.map(parseEntry) }
}

/**
 * One page of a list inside a transaction, so that pages after one another see the same rows. Out: its entries, and
 * all matches when the query's own shape counts them.
 */
export async function readPage(
  runner: Runner,
  query: ReadQuery,
): Promise<{ entries: (WireEntry | FlatEntry)[]; total: number | undefined }> {
  const { entries, total } = await run(runner, query, query.shape.count)
  return { entries: entries.map(parseEntry), total }
}

const parseEntry = (text: string) => JSON.parse(text) as WireEntry | FlatEntry

/** The three shapes of contract §5. */
export function presentPagination(
  { form, page, pageSize, start, limit }: Pagination,
  total: number | undefined,
): Record<string, number> {
  if (form === 'offset') return { start, limit, ...(total !== undefined && { total }) }
  return { page, pageSize, ...(total !== undefined && { pageCount: pageCountOf(total, pageSize), total }) }
}

/** Runs the read of one record. Out: its JSON text; undefined when it does not exist within the caller's rows. */
export async function readOneText(runner: Runner, query: ReadQuery): Promise<string | undefined> {
  const { entries } = await run(runner, query, false)
  return entries[0]
}

/** The same as an entry to work on. */
export async function readOne(runner: Runner, query: ReadQuery): Promise<WireEntry | FlatEntry | undefined> {
  const text = await readOneText(runner, query)
  return text === undefined ? undefined : parseEntry(text)
}

/** The columns of a record, flat, for somebody who tried to change an older version of it. */
export async function readCurrent(
  trx: Transaction,
  resource: Resource,
  id: number,
  caller: Caller,
): Promise<FlatEntry | undefined> {
  const entry = await readOne(trx, parseOne({}, resource, caller, {}, id))
  return entry && flatten(entry)
}

/** An entry without the envelope of its attributes. */
export function flatten(entry: WireEntry | FlatEntry): FlatEntry {
  return isWrapped(entry) ? { id: entry.id, ...entry.attributes } : entry
}

/** Whether an entry has the envelope of its attributes. */
export function isWrapped(entry: WireEntry | FlatEntry): entry is WireEntry {
  return typeof entry.attributes === 'object' && entry.attributes !== null
}
