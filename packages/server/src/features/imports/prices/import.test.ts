import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportMapping } from '@dala/model'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../../../db/sql.ts'
import {
  buildMarket,
  type Ids,
  type Import,
  ImportCalls,
  importsFolder,
  outline,
} from '../../../testing/import-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import { type Rows, rowsOfFile, makeSheet } from '../../../testing/sheets.ts'

let ids: Ids = {}
const folder = importsFolder()
const failTest = (error: unknown) => {
  throw error
}
const resourceApp = startResourceApp(
  async (startedApp) => {
    ids = await buildMarket(startedApp)
    await startedApp.queue.start(failTest)
  },
  { DATA_DIR: folder },
)
afterAll(() => resourceApp.queue.stop())
let calls: ImportCalls
beforeAll(() => {
  calls = new ImportCalls(resourceApp)
})

const head = ['Product', 'District', 'Unit', 'Price', 'Highest price', 'Note']
const texts = { kind: 'pricelists', date: '2026-03-02', locale: 'en' }
const on = (date: string) => ({ ...texts, date })
const prices = async (date = '2026-03-02') =>
  (
    await resourceApp.read<{ data: { id: number; attributes: Record<string, unknown> }[] }>(
      `/pricelists?filters[pricedate][date]=${date}&pagination[pageSize]=100&sort=id`,
    )
  ).data.map(({ id, attributes }) => ({ id, ...attributes }))
/** Reads all columns of prices and their days, except those that every write changes. */
const content = () =>
  resourceApp.database.query(sql`
    select 'price' as kind, to_jsonb(p) - 'version' - 'updated_at' as row from pricelists p
     union all select 'day', to_jsonb(d) - 'version' - 'updated_at' from pricedates d order by 1, 2`)
const validRows = (price: unknown = 15_000): Rows => [
  head,
  ['Rice', 'Nukus district', 'кг', price as number, null, null],
]

describe('an import of prices', () => {
  it('previews an import of prices with every fault, writes it, and reverts it', async () => {
    const sheetImport = await calls.read(
      [
        head,
        ['Rice', 'Nukus district', 'кг', 15_000, 16_000, 'new'],
        ['Пшеница', 'Чимбайский район', null, '4 150,50', null, null],
        ['Буғдой', 'Nukus district', 'т', 4_000_000, null, null],
        ['Помидор', 'Nukus district', 'кг', 9_000, null, null],
        ['Tomatoes', 'Чимбай', 'кг', 9_000, null, null],
        ['Tomatoes', 'Nukus district', 'мешок', 9_000, null, null],
        ['Rice', 'Chimbay district', 'кг', '155О0', null, null],
        ['Rice', 'Chimbay district', 'кг', null, null, null],
        [null, 'Chimbay district', 'кг', 0, null, null],
        ['Tomatoes', 'Nukus district', 'кг', 9_000, 8_000, null],
        ['Tomatoes', 'Chimbay district', 'кг', 1, null, null],
        ['Томаты', 'Чимбайский район', 'кг', 2, null, null],
      ],
      texts,
    )
    expect(sheetImport).toMatchObject({
      state: 'preview',
      failure: null,
      same_as: null,
      summary: { total: 12, create: 3, update: 0, error: 8, skip: 1 },
    })
    expect((await calls.rows(sheetImport.id)).map(outline)).toEqual([
      [2, 'create'],
      [3, 'create'],
      [4, 'create'],
      [5, 'error', 'A5 import.unknown-name'],
      [6, 'error', 'B6 import.unknown-name'],
      [7, 'error', 'C7 price.unit', 'A7 import.twice'],
      [8, 'error', 'D8 import.letter'],
      [9, 'skip'],
      [10, 'error', 'A10 validation.required', 'D10 validation.above'],
      [11, 'error', 'E11 rule.ascending', 'A11 import.twice'],
      [12, 'error', 'A12 import.twice'],
      [13, 'error', 'A13 import.twice'],
    ])
    const [, , , , chimbay, , letter] = await calls.rows(sheetImport.id)
    expect(letter?.issues[0]).toMatchObject({ value: '155О0', wrong_letters: [3] })
    expect(chimbay?.issues[0]).toMatchObject({
      value: 'Чимбай',
      message: 'Чимбай is not known',
      suggestion: { value: `#${ids.chimbay}`, label: 'Chimbay district' },
    })
    expect(await calls.rows(sheetImport.id, 'filter=create')).toHaveLength(3)
    const secondPage = await calls.rows(sheetImport.id, 'filter=create&pagination[page]=2&pagination[pageSize]=2')
    expect(secondPage.map(({ row }) => row)).toEqual([4])
    // The preview shows names in the user's language, and the sheet has other names: the search finds both.
    const findRows = async (text: string) =>
      (await calls.rows(sheetImport.id, `_q=${encodeURIComponent(text)}`)).map(({ row }) => row)
    expect((await findRows('чимбайский')).toSorted((a, b) => a - b)).toEqual([3, 8, 9, 10, 12, 13])
    expect((await findRows('chimbay')).toSorted((a, b) => a - b)).toEqual([3, 8, 9, 10, 12, 13])
    expect(await findRows('томаты')).toEqual(await findRows('tomatoes'))
    expect(await findRows('nothing of it')).toEqual([])
    const contentBefore = await content()
    const committedImport = await calls.commit(sheetImport.id)
    expect(committedImport).toMatchObject({ state: 'done', created_count: 3, updated_count: 0, failed_count: 8 })
    expect(await prices()).toMatchObject([
      { price: 15_000, price_max: 16_000, origin: 'imported', price_base: 15_000, note: 'new' },
      { price: 4150.5, price_base: 4150.5 },
      { price: 4_000_000, price_base: 4000 },
    ])
    const region = await resourceApp.database.query(sql`select 1 from pricelists where region_id is null`)
    expect(region).toEqual([])
    expect((await calls.revert(sheetImport.id)).status).toBe(200)
    expect(await prices()).toEqual([])
    expect(await content()).toEqual(contentBefore)
    expect((await calls.revert(sheetImport.id)).status).toBe(409)
  })

  it('marks the letters that make a name unknown, in the fault and in the list of names', async () => {
    const [mixedName, slip] = ['Whe\u0430t', 'Nukuss district']
    const sheetImport = await calls.read(
      // The unit of the product is not required while the product is unknown.
      [head, [mixedName, 'Nukus district', null, 5, null, null], ['Rice', slip, 'кг', 5, null, null]],
      on('2026-03-22'),
    )
    expect((await calls.rows(sheetImport.id)).map(({ issues }) => issues)).toMatchObject([
      [{ value: mixedName, wrong_letters: [3], suggestion: { label: 'Wheat' } }],
      [{ value: slip, wrong_letters: [5], suggestion: { label: 'Nukus district' } }],
    ])
    expect((sheetImport.mapping as ImportMapping).names).toMatchObject([
      { name: mixedName, wrong_letters: [3] },
      { name: slip, wrong_letters: [5] },
    ])
  })

  it('corrects an import in the preview: cells, names, skipped rows', async () => {
    const sheetImport = await calls.read(
      [
        head,
        ['Помидор', 'Nukus district', 'кг', '9,000', null, null],
        ['помидор ', 'Chimbay district', 'кг', 8_000, null, null],
        ['Rice', 'Nukus district', 'кг', 1, null, null],
        ['Rice', 'Nukus district', 'кг', 2, null, null],
      ],
      on('2026-03-03'),
    )
    const { names, open_names: openCount } = sheetImport.mapping as ImportMapping
    expect([names, openCount]).toMatchObject([[{ key: 'product', name: 'Помидор', rows: 2, target: null }], 1])
    const leftNames = [{ key: 'product', name: 'Помидор' }]
    await calls.correct(sheetImport.id, { mapping: { left: leftNames, left_rest: true } })
    // The decision on a name is stored in the import, so another page and another user see it.
    expect((await calls.get(sheetImport.id)).mapping).toMatchObject({ left: leftNames, left_rest: true, open_names: 1 })
    await calls.correct(sheetImport.id, { mapping: { remember: false } })
    expect((await calls.get(sheetImport.id)).mapping).toMatchObject({ left: leftNames, left_rest: true })
    const namedImport = await calls.correct(sheetImport.id, {
      names: [{ key: 'product', name: 'Помидор', target: ids.tomato }],
      mapping: { aliases: true },
    })
    expect(namedImport).toMatchObject({
      state: 'preview',
      summary: { create: 1, error: 3 },
      mapping: { open_names: 0, left: [], names: [{ target: { id: ids.tomato } }] },
    })
    const mendedImport = await calls.correct(sheetImport.id, {
      rows: [{ row: 2, values: { price: '9000' } }],
      skip: [5],
    })
    expect(mendedImport.summary).toMatchObject({ create: 3, error: 0, skip: 1 })
    const [firstRow, , thirdRow, lastRow] = await calls.rows(sheetImport.id)
    expect(firstRow).toMatchObject({ corrected: { price: '9000' }, given: { price: '9,000' }, after: { price: 9000 } })
    expect([thirdRow?.twins, lastRow?.action]).toEqual([[], 'skip'])
    expect((await calls.correct(sheetImport.id, { keep: [5] })).summary).toMatchObject({ create: 2, error: 2 })
    await calls.correct(sheetImport.id, { skip: [4, 5], rows: [{ row: 2, values: { price: null } }] })
    expect((await calls.get(sheetImport.id)).summary).toMatchObject({ create: 1, error: 1, skip: 2 })
    await calls.commit(sheetImport.id)
    // Both the stored record and the next import know the accepted name now.
    const { data } = await resourceApp.read<{ data: { attributes: object } }>(`/products/${ids.tomato}`)
    expect(data.attributes).toMatchObject({ aliases: ['Помидор'] })
    const nextImport = await calls.read([head, ['ПОМИДОР', 'Nukus district', 'кг', 5, null, null]], on('2026-03-04'))
    expect(nextImport.summary).toMatchObject({ create: 1, error: 0 })
  })

  it('waits for decisions on the columns of an import, and remembers accepted decisions', async () => {
    const rows: Rows = [
      ['Прайс', null, null, null],
      ['Product', 'Районы', 'Нархлар', '№'],
      ['Rice', 'Nukus district', 100, 1],
    ]
    const sheetImport = await calls.read(rows, on('2026-03-05'))
    expect(sheetImport.reading).toMatchObject({ heading_row: 2, sheet: 'Sheet', merged: [], formulas: 0 })
    expect(sheetImport.mapping).toMatchObject({
      open_columns: 2,
      missing: ['district'],
      columns: [
        { letter: 'A', key: 'product', why: 'heading' },
        { letter: 'B', key: null, status: 'open', why: 'near', candidates: ['district'], samples: ['Nukus district'] },
        { letter: 'C', key: null, status: 'open', why: 'several' },
        { letter: 'D', status: 'skipped' },
      ],
    })
    expect(await calls.ask(sheetImport.id)).toMatchObject({ status: 422, body: { error: { code: 'import.open' } } })
    const chosenImport = await calls.correct(sheetImport.id, { mapping: { columns: { B: 'district', C: 'price' } } })
    expect(chosenImport).toMatchObject({ mapping: { open_columns: 0, missing: [] }, summary: { create: 1 } })
    await calls.commit(sheetImport.id)
    const repeatedImport = await calls.read(
      [
        ['Product', 'районы', 'НАРХЛАР'],
        ['Rice', 'Nukus district', 100],
      ],
      on('2026-03-05'),
    )
    expect(repeatedImport).toMatchObject({
      mapping: {
        columns: [{ key: 'product' }, { key: 'district', why: 'remembered' }, { key: 'price', why: 'remembered' }],
      },
      summary: { same: 1, create: 0 },
    })
  })

  it('reads an import again from another sheet or row of headings', async () => {
    const sheetImport = await calls.read(
      [
        ['Product', 'District', 'Price'],
        ['Product', 'District', 'Price'],
        ['Rice', 'Nukus district', 7],
      ],
      on('2026-03-06'),
    )
    expect(sheetImport.summary).toMatchObject({ total: 2, error: 1 })
    const lowerImport = await calls.correct(sheetImport.id, { mapping: { heading_row: 2 } })
    expect(lowerImport).toMatchObject({ reading: { heading_row: 2 }, summary: { total: 1, create: 1 } })
    const { version } = lowerImport
    await resourceApp.ask('PUT', `/insert_excel/${sheetImport.id}`, {
      data: { version, mapping: { sheet: 'Nowhere' } },
    })
    expect(await calls.settled(sheetImport.id)).toMatchObject({ state: 'failed', failure: { code: 'import.sheet' } })
    expect((await resourceApp.read<{ data: object[] }>('/notices')).data[0]).toMatchObject({
      kind: 'import.failed',
      params: { resource: 'pricelists', file: 'sheet.xlsx' },
      address: `/import/${sheetImport.id}`,
    })
  })

  it('reports how the file was read: hidden, merged, formulas, protection, the same file again', async () => {
    const bytes = await makeSheet(
      [head, ['Rice', 'Nukus district', 'кг', null, null, null], [null, 'Chimbay district', 'кг', 3, null, null]],
      {
        merges: [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }],
        rowDefs: new Map([[2, { hidden: true }]]),
        columns: [{}, {}, { hidden: true }],
        protection: { sheet: true },
        cells: new Map([['1,3', { type: 'formula', formula: '1+1', formulaResult: 2, value: 2 }]]),
      },
    )
    const sheetImport = await calls.read(bytes, on('2026-03-07'))
    expect(sheetImport.reading).toMatchObject({
      formulas: 1,
      merged: ['A2:A3'],
      merged_count: 1,
      hidden_rows: [3],
      is_protected: true,
    })
    const hiddenColumnList = (sheetImport.mapping as ImportMapping).columns.filter(({ isHidden }) => isHidden)
    expect(hiddenColumnList.map(({ letter }) => letter)).toEqual(['C'])
    const rows = await calls.rows(sheetImport.id)
    expect(rows.map(outline)).toEqual([
      [2, 'create'],
      [3, 'error', 'A3 import.merged'],
    ])
    expect(rows[0]?.after).toMatchObject({ price: 2 })
    expect(rows[1]).toMatchObject({ is_hidden: true, issues: [{ suggestion: { value: 'Rice' } }] })
    const repeatedImport = await calls.read(bytes, on('2026-03-07'))
    expect(repeatedImport.same_as).toMatchObject({
      id: sheetImport.id,
      file_name: 'sheet.xlsx',
      author: 'admin',
      state: 'preview',
    })
  })

  it('writes a sheet of faults that imports without a fault when it is corrected', async () => {
    const sheetImport = await calls.read(
      [head, ['Rice', 'Nukus district', 'кг', 'x', 9, null], ['Rice', 'Chimbay district', 'кг', 4, null, null]],
      on('2026-03-08'),
    )
    const sheet = await rowsOfFile(await calls.file(`/insert_excel/${sheetImport.id}/errors?locale=en`))
    expect(sheet).toEqual([
      [...head, 'Reason'],
      ['Rice', 'Nukus district', 'кг', 'x', 9, null, expect.stringContaining('D2: ')],
    ])
    const mendedSheet = sheet.map((row) => row.map((value) => (value === 'x' ? 8 : value)))
    expect((await calls.read(mendedSheet, on('2026-03-08'))).summary).toMatchObject({ total: 1, create: 1, error: 0 })
  })
})

describe('a commit', () => {
  it('refuses a commit of a stale version, in another state, with faulty required rows, or without rows', async () => {
    const sheetImport = await calls.read([...validRows(), ['x', 'y', 'кг', 1, null, null]], on('2026-03-09'))
    const commit = (data: object) => resourceApp.ask('POST', `/insert_excel/${sheetImport.id}/commit`, { data })
    expect(await commit({ version: sheetImport.version, mode: 'all_or_nothing' })).toMatchObject({
      status: 422,
      body: { error: { code: 'import.faulty', details: { count: 1 } } },
    })
    expect(await commit({ version: sheetImport.version - 1, mode: 'valid_only' })).toMatchObject({
      status: 409,
      body: { error: { code: 'record.stale', details: { current: { attributes: { version: sheetImport.version } } } } },
    })
    expect((await commit({})).body).toMatchObject({
      error: { details: { errors: [{ path: ['version'] }, { path: ['mode'] }] } },
    })
    await calls.correct(sheetImport.id, { skip: [2] })
    expect(await calls.ask(sheetImport.id)).toMatchObject({ status: 422, body: { error: { code: 'import.nothing' } } })
    await calls.correct(sheetImport.id, { keep: [2] })
    expect(await calls.commit(sheetImport.id)).toMatchObject({ state: 'done', created_count: 1 })
    expect(await calls.ask(sheetImport.id)).toMatchObject({ status: 409, body: { error: { code: 'import.state' } } })
    const { version } = await calls.get(sheetImport.id)
    expect(
      await resourceApp.ask('PUT', `/insert_excel/${sheetImport.id}`, { data: { version, skip: [2] } }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: 'import.state' } },
    })
  })

  it('commits an import once for an idempotency key', async () => {
    const sheetImport = await calls.read(validRows(), on('2026-03-10'))
    const commit = () =>
      resourceApp.app.inject({
        method: 'POST',
        url: `/api/insert_excel/${sheetImport.id}/commit`,
        headers: { authorization: `Bearer ${resourceApp.tokens.admin}`, 'idempotency-key': 'commit-1' },
        payload: { data: { version: sheetImport.version, mode: 'valid_only' } },
      })
    const firstCommit = await commit()
    await calls.settled(sheetImport.id)
    const secondCommit = await commit()
    expect([firstCommit.statusCode, secondCommit.statusCode, secondCommit.headers['idempotent-replayed']]).toEqual([
      202,
      202,
      'true',
    ])
    expect(secondCommit.json()).toEqual(firstCommit.json())
    expect(await prices('2026-03-10')).toHaveLength(1)
  })

  it('shows concurrent changes of colleagues to imported records, and never overwrites them', async () => {
    await calls.commit((await calls.read(validRows(100), on('2026-03-11'))).id)
    const sheetImport = await calls.read(validRows(200), on('2026-03-11'))
    const [price] = await prices('2026-03-11')
    await resourceApp.ask('PUT', `/pricelists/${price?.id}`, { data: { price: 150 } })
    expect(await calls.ask(sheetImport.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'import.changed', details: { count: 1 } } },
    })
    expect(await calls.rows(sheetImport.id)).toMatchObject([
      { action: 'update', before: { price: 150 }, after: { price: 200 } },
    ])
    expect(await calls.get(sheetImport.id)).toMatchObject({ state: 'preview', failure: { code: 'import.changed' } })
    expect(await calls.commit(sheetImport.id)).toMatchObject({ state: 'done', updated_count: 1 })
    expect(await prices('2026-03-11')).toMatchObject([{ price: 200, origin: 'imported' }])
  })

  it('loses no price when two imports write the same records concurrently', async () => {
    const [firstImport, secondImport] = [
      await calls.read(validRows(10), on('2026-03-12')),
      await calls.read(validRows(20), on('2026-03-12')),
    ]
    const [firstAnswer, secondAnswer] = await Promise.all([calls.ask(firstImport.id), calls.ask(secondImport.id)])
    expect([firstAnswer.status, secondAnswer.status].filter((status) => status === 202).length).toBeGreaterThan(0)
    const [a, b] = [await calls.settled(firstImport.id), await calls.settled(secondImport.id)]
    expect([a.state, b.state].toSorted()).toEqual(['done', 'preview'])
    expect(await prices('2026-03-12')).toHaveLength(1)
    const refusedCommit = a.state === 'preview' ? a : b
    expect(refusedCommit).toMatchObject({ failure: { code: 'import.changed' }, summary: { update: 1, create: 0 } })
  })

  it('writes the prices of two concurrent imports of one day', async () => {
    const otherRows: Rows = [head, ['Wheat', 'Chimbay district', 'кг', 20, null, null]]
    const [firstImport, secondImport] = [
      await calls.read(validRows(10), on('2026-03-21')),
      await calls.read(otherRows, on('2026-03-21')),
    ]
    const answers = await Promise.all([calls.ask(firstImport.id), calls.ask(secondImport.id)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    for (const { id } of [firstImport, secondImport]) {
      const now = await calls.settled(id)
      // The other import has created the price date meanwhile, so this one is committed again.
      if (now.state === 'preview') await calls.commit(id)
    }
    expect(await prices('2026-03-21')).toHaveLength(2)
    expect(await prices('2026-03-21')).toEqual(
      expect.arrayContaining([expect.objectContaining({ price: 10 }), expect.objectContaining({ price: 20 })]),
    )
    const days = await resourceApp.database.query(sql`select 1 from pricedates where date = '2026-03-21'`)
    expect(days).toHaveLength(1)
  })

  it('requires a reason for imported corrections of a published day', async () => {
    await calls.commit((await calls.read(validRows(100), on('2026-03-13'))).id)
    const [day] = await resourceApp.database.query(
      sql<{ id: number }>`select id from pricedates where date = '2026-03-13'`,
    )
    await resourceApp.ask('POST', `/pricedates/${day?.id}/submit`)
    expect((await resourceApp.ask('POST', `/pricedates/${day?.id}/publish`, undefined, 'owner')).status).toBe(200)
    const sheetImport = await calls.read(validRows(130), on('2026-03-13'))
    expect((await calls.rows(sheetImport.id)).map(outline)).toEqual([[2, 'error', 'F2 state.reason']])
    await calls.correct(sheetImport.id, { rows: [{ row: 2, values: { note: 'mistyped' } }] })
    expect(await calls.commit(sheetImport.id)).toMatchObject({ state: 'done', updated_count: 1 })
  })

  it('writes a history and audit lines for each imported record, as single writes do', async () => {
    await calls.commit((await calls.read(validRows(130), on('2026-03-14'))).id)
    await calls.commit((await calls.read(validRows(131), on('2026-03-14'))).id)
    const [price] = await prices('2026-03-14')
    const revisions = await resourceApp.database.query(sql<{ operation: string; changes: Record<string, object> }>`
      select operation, changes from revisions where resource = 'pricelists' and document_id = ${price?.id} order by id`)
    expect(revisions).toMatchObject([
      { operation: 'create', changes: { price: { before: null, after: 130 } } },
      { operation: 'update', changes: { price: { before: 130, after: 131 }, price_base: { before: 130, after: 131 } } },
    ])
    const lines = await resourceApp.database.query(
      sql`select action, user_id from audit where resource = 'pricelists' and entry = ${price?.id} order by id`,
    )
    expect(lines).toEqual([
      { action: 'record.create', user_id: resourceApp.people.admin },
      { action: 'record.update', user_id: resourceApp.people.admin },
    ])
  })
})

describe('a revert', () => {
  it('restores changed prices exactly when an import is reverted', async () => {
    await calls.commit((await calls.read(validRows(130), on('2026-03-15'))).id)
    const contentBefore = await content()
    const sheetImport = await calls.read(
      [...validRows(131), ['Wheat', 'Nukus district', 'т', 5, 6, 'n']],
      on('2026-03-15'),
    )
    await calls.commit(sheetImport.id)
    expect(await content()).not.toEqual(contentBefore)
    expect(await calls.revert(sheetImport.id)).toMatchObject({
      status: 200,
      body: { data: { attributes: { state: 'reverted' } } },
    })
    expect(await content()).toEqual(contentBefore)
  })

  it('refuses a revert with the list of records that have been changed since the import', async () => {
    const sheetImport = await calls.read(validRows(130), on('2026-03-16'))
    await calls.commit(sheetImport.id)
    const [price] = await prices('2026-03-16')
    await resourceApp.ask('PUT', `/pricelists/${price?.id}`, { data: { price: 132 } })
    expect(await calls.revert(sheetImport.id)).toMatchObject({
      status: 409,
      body: {
        error: { code: 'import.touched', details: { count: 1, records: [{ row: 2, id: price?.id, why: 'changed' }] } },
      },
    })
    await resourceApp.ask('DELETE', `/pricelists/${price?.id}`)
    expect(await calls.revert(sheetImport.id)).toMatchObject({
      status: 409,
      body: { error: { details: { records: [{ why: 'removed' }] } } },
    })
  })
})

describe('a correction', () => {
  let openImport: Import | undefined
  it('refuses a correction with the present import when a colleague was faster', async () => {
    const sheetImport = await calls.read(
      [...validRows(), ['x', 'Nukus district', 'кг', 1, null, null]],
      on('2026-03-17'),
    )
    await calls.correct(sheetImport.id, { skip: [3] })
    const lateCorrection = { version: sheetImport.version, rows: [{ row: 3, values: { product: 'Rice' } }] }
    expect(await resourceApp.ask('PUT', `/insert_excel/${sheetImport.id}`, { data: lateCorrection })).toMatchObject({
      status: 409,
      body: { error: { code: 'record.stale', details: { current: { attributes: { summary: { skip: 1 } } } } } },
    })
  })

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['version']],
    ['an invalid version', { version: 'x' }, ['version']],
    [
      'columns that are no fields',
      { version: 1, mapping: { columns: { A: 'origin', b: 'price' } } },
      ['columns', 'columns'],
    ],
    ['an invalid day', { version: 1, mapping: { date: '2026-02-30', remember: 1 } }, ['date', 'remember']],
    ['left names that are no links', { version: 1, mapping: { left: [{ key: 'price', name: 'x' }] } }, ['left']],
    ['names of fields that are no links', { version: 1, names: [{ key: 'price', name: 'x', target: 1 }] }, ['names']],
    [
      'names of records that do not exist',
      { version: 1, names: [{ key: 'product', name: 'x', target: 999_999 }] },
      ['names'],
    ],
    ['values that are no texts', { version: 1, rows: [{ row: 2, values: { price: 5 } }] }, ['rows']],
    ['rows that are no numbers', { version: 1, skip: ['a'], keep: [0] }, ['skip', 'keep']],
    ['confirmations of no rows', { version: 1, confirm: 2, unconfirm: [-1] }, ['confirm', 'unconfirm']],
    [
      'too many rows',
      { version: 1, rows: Array.from({ length: 501 }, (_, row) => ({ row: row + 1, values: {} })) },
      ['rows'],
    ],
  ])('refuses a correction of an import with %s', async (_what, data, paths) => {
    openImport ??= await calls.read(validRows(), on('2026-03-18'))
    const { status, body } = await resourceApp.ask('PUT', `/insert_excel/${openImport.id}`, { data })
    const { errors = [] } = (body as { error: { details: { errors?: { path: string[] }[] } } }).error.details
    expect([status, errors.map(({ path }) => path[0])]).toEqual([422, paths])
  })

  it('refuses the routes of an import to callers below staff, and returns 404 for an unknown import', async () => {
    const sheetImport = await calls.read(validRows(), on('2026-03-19'))
    for (const [method, url] of [
      ['GET', `/insert_excel/${sheetImport.id}/rows`],
      ['PUT', `/insert_excel/${sheetImport.id}`],
      ['POST', `/insert_excel/${sheetImport.id}/commit`],
      ['POST', `/insert_excel/${sheetImport.id}/revert`],
      ['GET', `/insert_excel/${sheetImport.id}/errors`],
      ['GET', `/insert_excel/${sheetImport.id}/districts`],
    ] as const) {
      const data = method === 'GET' ? undefined : { data: { version: 1, mode: 'valid_only' } }
      expect([url, (await resourceApp.ask(method, url, data, 'authenticated')).status]).toEqual([url, 403])
      const unknownUrl = url.replace(String(sheetImport.id), '999999')
      expect([unknownUrl, (await resourceApp.ask(method, unknownUrl, data)).status]).toEqual([unknownUrl, 404])
    }
    expect((await resourceApp.ask('GET', `/insert_excel/${sheetImport.id}/rows?filter=some`)).status).toBe(400)
  })

  it('shows an import of users only to its author and the owner', async () => {
    const sheetImport = await calls.read(
      [
        ['username', 'email'],
        ['aa1', 'a@example.org'],
      ],
      { kind: 'users' },
      'super-admin',
    )
    for (const url of [`/insert_excel/${sheetImport.id}`, `/insert_excel/${sheetImport.id}/rows`])
      expect((await resourceApp.ask('GET', url, undefined, 'admin')).status).toBe(404)
    expect((await resourceApp.ask('GET', `/insert_excel/${sheetImport.id}/rows`, undefined, 'owner')).status).toBe(200)
  })
})

describe('a sheet that cannot be imported', () => {
  const readFailedImport = async (file: Rows | Buffer) => {
    const sheetImport = await calls.read(file, texts)
    return [sheetImport.state, sheetImport.failure?.code]
  }
  it.each<[string, () => Promise<Buffer>, string]>([
    ['without a row below its headings', () => makeSheet([head]), 'import.empty'],
    ['without a cell', () => makeSheet([[]]), 'import.empty'],
    ['of empty texts', () => makeSheet([['  ', ' ']]), 'import.empty'],
    ['of too many rows', () => makeSheet([head, ...Array.from({ length: 50_030 }, () => ['a'])]), 'import.rows'],
  ])('fails the import of a sheet %s', async (_what, file, code) => {
    expect(await readFailedImport(await file())).toEqual(['failed', code])
    const leftFiles = readdirSync(join(folder, 'imports'))
    const knownRows = await resourceApp.database.query(
      sql<{
        file: string
      }>`select stored_file as file from insert_excel where state not in ('failed', 'done', 'reverted')`,
    )
    expect(leftFiles.toSorted()).toEqual(knownRows.map(({ file }) => file).toSorted())
  })
})

describe('a restart', () => {
  it('continues imports after a restart that were being read or written', async () => {
    await resourceApp.queue.stop()
    const form = await calls.send(await makeSheet(validRows(130)), on('2026-03-20'))
    const { id } = (form.body as { data: { id: number } }).data
    expect((await calls.get(id)).state).toBe('parsing')
    await resourceApp.queue.start(failTest)
    expect((await calls.settled(id)).state).toBe('preview')
    const wakeSpy = vi.spyOn(resourceApp.queue, 'wake').mockResolvedValue()
    expect((await calls.ask(id)).status).toBe(202)
    wakeSpy.mockRestore()
    await resourceApp.queue.stop()
    expect([(await calls.get(id)).state, (await prices('2026-03-20')).length]).toEqual(['committing', 0])
    await resourceApp.queue.start(failTest)
    expect((await calls.settled(id)).state).toBe('done')
    expect(await prices('2026-03-20')).toHaveLength(1)
  })
})
