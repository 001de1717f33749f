import { unzipSync } from 'fflate'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildRecord, buildDistrict, buildRegion } from '../../../testing/factories.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  ids.region = await buildRegion(database, { name: 'Region' })
  for (const name of ['Near', 'Far']) ids[name] = await buildDistrict(database, { name, region: ids.region })
  ids.kg = await buildRecord(database, 'units', { name: { en: 'Kilogram', ru: 'Килограмм' }, kind: 'mass', factor: 1 })
  ids.sack = await buildRecord(database, 'units', { name: { en: 'Sack' }, kind: 'mass', factor: 50 })
  for (const [order, name] of ['Wheat', 'Rice'].entries())
    ids[name] = await buildRecord(database, 'products', { name, unit: ids.kg, order })
  ids.day = await buildRecord(database, 'pricedates', { date: '2026-03-02', state: 'published' })
  for (const product of ['Wheat', 'Rice'])
    for (const district of ['Near', 'Far'])
      ids[`${product} ${district}`] = await buildRecord(database, 'pricelists', {
        product: ids[product],
        district: ids[district],
        pricedate: ids.day,
        unit: ids.kg,
        price: 4000,
        origin: 'imported',
        note: 'First',
      })
})

const correctPrice = async (name: string, cell: object) => {
  const [product, district] = name.split(' ')
  const cells = [{ product: ids[product ?? ''], district: ids[district ?? ''], ...cell }]
  const { body } = await resourceApp.ask('PUT', '/pricelists/grid', { data: { pricedate: ids.day, cells } })
  expect(body).toMatchObject({ data: { rejected: [] } })
}
const file = (query: string, role: 'admin' | 'authenticated' = 'admin') =>
  resourceApp.app.inject({
    method: 'GET',
    url: `/api/pricelists/export?date=2026-03-02&${query}`,
    headers: { authorization: `Bearer ${resourceApp.tokens[role]}` },
  })
/** Reads the sheets of an exported file without their headings. */
const sheetsOf = async (query: string) => {
  const sheets = await readXlsxFile((await file(query)).rawPayload)
  return sheets.map(({ sheet, data }) => ({ sheet, head: data[0] ?? [], rows: data.slice(1) }))
}
const trail = async (query = '') => (await sheetsOf(`trail=true&${query}`))[1]?.rows ?? []

describe('GET /pricelists/export with trail', () => {
  it('exports a second sheet only when corrections are requested, and an empty one before any correction', async () => {
    expect(await sheetsOf('')).toHaveLength(1)
    expect(await sheetsOf('trail=false')).toHaveLength(1)
    const [prices, earlierSheet] = await sheetsOf('trail=true')
    expect([prices?.rows.length, earlierSheet?.sheet, earlierSheet?.rows]).toEqual([4, 'Earlier prices', []])
  })

  it('names each earlier price with the next price, the user who changed it, the time and the reason', async () => {
    await correctPrice('Wheat Near', { price: 4100, note: '=Seller miscounted' })
    await correctPrice('Wheat Near', { price: 4100, price_max: 4300, note: 'Range' })
    await correctPrice('Wheat Near', { price: 4200, price_max: 4300, note: 'Range' })
    await correctPrice('Rice Far', { price: 200_000, unit: ids.sack, note: 'Sold by sacks' })
    const day = new Date('2026-03-02T00:00:00Z')
    const [, earlierSheet] = await sheetsOf('trail=true')
    expect(earlierSheet?.head).toEqual(
      ['Price date', 'Product', 'Region', 'District', 'Market']
        .concat(['Earlier price', 'Earlier highest price', 'Earlier unit', 'Currency'])
        .concat(['New price', 'New highest price', 'New unit', 'Changed at', 'Changed by', 'Reason']),
    )
    const wheat = [day, 'Wheat', 'Region', 'Near', 'Retail']
    const rice = [day, 'Rice', 'Region', 'Far', 'Retail']
    const authorName = 'admin'
    expect(earlierSheet?.rows.map((row) => row.toSpliced(12, 1))).toEqual([
      [...wheat, 4000, null, 'Kilogram', 'UZS', 4100, null, 'Kilogram', authorName, "'=Seller miscounted"],
      [...wheat, 4100, null, 'Kilogram', 'UZS', 4100, 4300, 'Kilogram', authorName, 'Range'],
      [...wheat, 4100, 4300, 'Kilogram', 'UZS', 4200, 4300, 'Kilogram', authorName, 'Range'],
      [...rice, 4000, null, 'Kilogram', 'UZS', 200_000, null, 'Sack', authorName, 'Sold by sacks'],
    ])
    for (const row of earlierSheet?.rows ?? []) expect(row[12]).toBeInstanceOf(Date)
  })

  it('exports the corrections of a deleted price, which is no longer among the prices', async () => {
    await correctPrice('Rice Near', { price: null, note: 'Not sold' })
    const [prices] = await sheetsOf('trail=true')
    expect(prices?.rows).toHaveLength(3)
    const takenRow = (await trail()).find((row) => row[1] === 'Rice' && row[3] === 'Near')
    expect([takenRow?.[5], takenRow?.[9], takenRow?.[14]]).toEqual([4000, null, 'Not sold'])
  })

  it('leaves a change of the note alone out of the corrections', async () => {
    const countBefore = (await trail()).length
    await resourceApp.ask('PUT', `/pricelists/${ids['Wheat Far']}`, { data: { note: 'Second' } })
    expect(await trail()).toHaveLength(countBefore)
  })

  it('applies the filters of the prices to the corrections', async () => {
    expect((await trail(`product=${ids.Rice}`)).map((row) => row[1])).toEqual(['Rice', 'Rice'])
    expect((await trail(`districts[]=${ids.Far}`)).map((row) => row[3])).toEqual(['Far'])
    expect(await trail('market_type=wholesale')).toEqual([])
    const exportedAnswer = await resourceApp.app.inject({
      url: '/api/pricelists/export?date=2026-03-03&trail=true',
      headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
    })
    expect((await readXlsxFile(exportedAnswer.rawPayload))[1]?.data).toHaveLength(1)
  })

  it.each([
    ['ru', 'Прежние цены', 'Килограмм', 'Розница'],
    ['uz', 'Avvalgi narxlar', 'Kilogram', 'Chakana'],
    ['kaa', 'Aldınǵı bahalar', 'Kilogram', 'Usaqlap'],
  ])('uses the texts of %s in the sheet of corrections', async (locale, title, unit, market) => {
    const [, earlierSheet] = await sheetsOf(`trail=true&locale=${locale}`)
    expect([earlierSheet?.sheet, earlierSheet?.rows[0]?.[7], earlierSheet?.rows[0]?.[4]]).toEqual([title, unit, market])
  })

  it('adds the earlier prices to a CSV file behind the prices, and never a formula', async () => {
    const lines = (await file('trail=true&format=csv')).body.trim().split('\r\n')
    const cells = lines.map((line) => line.split(';'))
    const [head = [], ...rows] = cells
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([19]))
    expect(head.slice(13)).toEqual(['New price', 'New highest price', 'New unit', 'Changed at', 'Changed by', 'Reason'])
    // The exported file lists the three present prices, then the five former ones.
    expect(rows.map((row) => row[16] !== '')).toEqual([0, 0, 0, 1, 1, 1, 1, 1].map(Boolean))
    expect(rows[3]?.slice(0, 10)).toEqual(
      ['02.03.2026', 'Wheat', 'Region', 'Near', 'Retail'].concat(['4000', '', 'Kilogram', '', 'UZS']),
    )
    expect(rows[3]?.slice(13, 16)).toEqual(['4100', '', 'Kilogram'])
    expect(rows[3]?.[18]).toBe("'=Seller miscounted")
  })

  it('writes no formula into the sheet of corrections', async () => {
    const parts = unzipSync((await file('trail=true')).rawPayload)
    const sheet = Buffer.from(parts['xl/worksheets/sheet2.xml'] ?? []).toString('utf8')
    expect(sheet).toContain('Seller miscounted')
    expect(sheet).not.toContain('<f>')
  })

  it('refuses corrections to callers who may not write prices, and exports only prices to these callers', async () => {
    const answer = await file('trail=true', 'authenticated')
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([403, 'access.denied'])
    const ownSheets = await readXlsxFile((await file('', 'authenticated')).rawPayload)
    expect(ownSheets).toHaveLength(1)
  })

  it('refuses more earlier prices than a file may contain, and returns their number', async () => {
    const rows = sql`from generate_series(1, 50001)`
    await resourceApp.database.query(sql`
      insert into revisions (resource, document_id, operation, changes)
      select 'pricelists', ${ids['Wheat Far']}::int, 'update', '{"price":{"before":"1.00","after":"2.00"}}' ${rows}`)
    const answer = await file('trail=true')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ error: { code: 'export.too-many', details: { params: { max: 50_000 } } } })
    expect((await file('')).statusCode).toBe(200)
  })

  it('refuses another value of the parameter trail', async () => {
    const answer = await file('trail=yes')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ error: { details: { errors: [{ path: ['trail'] }] } } })
  })
})
