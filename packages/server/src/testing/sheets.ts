/** Sheets that tests and proofs send and receive. */
import { type CellValue, readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx'

export type Rows = readonly (readonly CellValue[])[]

/** Writes rows into a sheet file. */
export async function makeSheet(rows: Rows, sheetOptions: Partial<WriteSheet> = {}): Promise<Buffer> {
  const sheets = [{ name: 'Sheet', rows: rows.map((row) => [...row]), ...sheetOptions }]
  return Buffer.from(await writeXlsx({ sheets }))
}

/** Returns the rows of the first sheet of a file. */
export async function rowsOfFile(bytes: Uint8Array): Promise<CellValue[][]> {
  const { sheets } = await readXlsx(new Uint8Array(bytes))
  return sheets[0]?.rows ?? []
}
