/** Row writers: convert the bytes of columns, as the database sent them, to the JSON of wire entries. */
import type { Storage } from '@dala/model'
import type { SentRow } from '../../db/sent-row.ts'
import type { JsonBytes } from './json-bytes.ts'

/** Record of an answer without the envelope: users, and the answers of contract §8. */
export type FlatEntry = { id: number } & Record<string, unknown>
/** A function that writes one record from the columns that start at `offset`. */
export type EntryWriter = (out: JsonBytes, row: SentRow, offset: number) => void

/** A function that writes the value of a column that is not null. */
type ColumnWriter = (out: JsonBytes, bytes: Uint8Array, start: number, end: number) => void

const literalBytes = (json: string): Uint8Array => Buffer.from(json)

const nullBytes = literalBytes('null')
const [trueBytes, falseBytes] = [literalBytes('true'), literalBytes('false')]
const quotation = literalBytes('"')
const [letterT, point, endOfMoment] = [literalBytes('T'), literalBytes('.'), literalBytes('000Z"')]
const letterOfTrue = 0x74

/**
 * `2026-03-01 10:00:00.12+00` → `"2026-03-01T10:00:00.120Z"`; the session's zone is UTC (contract, dates).
 */
const writeMoment: ColumnWriter = (out, bytes, start, end) => {
  out.bytes(quotation)
  out.bytes(bytes, start, start + 10)
  out.bytes(letterT)
  out.bytes(bytes, start + 11, start + 19)
  const fraction = Math.min(end - '+00'.length, start + 23)
  const digits = Math.max(fraction - (start + 20), 0)
  out.bytes(point)
  if (digits > 0) out.bytes(bytes, start + 20, fraction)
  out.bytes(endOfMoment, digits)
}

/** Writes numbers and JSON unchanged, because PostgreSQL sends them as valid JSON. */
const copyBytes: ColumnWriter = (out, bytes, start, end) => out.bytes(bytes, start, end)
const writeText: ColumnWriter = (out, bytes, start, end) => out.string(bytes, start, end)

/** Functions that write the bytes of a column into the JSON answer, by the storage of the column. */
export const columnWriters: Readonly<Record<Storage, ColumnWriter>> = {
  text: writeText,
  integer: copyBytes,
  decimal: copyBytes,
  boolean: (out, bytes, start) => out.bytes(bytes[start] === letterOfTrue ? trueBytes : falseBytes),
  date: writeText,
  timestamp: writeMoment,
  json: copyBytes,
}

export interface ColumnPart {
  name: string
  writeColumn: ColumnWriter
}
export interface LinkPart {
  name: string
  offset: number
  writeEntry: EntryWriter
}

const openingText = '{"id":'

/**
 * Builds the writer of an entry: its id first, then its columns, then its links at their places. Everything
 * that is equal in all rows is prepared here, once per shape of query.
 */
export function entryWriter(columns: readonly ColumnPart[], links: readonly LinkPart[], isFlat: boolean): EntryWriter {
  const keyOf = (name: string, isFirst: boolean) => literalBytes(`${isFirst ? '' : ','}${JSON.stringify(name)}:`)
  const namedColumns = columns.map(({ name, writeColumn }, index) => ({
    key: keyOf(name, !isFlat && index === 0),
    write: writeColumn,
  }))
  const linkedLists = links.map((link, index) => ({
    ...link,
    key: keyOf(link.name, !isFlat && columns.length + index === 0),
  }))
  const head = literalBytes(openingText)
  const attributes = literalBytes(isFlat ? '' : ',"attributes":{')
  const rowEnd = literalBytes(isFlat ? '}' : '}}')
  return (out, row, offset) => {
    out.bytes(head)
    out.bytes(row.bytes, row.start(offset), row.end(offset))
    out.bytes(attributes)
    let position = offset
    for (const { key, write } of namedColumns) {
      position += 1
      out.bytes(key)
      if (row.isNull(position)) out.bytes(nullBytes)
      else write(out, row.bytes, row.start(position), row.end(position))
    }
    for (const { key, offset: linkOffset, writeEntry } of linkedLists) {
      out.bytes(key)
      writeEntry(out, row, offset + linkOffset)
    }
    out.bytes(rowEnd)
  }
}

/**
 * Writes a to-one link; a missing target has null in all its columns. Successive rows often have the same
 * target, whose JSON is then repeated.
 */
export function singleWriter(write: EntryWriter, isFlat: boolean): EntryWriter {
  const [head, tail] = isFlat ? [literalBytes(''), literalBytes('')] : [literalBytes('{"data":'), literalBytes('}')]
  const partKey = {}
  return (out, row, offset) => {
    out.bytes(head)
    if (row.isNull(offset)) out.bytes(nullBytes)
    else if (!out.repeat(partKey, openingText.length, row, offset)) {
      const startLength = out.length
      write(out, row, offset)
      out.note(partKey, startLength)
    }
    out.bytes(tail)
  }
}

/** Makes the writer of a to-many link, whose column holds the JSON of its records. */
export function listWriter(isFlat: boolean): EntryWriter {
  const [head, tail] = isFlat ? [literalBytes(''), literalBytes('')] : [literalBytes('{"data":'), literalBytes('}')]
  const emptyList = literalBytes('[]')
  return (out, row, offset) => {
    out.bytes(head)
    if (row.isNull(offset)) out.bytes(emptyList)
    else out.bytes(row.bytes, row.start(offset), row.end(offset))
    out.bytes(tail)
  }
}
