/** Sheets of journeys: made by a library as people would make them, and chosen on the page where an import begins. */
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'

export type SheetRows = readonly (readonly (string | number | null)[])[]

/** A workbook with one sheet, the headings in its first row. */
export async function sheetOf(rows: SheetRows, name = 'Лист'): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name, rows: rows.map((row) => [...row]) }] }))
}

/** Chooses a sheet in the well. */
export async function chooseSheet(page: Page, name: string, buffer: Buffer): Promise<void> {
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page.locator('main input[type=file]').setInputFiles({ name, mimeType, buffer })
}

/** A cell of the preview by the number of its row in the file and the key of its field. */
export const cellAt = (page: Page, row: number, key: string) => page.locator(`[data-at="${row} ${key}"]`)
