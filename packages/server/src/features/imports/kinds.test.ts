import { importFields, isImportable, mayImport, resources as registry, type Resource } from '@dala/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildRole, buildTranslation } from '../../testing/factories.ts'
import { buildMarket, type Ids, ImportCalls, importsFolder, outline } from '../../testing/import-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { rowsOfFile } from '../../testing/sheets.ts'

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

const attributes = async (url: string) =>
  (await resourceApp.read<{ data: { attributes: Record<string, unknown> } }>(url)).data.attributes

describe('an import of records', () => {
  it('creates and changes records in several languages by an import, and restores them by its revert', async () => {
    const content = async () => {
      const texts = await resourceApp.database.query(
        sql`select to_jsonb(t) - 'version' - 'updated_at' - 'seen_changes' as row from products_texts t order by id`,
      )
      const documents = await resourceApp.database.query(
        sql`select to_jsonb(d) - 'source_changes' as row from products d order by id`,
      )
      return [documents, texts]
    }
    const contentBefore = await content()
    const sheetImport = await calls.read(
      [
        ['Name', 'Name (Русский)', 'Name (Qaraqalpaqsha)', 'Unit', 'Price', 'aliases', 'active'],
        ['Onions', 'Лук', 'Piyaz', 'кг', 4000, 'пиёз; пияз', 'yes'],
        ['Rice', 'Рис круглый', null, 'kilogram', '15 000', null, null],
        ['Wheat', 'Пшеница', null, null, null, null, null],
        ['Rye', null, null, 'pint', -5, null, 'perhaps'],
      ],
      { kind: 'products', locale: 'en' },
    )
    const columns = (sheetImport.mapping as { columns: { letter: string; key: string | null; status: string }[] })
      .columns
    const openColumns = columns.filter(({ status, key }) => status !== 'matched' || key === null)
    expect(openColumns).toEqual([])
    expect((await calls.rows(sheetImport.id)).map(outline)).toEqual([
      [2, 'create'],
      [3, 'update'],
      [4, 'same'],
      [5, 'error', 'G5 validation.boolean', 'D5 import.unknown-name', 'E5 validation.min'],
    ])
    expect((await calls.rows(sheetImport.id))[1]).toMatchObject({
      id: ids.rice,
      before: { 'name.ru': 'Рис', price: null },
      after: { 'name.ru': 'Рис круглый', price: 15_000 },
      changed: ['name.ru', 'price'],
    })
    expect(await calls.commit(sheetImport.id)).toMatchObject({
      state: 'done',
      created_count: 1,
      updated_count: 1,
      failed_count: 1,
    })
    expect((await resourceApp.read<{ data: object[] }>('/notices')).data[0]).toMatchObject({
      kind: 'import.done',
      params: { resource: 'products', created: 1, updated: 1 },
      address: `/import/${sheetImport.id}`,
    })
    expect(await attributes(`/products/${ids.rice}?locale=en`)).toMatchObject({ name: 'Rice', price: 15_000 })
    const importedProducts = await resourceApp.read<{ data: { attributes: object }[] }>(
      '/products?filters[name]=Piyaz&locale=kaa',
    )
    expect(importedProducts.data).toMatchObject([
      { attributes: { name: 'Piyaz', price: 4000, aliases: ['пиёз', 'пияз'], active: true } },
    ])
    expect((await calls.revert(sheetImport.id)).status).toBe(200)
    expect(await content()).toEqual(contentBefore)
  })

  it('imports accounts with random passwords and with roles that the importer may grant', async () => {
    const role = await buildRole(resourceApp.database, 'authenticated')
    expect(role).toBeGreaterThan(0)
    const head = ['username', 'email', 'role', 'name', 'region', 'district']
    const sheetImport = await calls.read(
      [
        head,
        ['aybek', 'aybek@example.org', 'authenticated', 'Aybek', null, 'Нукусский район'],
        ['marat', 'marat@example.org', 'owner', 'Marat', null, null],
        ['admin', 'other@example.org', 'authenticated', 'Nobody', null, null],
        ['gulnara', 'not an address', 'authenticated', 'Gulnara', 'Karakalpakstan', null],
      ],
      { kind: 'users', locale: 'en' },
    )
    const rows = await calls.rows(sheetImport.id)
    expect(rows.map(outline)).toMatchObject([
      [2, 'create'],
      [3, 'error', 'C3 user.role-not-granted'],
      [4, 'update'],
      [5, 'error', 'B5 validation.emailInvalid'],
    ])
    // The write path refuses a row that changes the importer's own role or address, and nothing is written.
    const refusedImport = await calls.commit(sheetImport.id)
    expect(refusedImport).toMatchObject({ state: 'preview', failure: { code: 'import.faulty' }, summary: { error: 3 } })
    expect(await calls.commit(sheetImport.id)).toMatchObject({ state: 'done', created_count: 1 })
    const { body } = await resourceApp.ask('GET', '/users?filters[username]=aybek&populate=*')
    expect(body).toMatchObject([
      { username: 'aybek', district: { name: 'Nukus district' }, region: { name: 'Karakalpakstan' } },
    ])
  })

  it('changes nothing when the imported sheet is an export', async () => {
    await buildTranslation(resourceApp.database, 'products', ids.tomato ?? 0, 'uz', {
      name: 'Pomidor',
      description: 'Qizil\nva shirin',
    })
    await buildRecord(resourceApp.database, 'faqs', {
      question: '=How?',
      answer: '<p>So <strong>and</strong> so</p><p>and on</p>',
    })
    for (const kind of ['products', 'units', 'districts', 'faqs', 'tags', 'regions']) {
      const resource: Resource = registry[kind as keyof typeof registry]
      const columns = ['id', ...new Set(importFields(resource).map(({ name }) => name))].filter(
        (name, index, allNames) => allNames.indexOf(name) === index,
      )
      const answer = await resourceApp.app.inject({
        method: 'POST',
        url: '/api/export',
        headers: { authorization: `Bearer ${resourceApp.tokens.admin}` },
        payload: {
          data: { resource: resource.wire, columns, format: 'xlsx', language: 'en', timeZone: 'Asia/Tashkent' },
        },
      })
      expect([kind, answer.statusCode]).toEqual([kind, 200])
      if ((await rowsOfFile(answer.rawPayload)).length < 2) continue
      const sheetImport = await calls.read(answer.rawPayload, { kind, locale: 'en' })
      expect([kind, sheetImport.summary]).toMatchObject([kind, { create: 0, update: 0, error: 0 }])
      expect(sheetImport.summary?.same).toBe(sheetImport.summary?.total)
    }
  })

  it('reads a filled-in template without a fault', async () => {
    for (const kind of Object.values(registry).filter(isImportable)) {
      const bytes = await calls.file(`/insert_excel/template?kind=${kind.name}&locale=ru`)
      const [headings = []] = await rowsOfFile(bytes)
      const expectedFields = importFields(kind).filter(({ key }) => key !== 'id')
      expect([kind.name, headings.filter((heading) => heading !== null).length]).toEqual([
        kind.name,
        expectedFields.length,
      ])
    }
    const prices = await rowsOfFile(
      await calls.file(`/insert_excel/template?kind=pricelists&locale=ru&date=2026-03-02&region=${ids.region}`),
    )
    expect(prices).toHaveLength(7)
    expect(prices[1]).toEqual(expect.arrayContaining(['Рис', 'Нукусский район']))
  })
})

describe('the resources that can be imported', () => {
  it('lists the resources that the caller may import, with their fields', async () => {
    const { data } = await resourceApp.read<{ data: { kind: string; fields: { key: string }[] }[] }>(
      '/insert_excel/kinds',
    )
    const kinds = data.map(({ kind }) => kind)
    expect(kinds).toEqual(
      Object.values(registry as Readonly<Record<string, Resource>>)
        .filter((resource) => isImportable(resource) && mayImport(resource, { role: 'admin', isConsultant: false }))
        .map(({ name }) => name),
    )
    expect((await resourceApp.ask('GET', '/insert_excel/kinds', undefined, 'authenticated')).status).toBe(403)
  })
  it.each([
    ['kind=courses', 400],
    ['kind=tags&locale=fr', 400],
    ['kind=pricelists&date=2026-02-30', 400],
    ['kind=pricelists&region=x', 400],
  ])('refuses the template of an import for %s', async (query, status) => {
    expect((await resourceApp.ask('GET', `/insert_excel/template?${query}`)).status).toBe(status)
  })
})
