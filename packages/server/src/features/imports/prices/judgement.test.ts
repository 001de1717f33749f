import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRecord } from '../../../testing/factories.ts'
import { buildMarket, ImportCalls, importsFolder, outline } from '../../../testing/import-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

const resourceApp = startResourceApp(
  async (startedApp) => {
    const ids = await buildMarket(startedApp)
    for (const [index, date] of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].entries()) {
      const pricedate = await buildRecord(startedApp.database, 'pricedates', { date, state: 'published' })
      const priceDraft = { product: ids.rice, district: ids.nukus, unit: ids.kg, pricedate }
      await buildRecord(startedApp.database, 'pricelists', {
        ...priceDraft,
        price: 4000 + (index % 3) * 50,
        origin: 'entered',
      })
    }
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

const head = ['Product', 'District', 'Price', 'Note']
const row = (price: number, note: string | null = null) => ['Rice', 'Nukus district', price, note]
const readRows = (date: string, ...rows: (string | number | null)[][]) =>
  calls.read([head, ...rows], { kind: 'pricelists', date, locale: 'en' })
const readStoredDay = async (date: string) => {
  const { data } = await resourceApp.read<{ data: { attributes: Record<string, unknown> }[] }>(
    `/pricelists?filters[pricedate][date]=${date}&sort=id`,
  )
  return data.map(({ attributes }) => attributes)
}

describe('unusual prices of a sheet', () => {
  it('warns of unusual prices with the likely figure, and writes them only when warnings are confirmed', async () => {
    const sheetImport = await readRows('2026-03-06', row(410_000))
    expect(sheetImport).toMatchObject({ summary: { create: 1, error: 0, warning: 1 } })
    const [warnedRow] = await calls.rows(sheetImport.id)
    expect(warnedRow && outline(warnedRow)).toEqual([2, 'create', 'C2 price.slip-more'])
    expect(warnedRow?.issues).toMatchObject([
      { level: 'warning', params: { factor: 100 }, suggestion: { value: '4100' } },
    ])
    expect(await calls.ask(sheetImport.id)).toMatchObject({ status: 422 })
    expect(await readStoredDay('2026-03-06')).toEqual([])
    const correctedImport = await calls.correct(sheetImport.id, { rows: [{ row: 2, values: { price: '4100' } }] })
    expect(correctedImport).toMatchObject({ summary: { create: 1, warning: 0 } })
    await calls.commit(sheetImport.id)
    expect(await readStoredDay('2026-03-06')).toMatchObject([{ price: 4100, state: 'ok', flag: null }])
  })

  it('writes only those unusual prices whose row is confirmed', async () => {
    const sheetImport = await readRows('2026-03-11', row(410_000), ['Rice', 'Chimbay district', 390_000, null])
    expect(sheetImport.summary).toMatchObject({ create: 2, warning: 2 })
    const confirmedImport = await calls.correct(sheetImport.id, { confirm: [2] })
    expect(confirmedImport.summary).toMatchObject({ create: 2, warning: 1, issues: 2 })
    expect(await calls.rows(sheetImport.id)).toMatchObject([
      { is_confirmed: true, corrected: {}, issues: [{ level: 'warning' }] },
      { is_confirmed: false },
    ])
    expect(await calls.rows(sheetImport.id, 'filter=warning')).toMatchObject([{ row: 3 }])
    expect((await calls.correct(sheetImport.id, { unconfirm: [2] })).summary).toMatchObject({ warning: 2 })
    await calls.correct(sheetImport.id, { confirm: [2] })
    // Another imported price needs another confirmation.
    const otherImport = await calls.correct(sheetImport.id, { rows: [{ row: 2, values: { price: '420000' } }] })
    expect(otherImport.summary).toMatchObject({ warning: 2 })
    expect((await calls.rows(sheetImport.id))[0]).toMatchObject({ is_confirmed: false, issues: [{ value: '420000' }] })
    await calls.correct(sheetImport.id, { confirm: [2] })
    // A new mapping of the columns keeps the confirmation of the same warning.
    expect((await calls.correct(sheetImport.id, { mapping: { date: '2026-03-12' } })).summary).toMatchObject({
      warning: 1,
    })
    expect(await calls.commit(sheetImport.id)).toMatchObject({ state: 'done', created_count: 1 })
    expect(await readStoredDay('2026-03-12')).toMatchObject([{ price: 420_000, state: 'check' }])
  })

  it('counts an imported price worth a check as confirmed by the confirmation of its row', async () => {
    const sheetImport = await readRows('2026-03-10', row(5_200))
    const [warnedRow] = await calls.rows(sheetImport.id)
    expect(warnedRow?.issues).toMatchObject([{ level: 'warning', code: 'price.far' }])
    await calls.correct(sheetImport.id, { confirm: [2] })
    await calls.commit(sheetImport.id)
    expect(await readStoredDay('2026-03-10')).toMatchObject([
      { price: 5_200, state: 'confirmed', flag: { severity: 'look', code: 'price.far' } },
    ])
  })

  it('requires a confirmation of imported unusual prices in their day, unless their row has a reason', async () => {
    const silentImport = await readRows('2026-03-07', row(410_000))
    await calls.commit(silentImport.id, { confirm_warnings: true })
    expect(await readStoredDay('2026-03-07')).toMatchObject([
      { price: 410_000, state: 'check', origin: 'imported', flag: { severity: 'confirm', code: 'price.slip-more' } },
    ])
    const record = await readRows('2026-03-08', row(410_000, 'seed rice of a new kind'))
    await calls.commit(record.id, { confirm_warnings: true })
    expect(await readStoredDay('2026-03-08')).toMatchObject([{ price: 410_000, state: 'confirmed' }])
  })

  it('reports an unusual price of a published day without a reason as a fault', async () => {
    const sheetImport = await readRows('2026-03-05', ['Rice', 'Chimbay district', 410_000, null])
    const [refusedRow] = await calls.rows(sheetImport.id)
    expect(refusedRow && outline(refusedRow)).toEqual([2, 'error', 'C2 price.slip-more', 'D2 state.reason'])
  })
})
