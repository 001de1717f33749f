/** Writes the file of an export to a temporary place, so that a slow client does not hold the database. */
import { randomUUID } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cell } from '../../domain/files/sheet/cells.ts'
import { csvLine, csvMark } from '../../domain/files/sheet/csv.ts'
import type { SheetColumn, SheetHead } from '../../domain/files/sheet/xlsx.ts'

/** Writer of an exported file's format; each call returns the bytes that are ready. */
interface FileWriter {
  rows: (rows: readonly (readonly Cell[])[]) => Uint8Array
  /** Ends the first table of the exported file and begins the one with further rows. */
  next: () => Uint8Array
  end: () => Uint8Array
}

type Rows = AsyncIterable<readonly (readonly Cell[])[]>

/** Second table of an export, with rows of another resource. */
export interface FurtherPart extends SheetHead {
  /**
   * Column of a CSV file for each column of the further rows, by its place among the first ones; -1 for a
   * column after them.
   */
  coveredIndexes: readonly number[]
  rows: Rows
}

export interface FileParts {
  format: 'xlsx' | 'csv'
  /** Name of the exported sheet. */
  title: string
  columns: readonly SheetColumn[]
  rows: Rows
  furtherPart?: FurtherPart | undefined
}

/** A CSV file has one table: further rows use the columns of the list, and new ones after them. */
function csvWriter({ columns, furtherPart: furtherTable }: FileParts): FileWriter {
  const addedColumns = (furtherTable?.columns ?? []).filter((_, index) => furtherTable?.coveredIndexes[index] === -1)
  const width = columns.length + addedColumns.length
  let leadingText = csvMark + csvLine([...columns, ...addedColumns].map(({ heading }) => heading))
  let placeCells = (cells: readonly Cell[]): readonly Cell[] => cells
  const filledCells = (cells: readonly Cell[]) => Array.from({ length: width }, (_, index) => cells[index] ?? null)
  const encodeText = (text: string) => {
    const bytes = Buffer.from(leadingText + text)
    leadingText = ''
    return bytes
  }
  return {
    rows: (rows) => encodeText(rows.map((cells) => csvLine(filledCells(placeCells(cells)))).join('')),
    next: () => {
      const coveredIndexes = furtherTable?.coveredIndexes ?? []
      const addedIndexes = coveredIndexes.flatMap((column, index) => (column === -1 ? [index] : []))
      placeCells = (cells) => {
        const sharedCells = columns.map((_, column) => cells[coveredIndexes.indexOf(column)] ?? null)
        return [...sharedCells, ...addedIndexes.map((index) => cells[index] ?? null)]
      }
      return encodeText('')
    },
    end: () => encodeText(''),
  }
}

/** Loads the writer of sheets when the first sheet is exported. */
async function xlsxWriter({ title, columns, furtherPart: furtherTable }: FileParts): Promise<FileWriter> {
  const { XlsxWriter } = await import('../../domain/files/sheet/xlsx.ts')
  return new XlsxWriter({ title, columns }, ...(furtherTable ? [furtherTable] : []))
}

/** A written export file with the number of its rows. */
export interface WrittenFile {
  path: string
  count: number
}

/** Writes the file of an export; the file is removed when a row fails. */
export async function writeFileOf(parts: FileParts): Promise<WrittenFile> {
  const path = join(tmpdir(), `dala-export-${randomUUID()}`)
  const writer = parts.format === 'csv' ? csvWriter(parts) : await xlsxWriter(parts)
  const file = await open(path, 'wx', 0o600)
  let count = 0
  const write = async (rows: Rows) => {
    for await (const page of rows) {
      count += page.length
      await file.write(writer.rows(page))
    }
  }
  try {
    await write(parts.rows)
    if (parts.furtherPart) {
      await file.write(writer.next())
      await write(parts.furtherPart.rows)
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

/** Deletes the file of an export that nobody will read. */
export const deleteExportFile = (path: string): Promise<void> => rm(path, { force: true })

/** Reads the file of an export as a stream that deletes the file when it closes, for any reason. */
export function readAndDelete(path: string): ReadStream {
  const stream = createReadStream(path)
  stream.once('close', () => void rm(path, { force: true }))
  return stream
}
