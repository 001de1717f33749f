/** The API's envelope (contract §4) and the way out of it. */

export interface WireEntry {
  id: number
  attributes: Record<string, unknown>
}
export interface PagePagination {
  page: number
  pageSize: number
  pageCount?: number
  total?: number
  /** The total is an estimate, because counting so long a list would cost too much. */
  estimated?: boolean
}
export interface OffsetPagination {
  start: number
  limit: number
  total?: number
  /** As in `PagePagination`. */
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

/** Page sizes on offer and the size a list starts with (requirements §9). */
export const pageSizes = [8, 12, 20] as const
export const defaultPageSize = 15
export const maxPageSize = 100
export const maxOffset = 100_000

/** Number of pages; the pager shows above one (requirements §2). */
export function pageCountOf(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize)
}

function isEnvelope(value: unknown): value is { data: unknown } {
  return typeof value === 'object' && value !== null && 'data' in value && Object.keys(value).length === 1
}
function isEntry(value: unknown): value is WireEntry {
  return typeof value === 'object' && value !== null && 'id' in value && 'attributes' in value
}

/** A record of any resource, flat: the generic screens know its fields from the declaration. */
export type Entry = { id: number } & Record<string, unknown>

/** A wire entry as a flat record, its populated links flattened too. */
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
