/**
 * Sheets for tests: made by a library as users would make them, and chosen on the page where an import
 * begins.
 */
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import type { TestFixtures } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

export type SheetRows = readonly (readonly (string | number | null)[])[]

/** A workbook with one sheet and its headings in the first row. */
export async function makeSheet(rows: SheetRows, name = 'Лист'): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name, rows: rows.map((row) => [...row]) }] }))
}

/** Chooses a sheet in the drop area of an import. */
export async function chooseSheet(page: Page, name: string, buffer: Buffer): Promise<void> {
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page.locator('main input[type=file]').setInputFiles({ name, mimeType, buffer })
}

/** A cell of the import's preview by the number of its row in the file and the key of its field. */
export const findCell = (page: Page, row: number, key: string) => page.locator(`[data-at="${row} ${key}"]`)

/** Chooses a sheet with the keyboard, through the button of the drop area. */
export async function chooseSheetByKeys(page: Page, name: string, buffer: Buffer): Promise<void> {
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  // The browser must know that the test handles the file chooser before the key is pressed.
  const fileChooserEvent = page.waitForEvent('filechooser')
  await tabToTarget(
    page,
    page.locator('main button:has(+ p)').filter({ has: page.locator('svg.lucide-file-spreadsheet') }),
  )
  await page.keyboard.press('Enter')
  await (await fileChooserEvent).setFiles({ name, mimeType, buffer })
}

interface UsualPrice {
  product: string
  district: string
  price: number
}

/** Reads the prices of the demo content's last day; `day` returns a later day without prices. */
export async function usualPrices(
  colleague: TestFixtures['colleague'],
  locale: 'ru' | 'kaa',
): Promise<{ day: (dayOffset: number) => string; prices: UsualPrice[] }> {
  interface NamedRecord {
    data: { attributes: { name: string } }
  }
  const { data: days } = await colleague<{ data: { attributes: { date: string } }[] }>(
    'GET',
    '/pricedates?filters[state]=published&sort=date:desc&pagination[pageSize]=1',
  )
  const lastDay = days[0]?.attributes.date ?? ''
  const { data } = await colleague<{
    data: { attributes: { price: number; product: NamedRecord; district: NamedRecord } }[]
  }>(
    'GET',
    `/pricelists?locale=${locale}&populate[0]=product&populate[1]=district&filters[pricedate][date][$eq]=${lastDay}&filters[market_type]=retail&sort=id&pagination[pageSize]=4`,
  )
  return {
    day: (dayCount) => new Date(Date.parse(lastDay) + dayCount * 86_400_000).toISOString().slice(0, 10),
    prices: data.map(({ attributes: { price, product, district } }) => ({
      price,
      product: product.data.attributes.name,
      district: district.data.attributes.name,
    })),
  }
}
