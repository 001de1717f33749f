/** Runs reads: one statement each, exact totals remembered until something they depend on changes. */
import { type Caller, pageCountOf, type Resource, type WireEntry } from '@dala/model'
import { LRUCache } from 'lru-cache'
import type { Database, Transaction } from '../db/database.ts'
import type { View } from './attributes.ts'
import { compileRead } from './compile-read.ts'
import { parseOne } from './parse-query.ts'
import type { Pagination, ReadQuery } from './query.ts'
import type { FlatEntry } from './read-rows.ts'

type Runner = Pick<Database, 'rows'> | Pick<Transaction, 'rows'>

/**
 * Exact totals by query, kept until one of the resources they depend on changes (architecture.md, decision 5).
 *
 * The key holds a counter for each of those resources, taken before the statement runs: a total counted while a
 * write commits is filed under the old counters and never read again.
 */
export class Totals {
  readonly #counters = new Map<string, number>()
  readonly #totals = new LRUCache<string, number>({ max: 5_000 })
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
    return this.#totals.get(key)
  }
  set(key: string, total: number): void {
    this.#totals.set(key, total)
  }
}

async function run(runner: Runner, query: ReadQuery, count: boolean) {
  const statement = compileRead(count === query.shape.count ? query.shape : { ...query.shape, count })
  return statement.read(await runner.rows({ sql: statement.sql, parameters: statement.parameters(query.values) }))
}

export interface ListResult {
  entries: (WireEntry | FlatEntry)[]
  pagination: Record<string, number>
  total: number | undefined
}

/** Runs a list in one statement. Out: entries, the pagination in the form that was asked for, and the total. */
export async function readList(database: Database, totals: Totals, query: ReadQuery): Promise<ListResult> {
  const key = totals.keyOf(query)
  const known = query.pagination.withCount ? totals.get(key) : undefined
  const { entries, total: counted } = await run(database, query, query.pagination.withCount && known === undefined)
  if (counted !== undefined) totals.set(key, counted)
  const total = counted ?? known
  return { entries, total, pagination: presentPagination(query.pagination, total) }
}

/** The three shapes of contract §5. */
function presentPagination(
  { form, page, pageSize, start, limit }: Pagination,
  total: number | undefined,
): Record<string, number> {
  if (form === 'offset') return { start, limit, ...(total !== undefined && { total }) }
  return { page, pageSize, ...(total !== undefined && { pageCount: pageCountOf(total, pageSize), total }) }
}

/** Runs the read of one record. Out: undefined when it does not exist within the caller's rows. */
export async function readOne(runner: Runner, query: ReadQuery): Promise<WireEntry | FlatEntry | undefined> {
  const { entries } = await run(runner, query, false)
  return entries[0]
}

/** The columns of a record as its writer sees them, flat; undefined outside the rows he may change. */
export async function readStored(
  trx: Transaction,
  resource: Resource,
  id: number,
  { author, view }: { author: { caller: Caller }; view: View },
): Promise<FlatEntry | undefined> {
  const entry = await readOne(trx, parseOne({}, resource, author.caller, view, id))
  return entry && flatten(entry)
}

/** An entry without the envelope of its attributes. */
export function flatten(entry: WireEntry | FlatEntry): FlatEntry {
  return isWrapped(entry) ? { id: entry.id, ...entry.attributes } : entry
}

function isWrapped(entry: WireEntry | FlatEntry): entry is WireEntry {
  return typeof entry.attributes === 'object' && entry.attributes !== null
}
