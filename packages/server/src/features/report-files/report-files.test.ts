import { locales, type ReportAnswer, type ReportFile, reportFormats, type ReportKey } from '@dala/model'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord } from '../../testing/factories.ts'
import { textOfPdf } from '../../testing/pdf-text.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { expectedRows, missingRows } from '../../testing/report-files.ts'
import { buildReportWorld, type ReportWorld } from '../../testing/report-world.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { HousekeepingJob } from '../operations/housekeeping.ts'

let world: ReportWorld = { regions: [], categories: [], consultants: [] }
let [consultant, colleague]: (TestPerson | undefined)[] = []
const resourceApp = startResourceApp(async (app) => {
  world = await buildReportWorld(app)
})
beforeAll(async () => {
  consultant = await buildConsultant(resourceApp)
  colleague = await buildPerson(resourceApp, 'admin')
})

type Order = Readonly<Record<string, unknown>>
const order = (key: ReportKey, extraOrder: Order = {}): Order => ({ key, format: 'csv', ...extraOrder })

const fileIn = (body: unknown): ReportFile => (body as { data: ReportFile }).data

/** Makes a report's file, and waits for its end where the request does no longer. */
async function makeReportFile(data: Order): Promise<ReportFile> {
  const { status, body } = await resourceApp.ask('POST', '/statistics/exports', { data })
  expect(status).toBe(200)
  let file = fileIn(body)
  const readFile = async () => {
    if (file.state === 'running') file = fileIn(await resourceApp.read(`/statistics/exports/${file.id}`))
    return file
  }
  await expect.poll(readFile).toMatchObject({ state: 'done', progress: 100 })
  return file
}

const download = (url: string | null, token = resourceApp.tokens['admin']) =>
  resourceApp.app.inject({ url: url ?? '', headers: { authorization: `Bearer ${token}` } })

const bytesOf = async (data: Order): Promise<Buffer> => (await download((await makeReportFile(data)).url)).rawPayload

describe('POST /api/statistics/exports', () => {
  const spring = { from: '2025-03-01', to: '2025-05-31' }
  it.each([
    ['overview', { ...spring, interval: 'week' }, 'en'],
    ['consultations', { ...spring, interval: 'month', compare: 'none' }, 'ru'],
    ['consultations', { from: '2025-04-01', to: '2025-04-30', interval: 'day' }, 'kaa'],
    ['consultants', { ...spring, compare: 'year' }, 'uz'],
    ['consultants', { ...spring, hours: 'wall' }, 'kaa'],
    ['content', { period: 'year' }, 'ru'],
    ['prices', spring, 'kaa'],
    ['trading', { ...spring, interval: 'week' }, 'uz'],
    ['learning', spring, 'en'],
    ['people', { ...spring, interval: 'month' }, 'ru'],
  ] as const)('writes the numbers of the report %s for %o in %s into each format', async (key, query, locale) => {
    const search = new URLSearchParams({ ...query, locale }).toString()
    const answer = await resourceApp.read<ReportAnswer>(`/statistics/${key}?${search}`)
    const expectedTexts = expectedRows(answer, key, locale)
    expect(expectedTexts.length).toBeGreaterThan(5)
    for (const format of reportFormats)
      expect(await missingRows(format, await bytesOf({ key, query, format, locale }), expectedTexts)).toEqual([])
  })

  it.each([
    ['en', 'Filters', 'Region: Region \\d+ · Language: Qaraqalpaqsha'],
    ['kaa', 'Filtrler', 'Aymaq: Region \\d+ · Til: Qaraqalpaqsha'],
  ] as const)('narrows a file by filters as the page does, and names them in %s', async (locale, heading, names) => {
    const [region] = world.regions
    const search = `from=2025-03-01&to=2025-05-31&filters[region]=${region}&filters[locale]=kaa&locale=${locale}`
    const answer = await resourceApp.read<ReportAnswer>(`/statistics/consultations?${search}`)
    const query = { ...spring, filters: { region: String(region), locale: 'kaa' } }
    const bytes = await bytesOf(order('consultations', { query, locale }))
    expect(await missingRows('csv', bytes, expectedRows(answer, 'consultations', locale))).toEqual([])
    expect(bytes.toString()).toMatch(new RegExp(`^${heading};${names}\r$`, 'm'))
  })

  it('names a hidden category of a filter to administrators only', async () => {
    const hidden = await buildRecord(resourceApp.database, 'consultationcategories', {
      name: 'Secret plans',
      active: false,
    })
    const orderOfFilter = order('consultations', { query: { ...spring, filters: { category: String(hidden) } } })
    expect((await bytesOf(orderOfFilter)).toString()).toContain('Secret plans')
    const { status, body } = (await consultant?.ask('POST', '/statistics/exports', { data: orderOfFilter })) ?? {}
    expect(status).toBe(200)
    const file = (await download(fileIn(body).url, consultant?.token)).body
    expect(file).toContain(`#${hidden}`)
    expect(file).not.toContain('Secret plans')
  })

  it.each([
    [{}, 'Working hours'],
    [{ hours: 'wall' }, 'All hours'],
  ])('names the hours in which the times of replies are counted for %o', async (query, text) => {
    const bytes = await bytesOf(order('consultants', { query, locale: 'en' }))
    expect(bytes.toString()).toContain(`Hours of reply times;${text}\r\n`)
  })

  it('writes the period, the zone, the time and the author into every format', async () => {
    await resourceApp.database.query(
      sql`update users set name = 'Gúlnara', surname = 'Qońıratbaeva' where id = ${resourceApp.people['admin'] ?? 0}`,
    )
    for (const format of reportFormats) {
      const bytes = await bytesOf(order('prices', { query: spring, locale: 'kaa', format }))
      const text =
        format === 'csv'
          ? bytes.toString()
          : format === 'pdf'
            ? textOfPdf(bytes).join('\n')
            : Buffer.from(unzipSync(new Uint8Array(bytes))['xl/worksheets/sheet1.xml'] ?? []).toString()
      for (const filePart of ['01.03.2025–31.05.2025', 'Tashkent', 'Gúlnara Qońıratbaeva'])
        expect(text).toContain(filePart)
    }
  })

  it('shows the head and the foot on each page of a PDF, with the letters of the four languages', async () => {
    await buildRecord(resourceApp.database, 'consultationcategories', {
      name: 'Қарақалпақстан Oʻzbekiston ў ғ қ ҳ ә ң ө ү ǵ ń ı',
    })
    const category = await buildRecord(resourceApp.database, 'consultationcategories', {
      name: 'Қарақалпақстан Oʻzbekiston ўғқҳәңөү',
    })
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'x',
      category,
      createdAt: '2025-04-02T08:00:00Z',
    })
    const query = { from: '2025-01-01', to: '2025-12-31', interval: 'day' }
    const texts = textOfPdf(await bytesOf(order('consultations', { query, format: 'pdf', locale: 'en' })))
    const pages = texts.filter((text) => /^Page \d+ of \d+$/.test(text))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages).toEqual(pages.map((_, index) => `Page ${index + 1} of ${pages.length}`))
    expect(texts.filter((text) => text === 'Consultations · 01.01.2025–31.12.2025')).toHaveLength(pages.length)
    expect(texts.join('')).toContain('Қарақалпақстан Oʻzbekiston ўғқҳәңөү')
    expect(texts.join('')).not.toContain('\uFFFD')
    // The table of days continues on several pages, each with the headings of its columns.
    expect(texts.filter((text) => text === 'Earlier interval').length).toBeGreaterThan(5)
  })

  it('writes sheets with filters and frozen headings, days as dates, and no formula', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: '=1+1' })
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'x',
      category,
      createdAt: '2025-04-03T08:00:00Z',
    })
    const parts = unzipSync(new Uint8Array(await bytesOf(order('consultations', { query: spring, format: 'xlsx' }))))
    const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'))
    expect(sheets.length).toBeGreaterThan(5)
    for (const [name, bytes] of sheets) {
      const xml = Buffer.from(bytes).toString()
      expect(xml).not.toContain('<f>')
      expect(xml).toContain('state="frozen"')
      expect(xml.includes('<autoFilter')).toBe(name !== 'xl/worksheets/sheet1.xml')
    }
    const csv = (await bytesOf(order('consultations', { query: spring }))).toString()
    expect(csv).toMatch(/^'=1\+1;/m)
  })

  it.each(locales)('writes only the requested parts of a report into a file: %s', async (locale) => {
    const wholeFile = await bytesOf(order('trading', { locale }))
    const partialFile = await bytesOf(order('trading', { locale, parts: ['figures'] }))
    expect(partialFile.length).toBeLessThan(wholeFile.length / 2)
    expect(wholeFile.toString()).toContain(partialFile.toString().split('\r\n').slice(9, 14).join('\r\n'))
  })

  it.each([
    [order('overview', { query: { from: 'x' } }), 'report.date'],
    [order('overview', { query: { from: '2026-02-02', to: '2026-02-01' } }), 'report.order'],
    [order('overview', { query: { filters: { consultant: '1' } } }), 'report.filter'],
    [order('people', { query: { filters: { locale: 'de' } } }), 'report.filter'],
    [order('people', { query: { filters: { district: 'uz' } } }), 'report.filter'],
    [order('overview', { query: { compare: 'sometimes' } }), 'report.choice'],
  ])('refuses the order %o with the code %s, and stores no file', async (data, code) => {
    const { status, body } = await resourceApp.ask('POST', '/statistics/exports', { data })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(code)
    expect(await resourceApp.database.query(sql`select 1 from report_files where state <> 'done'`)).toEqual([])
  })
  it.each([
    { key: 'bogus', format: 'csv' },
    { key: 'prices', format: 'doc' },
    { key: 'prices', format: 'csv', parts: [] },
  ])('refuses the malformed order %o', async (data) => {
    expect((await resourceApp.ask('POST', '/statistics/exports', { data })).status).toBe(422)
  })

  it('counts the figures of a consultant only, and refuses their other reports', async () => {
    const answer = await consultant?.ask('POST', '/statistics/exports', {
      data: order('consultants', { query: spring, locale: 'en' }),
    })
    const { url } = fileIn(answer?.body)
    const text = (await download(url, consultant?.token)).payload
    for (const name of ['A', 'B', 'C']) expect(text).not.toMatch(new RegExp(`^${name};`, 'm'))
    expect((await consultant?.ask('POST', '/statistics/exports', { data: order('prices') }))?.status).toBe(404)
    expect(
      (await resourceApp.ask('POST', '/statistics/exports', { data: order('prices') }, 'authenticated')).status,
    ).toBe(403)
    expect((await resourceApp.ask('POST', '/statistics/exports', { data: order('prices') }, 'public')).status).toBe(401)
  })

  it('writes a line of the audit with the report and the format', async () => {
    await makeReportFile(order('people', { format: 'xlsx' }))
    const [line] = await resourceApp.database.query(
      sql`select action, resource, details from audit where action = 'report.export' order by id desc limit 1`,
    )
    expect(line).toEqual({
      action: 'report.export',
      resource: 'statistics',
      details: { key: 'people', format: 'xlsx' },
    })
  })

  it('stores at most twenty files of a person', async () => {
    for (let file = 0; file < 22; file += 1) await makeReportFile(order('learning'))
    const [countRow] = await resourceApp.database.query(
      sql<{
        n: number
      }>`select count(*)::int as n from report_files where user_id = ${resourceApp.people['admin'] ?? 0}`,
    )
    expect(countRow?.n).toBe(20)
  })

  it('returns 503 with Retry-After while two files of the person are being made', async () => {
    await resourceApp.database.query(sql`
      insert into report_files (user_id, key, query, format, locale, parts, name, expires_at)
      select ${colleague?.id ?? 0}, 'people', '{}', 'csv', 'en', '{figures}', 'x.csv', now() + interval '1 hour' from generate_series(1, 2)`)
    const answer = await colleague?.ask('POST', '/statistics/exports', { data: order('people') })
    expect([answer?.status, answer?.headers['retry-after']]).toEqual([503, '5'])
    await resourceApp.database.query(sql`delete from report_files where user_id = ${colleague?.id ?? 0}`)
  })
})

describe('GET /api/statistics/exports/:id', () => {
  it('shows and sends a file to its maker only', async () => {
    const file = await makeReportFile(order('people'))
    expect(await resourceApp.read(`/statistics/exports/${file.id}`)).toEqual({ data: file, meta: {} })
    expect((await download(file.url)).headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="people-\d{4}-\d{2}-\d{2}\.csv"$/) as string,
      'cache-control': 'private, no-store',
    })
    for (const path of [`/statistics/exports/${file.id}`, `/statistics/exports/${file.id}/file`]) {
      expect((await colleague?.ask('GET', path))?.status).toBe(404)
      expect((await resourceApp.ask('GET', path, undefined, 'owner')).status).toBe(404)
      expect((await resourceApp.ask('GET', path, undefined, 'authenticated')).status).toBe(403)
      expect((await resourceApp.ask('GET', path, undefined, 'public')).status).toBe(401)
    }
    for (const id of ['0', 'x', '99999999999'])
      expect((await resourceApp.ask('GET', `/statistics/exports/${id}`)).status).toBe(404)
  })

  it('forgets a file after a day, and deletes it', async () => {
    const file = await makeReportFile(order('people'))
    await resourceApp.database.query(sql`update report_files set expires_at = now() where id = ${file.id}`)
    expect((await resourceApp.ask('GET', `/statistics/exports/${file.id}`)).status).toBe(404)
    expect((await download(file.url)).statusCode).toBe(404)
    await new HousekeepingJob(resourceApp.database, 365).clear()
    expect(await resourceApp.database.query(sql`select 1 from report_files where id = ${file.id}`)).toEqual([])
  })

  it('refuses a file of a report that its maker may no longer open', async () => {
    const answer = await consultant?.ask('POST', '/statistics/exports', { data: order('consultants') })
    const { id, url } = fileIn(answer?.body)
    await resourceApp.database.query(sql`update report_files set key = 'prices' where id = ${id}`)
    expect((await consultant?.ask('GET', `/statistics/exports/${id}`))?.status).toBe(404)
    expect((await download(url, consultant?.token)).statusCode).toBe(404)
  })
})
