import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Field, isScalar, kindOf, type Locale, localeNames, type Resource, toCyrillic } from '@dala/model'
import en from '@dala/model/labels/en.json' with { type: 'json' }
import ru from '@dala/model/labels/ru.json' with { type: 'json' }
import { unzipSync } from 'fflate'
import { sql } from '../../db/sql.ts'
import { skipTriggers } from '../../testing/databases.ts'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it, vi } from 'vitest'
import { resources } from '../../resources/attributes.ts'
import { seed } from '../../seed/index.ts'
import { labelsOf } from '../../resources/labels.ts'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildTag,
  buildUser,
  buildTranslation,
} from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { readZoneClock } from './zone.ts'

const resourceApp = startResourceApp()
const catalogue: Readonly<Record<'en' | 'ru', Readonly<Record<string, string>>>> = { en, ru }
type Role = 'owner' | 'admin' | 'authenticated'

const headersOf = (role: Role) => ({ authorization: `Bearer ${resourceApp.tokens[role]}` })
const requestExport = (data: Record<string, unknown>, role: Role | 'public' = 'owner') => {
  const headers = role === 'public' ? {} : headersOf(role)
  return resourceApp.app.inject({ method: 'POST', url: '/api/export', headers, payload: { data } })
}
const base = { format: 'xlsx', language: 'ru', timeZone: 'Asia/Tashkent' }
const readExportedSheet = async (data: Record<string, unknown>, role?: Role) => {
  const answer = await requestExport({ ...base, ...data }, role)
  expect([data, answer.statusCode, answer.statusCode === 200 || answer.body]).toEqual([data, 200, true])
  return readSheet(answer.rawPayload)
}
const textOf = async (data: Record<string, unknown>, role?: Role) =>
  (await requestExport({ ...base, format: 'csv', ...data }, role)).body

/** Splits a CSV file into its cells, without quotes. */
function cellsOf(csv: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quotedText, plainText = '', end] of csv
    .slice(1)
    .matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r\n)/g)) {
    lines.at(-1)?.push(quotedText === undefined ? plainText : quotedText.replaceAll('""', '"'))
    if (end !== ';') lines.push([])
  }
  return lines.slice(0, -1)
}

interface ExportedRow {
  [key: string]: unknown
  id: number
}
const flattenRow = (entry: unknown): ExportedRow => {
  const { id, attributes } = entry as { id: number; attributes?: Record<string, unknown> }
  return attributes ? { id, ...attributes } : (entry as ExportedRow)
}
const findLinkedRows = (value: unknown): ExportedRow[] => {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  return (Array.isArray(data) ? data : [data]).filter((item) => item !== null && item !== undefined).map(flattenRow)
}
const labelOf = (language: 'en' | 'ru', ...keys: string[]) => {
  const key = keys.find((candidate) => candidate in catalogue[language])
  return key === undefined ? undefined : catalogue[language][key]
}
/** Writes a value of the wire that is not a structure as text. */
const toPlainText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const pickLanguage = (value: unknown, language: Locale): string => {
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined ? '' : toPlainText(value)
  const texts = value as Partial<Record<Locale, string>>
  return texts[language] || texts.en || texts.ru || texts.uz || texts.kaa || ''
}
/** Returns a moment on the clock of Tashkent, which is always five hours ahead of UTC. */
const onClock = (moment: string) => new Date(Math.floor((Date.parse(moment) + 5 * 3_600_000) / 1_000) * 1_000)

/** Returns the expected cell for a value of the list, derived independently from the declaration. */
function expectedCellOf(resource: Resource, name: string, entry: ExportedRow, language: 'en' | 'ru'): unknown {
  const value = entry[name]
  if (name === 'localizations') return 'any'
  if (name === 'createdAt' || name === 'updatedAt') return onClock(toPlainText(value))
  const field = resource.fields[name] as Field
  if (value === null || value === undefined) return null
  if (field.kind === 'count') return value
  if (!isScalar(field)) {
    const target = resources[field.target] as Resource
    const [linkedRow] = findLinkedRows(value)
    if (linkedRow && !Array.isArray(value) && target.fields[target.title]?.kind === 'date')
      return new Date(`${toPlainText(linkedRow[target.title])}T00:00:00Z`)
    const names = findLinkedRows(value).map((targetRow) => {
      if (target.titleChoice)
        return labelOf(
          language,
          `value.${target.titleChoice}.${String(targetRow[target.titleChoice])}`,
          `${target.name}.values.${target.titleChoice}.${String(targetRow[target.titleChoice])}`,
        )
      const parts = (target.titleFields ?? []).map((titleField) => targetRow[titleField]).filter(Boolean)
      const title = pickLanguage(targetRow[target.title], language)
      return parts.length > 0 ? parts.join(' ') : title || `Без названия, № ${targetRow.id}`
    })
    return names.length === 0 ? null : names.join('; ')
  }
  const { storage } = kindOf(field)
  if (storage === 'boolean') return catalogue[language][value === true ? 'action.yes' : 'action.no']
  if (storage === 'integer' || storage === 'decimal') return Number(value)
  if (storage === 'date') return new Date(`${toPlainText(value)}T00:00:00Z`)
  if (storage === 'timestamp') return onClock(toPlainText(value))
  if (field.kind === 'choice')
    return labelOf(
      language,
      `${resource.name}.values.${name}.${toPlainText(value)}`,
      `value.${name}.${toPlainText(value)}`,
    )
  if (field.kind === 'translations') return pickLanguage(value, language) || null
  if (field.kind === 'rich' || field.kind === 'json') return 'any'
  const text = toPlainText(value).replaceAll(/\r\n?/g, '\n')
  return text === '' ? null : /^[=+\-@\t\r]/.test(toPlainText(value)) ? `'${text}` : text
}

describe('an export', { timeout: 240_000 }, () => {
  it('exports the values of the list with their types, for all resources of a seeded demo', async () => {
    await seed(resourceApp.database, {
      seed: 'samples',
      ownerEmail: 'seed-owner@example.org',
      demoPassword: 'Harvest-2026',
    })
    // Resources whose lists have forms of their own are left out of the test of exports.
    const separateResources = ['statistics', 'users', 'staff', 'chatrooms', 'chatmessages']
    const lists = Object.values(resources).filter(
      ({ single, fixedRows, name }) => !single && !fixedRows && !separateResources.includes(name),
    )
    let comparedCount = 0
    for (const resource of lists) {
      const columns = Object.entries<Field>(resource.fields).flatMap(([name, field]) => (field.private ? [] : [name]))
      const links = columns.filter((name) => {
        const field = resource.fields[name]
        return field && !isScalar(field) && field.kind !== 'count'
      })
      const allColumns = [...columns, 'createdAt', 'updatedAt', ...(resource.localized ? ['localizations'] : [])]
      const sort = 'createdAt:desc'
      // An export writes an audit line itself: the audit is compared without these lines.
      const rowFilter = resource.name === 'audit' ? { filters: { action: { $ne: 'export' } } } : {}
      const rows = await readExportedSheet({
        resource: resource.wire,
        columns: allColumns,
        query: { locale: 'ru', sort, ...rowFilter },
      })
      const populate = links.map((name, index) => `populate[${index}]=${name}`).join('&')
      const narrowedQuery = resource.name === 'audit' ? '&filters[action][$ne]=export' : ''
      const listedRows: ExportedRow[] = []
      for (let page = 1; page < 6; page += 1) {
        const { status, body } = await resourceApp.ask(
          'GET',
          `/${resource.wire}?locale=ru&sort=${sort}${narrowedQuery}&${populate}&pagination[page]=${page}&pagination[pageSize]=100`,
          undefined,
          'owner',
        )
        expect([resource.name, status]).toEqual([resource.name, 200])
        const { data } = body as { data: unknown[] }
        listedRows.push(...data.map(flattenRow))
        if (data.length < 100) break
      }
      const exportedRows = rows.slice(1, 501)
      expect([resource.name, exportedRows.length]).toEqual([resource.name, listedRows.length])
      for (const [index, entry] of listedRows.entries()) {
        const row = exportedRows[index] ?? []
        for (const [columnIndex, name] of allColumns.entries()) {
          const expectedCell = expectedCellOf(resource, name, entry, 'ru')
          if (expectedCell === 'any') continue
          const cellValue = row[columnIndex] ?? null
          // A sheet stores a moment as a fraction of a day, so it is read back a millisecond off.
          const roundedDate =
            cellValue instanceof Date ? new Date(Math.round(cellValue.getTime() / 1_000) * 1_000) : cellValue
          expect([resource.name, name, entry.id, roundedDate]).toEqual([resource.name, name, entry.id, expectedCell])
          comparedCount += 1
        }
      }
    }
    expect(comparedCount).toBeGreaterThan(5_000)
  })

  it('writes headings, languages and labels of an export in the requested language', async () => {
    const id = await buildNews(
      resourceApp.database,
      { title: 'Один', content: '<p>A &amp; b</p><ul><li>c</li></ul>', kind: 'event' },
      'ru',
    )
    await buildTranslation(resourceApp.database, 'news', id, 'kaa', { title: 'Bir' })
    const columns = ['title', 'kind', 'active', 'content', 'localizations']
    const rows = await readExportedSheet({
      resource: 'news',
      columns,
      query: { locale: 'ru' },
      ids: [id],
      language: 'en',
    })
    const kind = labelOf('en', 'news.values.kind.event', 'value.kind.event')
    expect(rows).toEqual([
      [
        labelOf('en', 'news.fields.title', 'field.title'),
        labelOf('en', 'news.fields.kind', 'field.kind'),
        labelOf('en', 'news.fields.active', 'field.active'),
        labelOf('en', 'news.fields.content', 'field.content'),
        'Translations',
      ],
      ['Один', kind, 'Yes', 'A & b\nc', `${localeNames.ru}; ${localeNames.kaa}`],
    ])
  })

  it('writes headings and labels of an export in the script of the requested language, and names as they are', async () => {
    const id = await buildNews(resourceApp.database, { title: 'Jańa', kind: 'event' }, 'kaa')
    const rows = await readExportedSheet({
      resource: 'news',
      columns: ['title', 'kind'],
      query: { locale: 'kaa' },
      ids: [id],
      language: 'kaa-Cyrl',
    })
    const labels = labelsOf('kaa')
    expect(rows).toEqual([
      [toCyrillic(labels['field.title'], 'kaa'), toCyrillic(labels['field.kind'], 'kaa')],
      ['Jańa', toCyrillic(labels['value.kind.event'], 'kaa')],
    ])
  })

  it('applies filter, search, order, language and selection of the list to an export', async () => {
    const ids = []
    for (const name of ['b export', 'a export', 'c export'])
      ids.push(await buildTag(resourceApp.database, { name, color: '#1a2b3c' }, 'uz'))
    const names = async (extraData: Record<string, unknown>) =>
      (await readExportedSheet({ resource: 'tags', columns: ['name'], ...extraData })).slice(1).map(([name]) => name)
    const query = { locale: 'uz', _q: 'export', sort: 'name:desc' }
    expect(await names({ query })).toEqual(['c export', 'b export', 'a export'])
    expect(await names({ query: { ...query, filters: { name: { $startsWith: 'a' } } } })).toEqual(['a export'])
    expect(await names({ query, ids: [ids[1], ids[0]] })).toEqual(['b export', 'a export'])
    expect(await names({ query, ids: [] })).toEqual([])
    expect(await names({ query: { ...query, locale: 'ru' } })).toEqual([])
    expect(await names({ query: { ...query, locale: 'ru', fallback: true, missing_locale: 'kaa' } })).toHaveLength(3)
    expect(await names({ query: { ...query, missing_locale: 'uz' } })).toEqual([])
  })

  it('never exports a formula, in either format', async () => {
    const hostileTexts = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      "=cmd|' /C calc'!A0",
      '"=1',
      ';=1',
      'a\n=1',
      '_x003D_1',
      '<f>1</f>',
      ']]>&',
    ]
    const ids = []
    for (const question of hostileTexts)
      ids.push(
        await buildRecord(resourceApp.database, 'consultations', {
          question: `${question}`,
          user: resourceApp.people.owner,
        }),
      )
    const data = { resource: 'consultations', columns: ['question', 'user'], query: { sort: 'id' }, ids }
    const answer = await requestExport({ ...base, ...data })
    const sheet = Buffer.from(unzipSync(answer.rawPayload)['xl/worksheets/sheet1.xml'] ?? []).toString('utf8')
    expect(sheet).not.toMatch(/<f[ >/]/)
    const texts = (await readSheet(answer.rawPayload)).slice(1).map(([text]) => String(text))
    expect(texts).toHaveLength(hostileTexts.length)
    for (const text of texts) expect(text).not.toMatch(/^[=+\-@\t\r]/)
    const csv = await textOf(data)
    expect(csv.startsWith('\ufeff')).toBe(true)
    const cells = cellsOf(csv)
    expect(cells).toHaveLength(1 + hostileTexts.length)
    for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  it('exports moments in the user’s time zone, in summer and in winter', async () => {
    const clock = await readZoneClock(resourceApp.database, 'Europe/Berlin', [
      '2026-01-01T00:00:00.000Z',
      '2026-07-01T00:00:00.500Z',
    ])
    expect([clock('2026-01-01T00:00:00.000Z'), clock('2026-07-01T00:00:00.500Z'), clock('x')]).toEqual([
      Date.UTC(2026, 0, 1, 1),
      Date.UTC(2026, 6, 1, 2, 0, 0, 500),
      undefined,
    ])
  })

  it('exports CSV with semicolons, quotes where needed, decimal commas and local dates', async () => {
    const id = await buildDistrict(resourceApp.database, { name: 'A; "b"', lat: 42.5 }, 'en')
    const columns = ['name', 'lat', 'createdAt', 'region']
    const csv = await textOf({ resource: 'districts', columns, query: { locale: 'en' }, ids: [id] })
    expect(csv.split('\r\n')[1]).toMatch(/^"A; ""b""";42,5;\d\d\.\d\d\.\d{4} \d\d:\d\d;$/)
  })

  it('shows the currency of a price and leaves the price a number; a currency cannot inject a format', async () => {
    // Codes of types are unique, and the seeded database contains them all.
    const [storedType] = await resourceApp.database.query(sql<{ id: number }>`select id from tradingposttypes limit 1`)
    const tradingposttype =
      storedType?.id ??
      (await buildRecord(resourceApp.database, 'tradingposttypes', { name: 'Exported', code: 'selling' }))
    const ids: number[] = []
    for (const currency of ['USD', 'UZS', '";[Red]0"']) {
      const post = { title: `Export ${currency}`, price: 1250.5, currency, tradingposttype }
      ids.push(await buildRecord(resourceApp.database, 'tradinposts', post))
    }
    const exportDraft = { resource: 'tradinposts', columns: ['title', 'price'], query: { locale: 'en' }, ids }
    const answer = await requestExport({ ...base, ...exportDraft })
    expect((await readSheet(answer.rawPayload)).slice(1).map(([, price]) => price)).toEqual([1250.5, 1250.5, 1250.5])
    const { 'xl/styles.xml': styles } = unzipSync(answer.rawPayload)
    const formats = [
      ...Buffer.from(styles ?? [])
        .toString()
        .matchAll(/formatCode="([^"]*)"/g),
    ].map(([, code]) => code)
    const moneyFormats = formats.filter((code) => code?.includes('\u00a0'))
    expect(new Set(moneyFormats)).toEqual(
      new Set(['USD', 'UZS', ';[Red]0'].map((unit) => `#,##0.00\u00a0&quot;${unit}&quot;`)),
    )
  })

  it('names the file of an export by list and day, and writes a line to the audit', async () => {
    const answer = await requestExport({ ...base, resource: 'list-views', columns: ['name'] })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="list-views-\d{4}-\d\d-\d\d\.xlsx"$/,
      ) as unknown,
    })
    const [line] = await resourceApp.database.query(
      sql`select action, user_id, resource, details from audit order by id desc limit 1`,
    )
    expect(line).toMatchObject({
      action: 'export',
      user_id: resourceApp.people.owner,
      resource: 'listviews',
      details: { count: '0', format: 'xlsx' },
    })
  })

  it('exports only rows and fields that the user may read', async () => {
    const person = await buildUser(resourceApp.database, 'authenticated', { name: 'Nobody', phone: '+998900000000' })
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'Mine to export',
      user: resourceApp.people.authenticated,
    })
    await buildRecord(resourceApp.database, 'consultations', { question: 'Not mine to export', user: person })
    const data = { resource: 'consultations', columns: ['question'], query: { _q: 'to export' } }
    expect((await readExportedSheet(data, 'authenticated')).slice(1)).toEqual([['Mine to export']])
    const status = async (extraData: Record<string, unknown>, role?: Role | 'public') =>
      (await requestExport({ ...base, ...extraData }, role)).statusCode
    expect(await status({ resource: 'users', columns: ['email'] }, 'authenticated')).toBe(400)
    expect(await status({ resource: 'users', columns: ['username'] }, 'authenticated')).toBe(200)
    expect(await status({ resource: 'users', columns: ['password'] }, 'owner')).toBe(400)
    expect(await status({ resource: 'insert_excel', columns: ['stored_file'] }, 'owner')).toBe(400)
    expect(await status({ resource: 'roles', columns: ['name'] }, 'authenticated')).toBe(403)
    expect(
      await status({ resource: 'users', columns: ['username'], query: { filters: { password: { $notNull: true } } } }),
    ).toBe(400)
    expect(await status({ resource: 'tags', columns: ['name'] }, 'public')).toBe(401)
  })

  it('exports messages, phones and addresses for users who may read them, and audits none of them', async () => {
    const [phone, email, text] = ['998907654321', 'exported@example.org', 'words of an exported message']
    const person = await buildUser(resourceApp.database, 'authenticated', { phone, email })
    const room = await buildRecord(resourceApp.database, 'chatrooms', {
      sender: person,
      receiver: resourceApp.people.owner,
    })
    await buildRecord(resourceApp.database, 'chatmessages', { room, sender: person, text })
    const people = { resource: 'users', columns: ['phone', 'email'], ids: [person] }
    const messages = { resource: 'chatmessages', columns: ['text'], query: { _q: 'exported message' } }
    for (const role of ['owner', 'admin'] as const) {
      const exportedText = `${await textOf(people, role)}${await textOf(messages, role)}`
      for (const secret of [phone, email, text])
        expect([role, exportedText]).toEqual([role, expect.stringContaining(secret)])
    }
    for (const column of ['phone', 'email'])
      expect((await requestExport({ ...base, ...people, columns: [column] }, 'authenticated')).statusCode).toBe(400)
    expect(await textOf(messages, 'authenticated')).not.toContain(text)
    const lines = await resourceApp.database.query(sql`select * from audit where action = 'export'`)
    expect(lines.length).toBeGreaterThan(0)
    for (const secret of [phone, email, text]) expect(JSON.stringify(lines)).not.toContain(secret)
  })

  it.each<[string, Record<string, unknown>]>([
    ['no columns', { columns: [] }],
    ['a column twice', { columns: ['name', 'name'] }],
    ['an unknown column', { columns: ['nope'] }],
    ['a column of the prototype', { columns: ['constructor'] }],
    ['too many columns', { columns: Array.from({ length: 61 }, (_, index) => `c${index}`) }],
    ['an unknown format', { format: 'pdf' }],
    ['an unknown resource', { resource: 'nope' }],
    ['an unknown language', { language: 'xx' }],
    ['an unknown time zone', { timeZone: 'Mars/Base' }],
    ['a time zone that is not a name', { timeZone: "UTC'; select 1" }],
    ['a time zone that is not text', { timeZone: 5 }],
    ['ids that are not numbers', { ids: ['1'] }],
    ['too many ids', { ids: Array.from({ length: 1_001 }, (_, index) => index + 1) }],
    ['a key of another query', { query: { populate: '*' } }],
    ['an unknown operator', { query: { filters: { name: { $like: 'a' } } } }],
    ['an unknown sort', { query: { sort: 'nope' } }],
  ])('refuses an export with %s', async (_what, extraData) => {
    expect((await requestExport({ ...base, resource: 'tags', columns: ['name'], ...extraData })).statusCode).toBe(400)
  })

  it('leaves no file behind when a later step of an export fails', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dala-test-'))
    vi.stubEnv('TMPDIR', folder)
    await resourceApp.database.query(
      sql`alter table audit add constraint no_exports check (action <> 'export') not valid`,
    )
    try {
      expect((await requestExport({ ...base, resource: 'tags', columns: ['name'] })).statusCode).toBe(500)
      expect(await readdir(folder)).toEqual([])
    } finally {
      await resourceApp.database.query(sql`alter table audit drop constraint no_exports`)
      vi.unstubAllEnvs()
      await rm(folder, { recursive: true })
    }
  })

  it('allows two concurrent exports of one user, and returns 503 with Retry-After for a third', async () => {
    // The exported table has so many rows that no export ends before the last request arrives.
    await resourceApp.database.query(
      sql`insert into units (code, name) select 'busy' || n, '{"en":"b"}' from generate_series(1, 10000) n`,
    )
    const data = { resource: 'units', columns: ['name'] }
    const ask = () => requestExport({ ...base, ...data })
    try {
      const answers = await Promise.all([ask(), ask(), ask()])
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 503])
      expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBe('5')
      const query = { filters: { code: 'busy1' } }
      expect((await requestExport({ ...base, ...data, query })).statusCode).toBe(200)
    } finally {
      await resourceApp.database.query(sql`delete from units where code like 'busy%'`)
    }
  })

  it('refuses to export more rows than a file may have, and returns their number', async () => {
    await resourceApp.database.query(
      sql`insert into units (code, name) select 'u' || n, '{"en":"u"}' from generate_series(1, 50001) n`,
    )
    const answer = await requestExport({
      ...base,
      resource: 'units',
      columns: ['code'],
      query: { filters: { code: { $startsWith: 'u' } } },
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { error: { code: 'export.too-many', details: { params: { max: 50_000 } } } },
    ])
    await resourceApp.database.query(sql`delete from units where code = 'u50001'`)
    const rows = await readExportedSheet({
      resource: 'units',
      columns: ['code'],
      query: { filters: { code: { $startsWith: 'u' } }, sort: 'id' },
    })
    expect(rows.length).toBeGreaterThan(50_000)
    // Nothing links to these units: asking that of each one takes seconds.
    await skipTriggers(resourceApp.database, sql`delete from units where code ~ '^u[0-9]+$'`)
  })

  it('serves other requests while an export reads its pages', async () => {
    await resourceApp.database.query(
      sql`insert into units (code, name) select 'paged-' || n, '{"en":"m"}' from generate_series(1, 12000) n`,
    )
    const headers = headersOf('owner')
    const isPage = (text: string) => /^with page as .*"units"/s.test(text) && !/totals/.test(text)
    let pages = 0
    let pagesBefore: number | undefined
    const begunSignal = Promise.withResolvers<void>()
    const stopListening = resourceApp.database.onStatement((text) => {
      if (!isPage(text)) return
      pages += 1
      begunSignal.resolve()
    })
    const otherStatus = begunSignal.promise.then(async () => {
      const { statusCode } = await resourceApp.app.inject({ url: '/api/tags', headers })
      pagesBefore = pages
      return statusCode
    })
    const query = { filters: { code: { $startsWith: 'paged-' } } }
    const file = await requestExport({ ...base, resource: 'units', columns: ['code', 'name'], query })
    // An export that is refused reads no page, so the other request would never be sent.
    expect(file.statusCode).toBe(200)
    expect([await otherStatus, pages >= 24]).toEqual([200, true])
    stopListening()
    expect(pagesBefore).toBeLessThan(pages)
    await resourceApp.database.query(sql`delete from units where code like 'paged-%'`)
  })

  it('limits callers who are not staff to fewer rows of an export, and fewer files an hour', async () => {
    await resourceApp.database.query(sql`delete from throttles`)
    await resourceApp.database.query(
      sql`insert into units (code, name) select 'many-' || n, '{"en":"g"}' from generate_series(1, 5001) n`,
    )
    const query = { filters: { code: { $startsWith: 'many-' } } }
    const manyUnits = { ...base, resource: 'units', columns: ['code'], query }
    const answer = await requestExport(manyUnits, 'authenticated')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ error: { code: 'export.too-many', details: { params: { max: 5_000 } } } })
    expect((await requestExport(manyUnits, 'admin')).statusCode).toBe(200)
    const smallExport = { ...manyUnits, format: 'csv', query: { filters: { code: 'many-1' } } }
    for (let count = 1; count < 20; count += 1)
      expect((await requestExport(smallExport, 'authenticated')).statusCode).toBe(200)
    const refusedAnswer = await requestExport(smallExport, 'authenticated')
    expect([refusedAnswer.statusCode, refusedAnswer.json()]).toMatchObject([429, { error: { code: 'auth.throttled' } }])
    expect(Number(refusedAnswer.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await requestExport(smallExport, 'admin')).statusCode).toBe(200)
    await resourceApp.database.query(sql`delete from units where code like 'many-%'`)
  })
})
