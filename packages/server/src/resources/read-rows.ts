/** Readers of statement rows: arrays of columns → wire entries, put together once per query shape. */
import type { WireEntry } from '@dala/model'

/** An entry without the envelope: users, and the answers of contract §8. */
export type FlatEntry = { id: number } & Record<string, unknown>
type Row = readonly unknown[]
/** Reads one entry from the columns that start at `offset`. */
export type Reader = (row: Row, offset: number) => WireEntry | FlatEntry

export interface LinkReader {
  name: string
  offset: number
  read: (row: Row, offset: number) => unknown
}

/** Reads an entry: its id first, then its columns, then its links at their places. */
export function readEntry(fields: readonly string[], links: readonly LinkReader[], flat: boolean): Reader {
  return (row, offset) => {
    const attributes: Record<string, unknown> = {}
    for (const [index, name] of fields.entries()) attributes[name] = row[offset + 1 + index]
    for (const link of links) attributes[link.name] = link.read(row, offset + link.offset)
    const id = Number(row[offset])
    return flat ? { id, ...attributes } : { id, attributes }
  }
}

/** Reads a to-one link; a missing target left all its columns null. */
export function readOne(read: Reader, flat: boolean): LinkReader['read'] {
  return (row, offset) => {
    const entry = row[offset] === null ? null : read(row, offset)
    return flat ? entry : { data: entry }
  }
}

/** Reads a to-many link: one column that holds a list of rows. */
export function readMany(read: Reader, flat: boolean): LinkReader['read'] {
  return (row, offset) => {
    const lines = row[offset]
    const entries = Array.isArray(lines) ? lines.map((line: Row) => read(line, 0)) : []
    return flat ? entries : { data: entries }
  }
}
