/** Puts the file of an export together in a temporary place: a slow reader must not hold the database. */
import { randomUUID } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cell } from './cells.ts'
import { csvLine, csvMark } from './csv.ts'
import type { SheetColumn } from './xlsx.ts'

/** What a format needs: the bytes that are ready after each part. */
interface FileWriter {
  rows: (rows: readonly (readonly Cell[])[]) => Uint8Array
  end: () => Uint8Array
}

function csvWriter(columns: readonly SheetColumn[]): FileWriter {
  let before = csvMark + csvLine(columns.map(({ heading }) => heading))
  const taken = (text: string) => {
    const bytes = Buffer.from(before + text)
    before = ''
    return bytes
  }
  return { rows: (rows) => taken(rows.map(csvLine).join('')), end: () => taken('') }
}

export interface FileParts {
  format: 'xlsx' | 'csv'
  /** Name of the sheet. */
  title: string
  columns: readonly SheetColumn[]
  rows: AsyncIterable<readonly (readonly Cell[])[]>
}

/** Loads what writes a sheet with the first export of one. */
async function xlsxWriter(title: string, columns: readonly SheetColumn[]): Promise<FileWriter> {
  const { XlsxWriter } = await import('./xlsx.ts')
  return new XlsxWriter(title, columns)
}

/** Writes the file. Out: its path and the number of its rows; nothing is left of it when a row fails. */
export async function writeFileOf({
  format,
  title,
  columns,
  rows,
}: FileParts): Promise<{ path: string; count: number }> {
  const path = join(tmpdir(), `dala-export-${randomUUID()}`)
  const writer = format === 'csv' ? csvWriter(columns) : await xlsxWriter(title, columns)
  const file = await open(path, 'wx', 0o600)
  let count = 0
  try {
    for await (const page of rows) {
      count += page.length
      await file.write(writer.rows(page))
    }
    await file.write(writer.end())
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
  await file.close()
  return { path, count }
}

/** Takes a file away that nobody will read. */
export const discard = (path: string): Promise<void> => rm(path, { force: true })

/** The file as a stream that takes it away at its end, however it ends. */
export function readOnce(path: string): ReadStream {
  const stream = createReadStream(path)
  stream.once('close', () => void rm(path, { force: true }))
  return stream
}
