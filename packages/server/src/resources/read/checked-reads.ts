/** A cache of checked queries, by query text and caller. */
import type { Caller, Resource } from '@dala/model'
import { LRUCache } from 'lru-cache'
import type { ReadQuery } from './query.ts'

/** Maximum number of cached reads, and the longest cached text in characters: 500 take about 2 MiB. */
const limits = { reads: 500, letters: 512 } as const

/**
 * Caches checked queries. A text has the same meaning for the same caller as long as the program runs: rights
 * are part of the program, and the statement looks up values that change.
 */
export class CheckedReads {
  readonly #reads = new LRUCache<string, ReadQuery>({ max: limits.reads })

  /** Returns the list query of a query text; `check` parses a text that is not cached. */
  list(resource: Resource, { id, role, isConsultant }: Caller, text: string, check: () => ReadQuery): ReadQuery {
    if (text.length > limits.letters) return check()
    const key = `${resource.name}/list/${id}/${role}/${isConsultant}?${text}`
    const cachedRead = this.#reads.get(key)
    if (cachedRead) return cachedRead
    const newRead = check()
    this.#reads.set(key, newRead)
    return newRead
  }

  /** Returns the record query of a query text for any id; `check` parses a text that is not cached. */
  one(
    resource: Resource,
    { id: reader, role, isConsultant }: Caller,
    text: string,
    id: number,
    checkRead: (id: number) => ReadQuery,
  ): ReadQuery {
    if (text.length > limits.letters) return checkRead(id)
    const key = `${resource.name}/one/${reader}/${role}/${isConsultant}?${text}`
    const cachedRead = this.#reads.get(key)
    if (cachedRead?.shape.id !== undefined)
      return { ...cachedRead, values: cachedRead.values.with(cachedRead.shape.id, id) }
    const newRead = checkRead(id)
    this.#reads.set(key, newRead)
    return newRead
  }
}
