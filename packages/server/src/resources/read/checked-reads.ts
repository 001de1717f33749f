/** Reads that come again: the checked form of a query's text, for the one who asked. */
import type { Caller, Resource } from '@dala/model'
import { LRUCache } from 'lru-cache'
import type { ReadQuery } from './query.ts'

/** Reads that are remembered, and letters of the longest text among them: 500 take about 2 MiB. */
const limits = { reads: 500, letters: 512 } as const

/**
 * Remembers how a query was read. A text means the same for the same caller as long as the program runs: rights are
 * part of the program, and values that change are looked up by the statement.
 */
export class CheckedReads {
  readonly #reads = new LRUCache<string, ReadQuery>({ max: limits.reads })

  /** Reads the list that a query's text asks for; `check` reads a text that is new. */
  list(resource: Resource, { id, role, isConsultant }: Caller, text: string, check: () => ReadQuery): ReadQuery {
    if (text.length > limits.letters) return check()
    const key = `${resource.name}/list/${id}/${role}/${isConsultant}?${text}`
    const known = this.#reads.get(key)
    if (known) return known
    const read = check()
    this.#reads.set(key, read)
    return read
  }

  /** Reads the record that a query's text asks for; `check` reads a text that is new, for any id. */
  one(
    resource: Resource,
    { id: reader, role, isConsultant }: Caller,
    text: string,
    id: number,
    check: (id: number) => ReadQuery,
  ): ReadQuery {
    if (text.length > limits.letters) return check(id)
    const key = `${resource.name}/one/${reader}/${role}/${isConsultant}?${text}`
    const known = this.#reads.get(key)
    if (known?.shape.id !== undefined) return { ...known, values: known.values.with(known.shape.id, id) }
    const read = check(id)
    this.#reads.set(key, read)
    return read
  }
}
