/** Tests imports of sheets that programs other than Excel wrote (market §8). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMarket, type Ids, ImportCalls, importsFolder, outline } from '../../testing/import-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

let ids: Ids = {}
const folder = importsFolder()
const resourceApp = startResourceApp(
  async (startedApp) => {
    ids = await buildMarket(startedApp)
    await startedApp.queue.start((error) => {
      throw error
    })
  },
  { DATA_DIR: folder },
)
afterAll(() => resourceApp.queue.stop())
let calls: ImportCalls
beforeAll(() => {
  calls = new ImportCalls(resourceApp)
})

const texts = { kind: 'pricelists', locale: 'en' }
const pricesOf = async (date: string) =>
  (
    await resourceApp.read<{ data: { attributes: Record<string, unknown> }[] }>(
      `/pricelists?filters[pricedate][date]=${date}&sort=id&populate[product]=*`,
    )
  ).data.map(({ attributes }) => attributes)

describe('a sheet', () => {
  it('reads a sheet of LibreOffice with its dates and its numbers', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../testing/files/libreoffice-prices.xlsx'))
    const { id, ...readImport } = await calls.read(file, texts)
    expect(readImport).toMatchObject({ state: 'preview', failure: null, summary: { create: 3, error: 0 } })
    expect((await calls.rows(id)).map(outline)).toEqual([
      [2, 'create'],
      [3, 'create'],
      [4, 'create'],
    ])
    expect((await calls.commit(id)).state).toBe('done')
    expect(await pricesOf('2026-03-02')).toMatchObject([
      { price: 15_000.5, product: { data: { id: ids.rice } } },
      { price: 4150, product: { data: { id: ids.wheat } } },
    ])
    expect(await pricesOf('2026-03-03')).toMatchObject([{ price: 9000, note: 'из тетради' }])
  })

  it('reads a sheet of Numbers below its summary and the name of its table', async () => {
    const file = await writeXlsx({
      sheets: [
        {
          name: 'Export Summary',
          rows: [
            ['This document was exported from Numbers. Each table was converted to an Excel worksheet.'],
            ['Numbers Sheet Name', 'Numbers Table Name', 'Excel Worksheet Name'],
            ['Sheet 1', null, null],
            [null, 'Table 1', 'Sheet 1 - Table 1'],
          ],
        },
        {
          name: 'Sheet 1 - Table 1',
          rows: [
            ['Table 1', null, null, null, null],
            ['Product', 'District', 'Price date', 'Unit', 'Price'],
            ['Rice', 'Nukus district', new Date('2026-03-05T00:00:00Z'), 'кг', 15_000],
            ['Wheat', 'Chimbay district', new Date('2026-03-05T00:00:00Z'), 'кг', 4150.25],
          ],
          merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: 4 }],
        },
      ],
    })
    const { id, ...readImport } = await calls.read(Buffer.from(file), texts)
    expect(readImport).toMatchObject({
      state: 'preview',
      summary: { create: 2, error: 0 },
      reading: { sheet: 'Sheet 1 - Table 1', heading_row: 2 },
    })
    expect((await calls.commit(id)).state).toBe('done')
    expect(await pricesOf('2026-03-05')).toMatchObject([{ price: 15_000 }, { price: 4150.25 }])
  })
})
