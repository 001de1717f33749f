/** The envelope of the API (contract §4), and its conversion to flat records. */

export interface WireEntry {
  id: number
  attributes: Record<string, unknown>
}
export interface PagePagination {
  page: number
  pageSize: number
  pageCount?: number
  total?: number
  /** The total of a list is an estimate, because an exact count of a long list is too slow. */
  estimated?: boolean
}
export interface OffsetPagination {
  start: number
  limit: number
  total?: number
  /** Whether the total of the list is estimated, as in `PagePagination`. */
  estimated?: boolean
}
export interface WireList {
  data: WireEntry[]
  meta: { pagination: PagePagination | OffsetPagination }
}
export interface WireSingle {
  data: WireEntry
  meta: Record<string, never>
}

/** Page sizes that a list offers, and its initial size (requirements §9). */
export const pageSizes = [8, 12, 20] as const
export const defaultPageSize = 15
export const maxPageSize = 100
export const maxOffset = 100_000

/**
 * Number of pages; the pager is shown above one (requirements §2).
 *
 * @example
 * pageCountOf(41, 20) // 3
 */
export function pageCountOf(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize)
}

function isEnvelope(value: unknown): value is { data: unknown } {
  return typeof value === 'object' && value !== null && 'data' in value && Object.keys(value).length === 1
}
function isEntry(value: unknown): value is WireEntry {
  return typeof value === 'object' && value !== null && 'id' in value && 'attributes' in value
}

/** A flat record of any resource; generic screens know its fields from the declaration. */
export type Entry = { id: number } & Record<string, unknown>

/**
 * Converts a record from its envelope to a flat one, including its populated links.
 *
 * @example
 * fromWire({ id: 1, attributes: { name: 'Nukus' } }) // { id: 1, name: 'Nukus' }
 */
export function fromWire(entry: WireEntry): Entry {
  const record: Entry = { id: entry.id }
  for (const [name, value] of Object.entries(entry.attributes)) {
    record[name] = isEnvelope(value) ? fromLink(value.data) : value
  }
  return record
}

function fromLink(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => (isEntry(item) ? fromWire(item) : item))
  return isEntry(data) ? fromWire(data) : null
}
