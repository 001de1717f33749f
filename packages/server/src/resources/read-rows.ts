/** Writers of statement rows: the texts of columns, as the database sent them → the JSON text of wire entries. */
import type { Storage } from '@dala/model'

/** An entry without the envelope: users, and the answers of contract §8. */
export type FlatEntry = { id: number } & Record<string, unknown>
/** Columns as PostgreSQL spells them: numbers and JSON are JSON already, and go through untouched. */
export type Row = readonly (string | null)[]
/** Writes one entry from the columns that start at `offset`. */
export type EntryWriter = (row: Row, offset: number) => string

/** How the text of a column that is not null becomes JSON. */
type ColumnWriter = (text: string) => string

/** `2026-03-01 10:00:00.12+00` → `"2026-03-01T10:00:00.120Z"`; the session's zone is UTC (contract, dates). */
function writeMoment(text: string): string {
  return `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z"`
}

const untouched: ColumnWriter = (text) => text
const writeText: ColumnWriter = (text) => JSON.stringify(text)

/** Writers by storage. */
export const columnWriters: Readonly<Record<Storage, ColumnWriter>> = {
  text: writeText,
  integer: untouched,
  decimal: untouched,
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  date: writeText,
  timestamp: writeMoment,
  json: untouched,
}

export interface ColumnPart {
  name: string
  write: ColumnWriter
}
export interface LinkPart {
  name: string
  offset: number
  write: EntryWriter
}

/**
 * Puts the writer of an entry together: its id first, then its columns, then its links at their places. Everything
 * that is equal in all rows is made here, once for each shape of query.
 */
export function entryWriter(columns: readonly ColumnPart[], links: readonly LinkPart[], flat: boolean): EntryWriter {
  const keyOf = (name: string, isFirst: boolean) => `${isFirst ? '' : ','}${JSON.stringify(name)}:`
  const named = columns.map(({ name, write }, index) => ({ key: keyOf(name, !flat && index === 0), write }))
  const linked = links.map((link, index) => ({ ...link, key: keyOf(link.name, !flat && columns.length + index === 0) }))
  const [head, tail] = flat ? ['{"id":', '}'] : ['{"id":', '}}']
  const opening = flat ? '' : ',"attributes":{'
  return (row, offset) => {
    let text = head + row[offset] + opening
    let place = offset
    for (const { key, write } of named) {
      place += 1
      const column = row[place]
      text += key + (column === null || column === undefined ? 'null' : write(column))
    }
    for (const { key, offset: from, write } of linked) text += key + write(row, offset + from)
    return text + tail
  }
}

/** Writes a to-one link; a missing target left all its columns null. */
export function oneWriter(write: EntryWriter, flat: boolean): EntryWriter {
  return (row, offset) => {
    const entry = row[offset] === null ? 'null' : write(row, offset)
    return flat ? entry : `{"data":${entry}}`
  }
}

/** Writes a to-many link: one column that holds the JSON of its entries. */
export function manyWriter(flat: boolean): EntryWriter {
  return (row, offset) => (flat ? (row[offset] ?? '[]') : `{"data":${row[offset] ?? '[]'}}`)
}
