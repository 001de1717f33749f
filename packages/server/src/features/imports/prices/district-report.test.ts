import type { ImportDistrict, ImportDistrictsAnswer } from '@dala/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMarket, type Ids, ImportCalls, importsFolder } from '../../../testing/import-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

let ids: Ids = {}
const resourceApp = startResourceApp(
  async (startedApp) => {
    ids = await buildMarket(startedApp)
    await startedApp.queue.start((error) => {
      throw error
    })
  },
  { DATA_DIR: importsFolder() },
)
afterAll(() => resourceApp.queue.stop())
let calls: ImportCalls
beforeAll(() => {
  calls = new ImportCalls(resourceApp)
})

const head = ['Product', 'District', 'Price date', 'Market', 'Price']
const readRows = (...rows: (string | number)[][]) => calls.read([head, ...rows], { kind: 'pricelists', locale: 'en' })
const reportOf = (id: number, query = 'locale=en') =>
  resourceApp.read<ImportDistrictsAnswer>(`/insert_excel/${id}/districts?${query}`)
const outline = ({ name, created, updated, before, after }: ImportDistrict) => [
  name,
  [created, updated],
  [before, after],
]

describe('GET /api/insert_excel/{id}/districts', () => {
  it('counts the prices of each district before and after an import, on its days and in its markets', async () => {
    const firstImport = await readRows(
      ['Rice', 'Nukus district', '01.03.2026', 'Retail', 100],
      ['Rice', 'Nukus district', '02.03.2026', 'Retail', 100],
      ['Rice', 'Nukus district', '01.03.2026', 'Wholesale', 90],
      ['Rice', 'Chimbay district', '01.03.2026', 'Retail', 100],
    )
    expect((await reportOf(firstImport.id)).data).toEqual([])
    await calls.commit(firstImport.id)
    const secondImport = await readRows(
      ['Rice', 'Nukus district', '01.03.2026', 'Retail', 101],
      ['Wheat', 'Nukus district', '01.03.2026', 'Retail', 50],
      ['Wheat', 'Chimbay district', '01.03.2026', 'Retail', 50],
      ['Tomatoes', 'Chimbay district', '01.03.2026', 'Retail', 60],
    )
    await calls.commit(secondImport.id)
    const expectedRows = [
      ['Chimbay district', [2, 0], [1, 3]],
      ['Nukus district', [1, 1], [1, 2]],
    ]
    const answer = await reportOf(secondImport.id)
    expect([answer.data.map(outline), answer.meta]).toEqual([expectedRows, { total: 2, possible: 3 }])
    // A price that a colleague enters later does not count in the report of this import.
    await resourceApp.ask('POST', '/pricelists', {
      data: { product: ids.tomato, district: ids.nukus, unit: ids.kg, pricedate: await dayOf('2026-03-01'), price: 70 },
    })
    expect((await reportOf(secondImport.id)).data.map(outline)).toEqual(expectedRows)
    expect((await reportOf(secondImport.id, 'locale=ru')).data.map(({ name }) => name)).toEqual([
      'Чимбайский район',
      'Нукусский район',
    ])
    const { data, meta } = await reportOf(firstImport.id)
    // The import has three products on two days of retail, and on one of wholesale.
    expect(meta).toEqual({ total: 2, possible: 9 })
    expect(data.map(outline)).toEqual([
      ['Nukus district', [3, 0], [0, 3]],
      ['Chimbay district', [1, 0], [0, 1]],
    ])
  })

  it('counts no prices of districts after a revert, and for other resources', async () => {
    const sheetImport = await readRows(['Rice', 'Nukus district', '05.03.2026', 'Retail', 100])
    await calls.commit(sheetImport.id)
    expect((await reportOf(sheetImport.id)).meta).toEqual({ total: 1, possible: 3 })
    expect((await calls.revert(sheetImport.id)).status).toBe(200)
    expect(await reportOf(sheetImport.id)).toEqual({ data: [], meta: { total: 0, possible: 0 } })
    const tags = await calls.read([['Name (English)'], ['Seeds']], { kind: 'tags', locale: 'en' })
    await calls.commit(tags.id)
    expect(await reportOf(tags.id)).toEqual({ data: [], meta: { total: 0, possible: 0 } })
  })

  it('refuses an unknown language of the report by district', async () => {
    const sheetImport = await readRows(['Rice', 'Nukus district', '06.03.2026', 'Retail', 100])
    expect((await resourceApp.ask('GET', `/insert_excel/${sheetImport.id}/districts?locale=de`)).status).toBe(400)
  })
})

const dayOf = async (date: string) => {
  const { data } = await resourceApp.read<{ data: { id: number }[] }>(`/pricedates?filters[date]=${date}`)
  return data[0]?.id
}
