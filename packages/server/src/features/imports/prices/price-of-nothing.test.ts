/** A price must be above 0 on every route, and the refusal says so (market §1 and §4). */
import { type Locale, locales } from '@dala/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRecord } from '../../../testing/factories.ts'
import { buildMarket, type Ids, ImportCalls, importsFolder } from '../../../testing/import-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { rowsOfFile } from '../../../testing/sheets.ts'

let ids: Ids = {}
const folder = importsFolder()
const resourceApp = startResourceApp(
  async (startedApp) => {
    ids = await buildMarket(startedApp)
    ids.day = await buildRecord(startedApp.database, 'pricedates', { date: '2026-03-02' })
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

const phrases = {
  en: 'greater than 0',
  ru: 'больше 0',
  uz: '0 sonidan katta',
  kaa: '0 sanınan úlken',
} satisfies Record<Locale, string>
const head = ['Product', 'District', 'Price']

describe.each([0, -5, 0.004])('a price of %d', (price) => {
  const refusedIssue = { code: 'validation.above', params: { field: 'price', min: 0 } }

  it('refuses a price of zero, below zero or rounded to zero as a record', async () => {
    const data = { product: ids.rice, district: ids.nukus, pricedate: ids.day, unit: ids.kg, price }
    expect(await resourceApp.ask('POST', '/pricelists', { data })).toMatchObject({
      status: 400,
      body: { error: { message: 'price must be greater than 0', details: { errors: [refusedIssue] } } },
    })
  })

  it('refuses a price of zero, below zero or rounded to zero in the table of a day', async () => {
    const data = { pricedate: ids.day, cells: [{ product: ids.rice, district: ids.nukus, price }] }
    expect(await resourceApp.ask('PUT', '/pricelists/grid', { data })).toMatchObject({
      status: 200,
      body: { data: { saved: [], rejected: [{ ...refusedIssue, message: 'price must be greater than 0' }] } },
    })
  })

  it('reports a price of zero, below zero or rounded to zero as a fault of its cell in each language', async () => {
    const { id } = await calls.read([head, ['Rice', 'Nukus district', price]], {
      kind: 'pricelists',
      date: '2026-03-02',
      locale: 'en',
    })
    const [row] = await calls.rows(id)
    expect(row?.issues).toMatchObject([{ cell: 'C2', level: 'error', ...refusedIssue }])
    for (const locale of locales) {
      const answer = await resourceApp.app.inject({
        method: 'GET',
        url: `/api/insert_excel/${id}/errors?locale=${locale}`,
        headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
      })
      expect(JSON.stringify(await rowsOfFile(answer.rawPayload))).toContain(phrases[locale])
    }
  })
})
