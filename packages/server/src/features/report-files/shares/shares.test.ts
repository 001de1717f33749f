import type { ReportAnswer, ReportShareRow } from '@dala/model'
import { localeOf, writtenLocales } from '@dala/model'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { buildRecord, buildTranslation } from '../../../testing/factories.ts'
import { textOfPdf } from '../../../testing/pdf-text.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../../testing/people.ts'
import { buildReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'

const marker = 'Zx9-marker'
let [consultant, maker]: (TestPerson | undefined)[] = []
const resourceApp = startResourceApp(async (app) => {
  await buildReportWorld(app)
  await app.database.query(sql`update users set name = ${marker}, surname = ${marker}`)
  await app.database.query(sql`update consultations set question = ${marker}, answer = ${marker}`)
})
beforeAll(async () => {
  consultant = await buildConsultant(resourceApp)
})
beforeEach(async () => {
  for (const table of ['report_shares', 'throttles'])
    await resourceApp.database.query(sql`delete from ${sql.table(table)}`)
  maker = await buildPerson(resourceApp, 'admin', { name: marker })
})

const spring = { from: '2025-03-01', to: '2025-05-31' }
const momentInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const draft = (overrides: object = {}) => ({
  key: 'consultations',
  query: spring,
  locale: 'en',
  expires_at: momentInDays(30),
  ...overrides,
})

type Answer = { status: number; body: unknown } | undefined
type MadeShare = ReportShareRow & { url: string; path: string }
async function share(overrides: object = {}): Promise<MadeShare> {
  const answer = await maker?.ask('POST', '/statistics/shares', { data: draft(overrides) })
  expect([answer?.status, answer?.body]).toMatchObject([200, {}])
  const { data } = (answer?.body ?? {}) as { data: ReportShareRow & { url: string } }
  return { ...data, path: new URL(data.url).pathname }
}
const codeOf = (answer: Answer) => [answer?.status, JSON.stringify(answer?.body).match(/"code":"([^"]+)"/)?.[1]]
const openPage = (path: string) => resourceApp.app.inject({ url: path })
const send = (path: string, form: Readonly<Record<string, string>>) =>
  resourceApp.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
const readStoredShare = async (id: number) => {
  const [row] = await resourceApp.database.query(
    sql<{
      opened: number
      text: string
    }>`select opened, to_jsonb(s)::text as text from report_shares s where id = ${id}`,
  )
  return row
}
const goneBody = async () => (await openPage('/api/statistics/shared/wrong')).body

describe('POST /api/statistics/shares', () => {
  it('returns the address of a shared page once, and stores neither its secret nor the passcode', async () => {
    const madeShare = await share({ passcode: 'green-field' })
    expect(madeShare).toMatchObject({
      key: 'consultations',
      frozen: false,
      passcode: true,
      active: true,
      opened: 0,
      locale: 'en',
    })
    const secret = madeShare.path.split('/').at(-1) ?? ''
    expect(secret).toMatch(/^[\w-]{32}$/)
    const { text = '' } = (await readStoredShare(madeShare.id)) ?? {}
    expect(text).not.toContain(secret)
    expect(text).not.toContain('green-field')
    expect(JSON.stringify((await maker?.ask('GET', '/statistics/shares'))?.body)).not.toContain(secret)
    const [line] = await resourceApp.database.query(
      sql`select action, resource, details from audit where action = 'report.share' order by id desc limit 1`,
    )
    expect(line).toEqual({
      action: 'report.share',
      resource: 'statistics',
      details: { key: 'consultations', share: String(madeShare.id) },
    })
  })

  it.each([
    [{ expires_at: new Date(0).toISOString() }, 'report.expiry'],
    [{ expires_at: 'tomorrow' }, 'validation.dateTime'],
    [{ expires_at: null }, 'validation.required'],
    [{ passcode: 'short' }, 'validation.minLength'],
    [{ passcode: 'x'.repeat(65) }, 'validation.maxLength'],
    [{ key: 'bogus' }, 'validation'],
    [{ locale: 'de' }, 'validation'],
    [{ query: { period: 'century' } }, 'report.choice'],
    [{ query: { from: '2025-02-02', to: '2025-02-01' } }, 'report.order'],
    [{ key: 'trading', query: { filters: { category: 'x' } } }, 'report.filter'],
    [{ query: { filters: { consultant: '1' } } }, 'report.filter'],
    [{ key: 'people', query: { filters: { locale: '1' } } }, 'report.filter'],
  ])('refuses the shared page %o with 422 and %s', async (wrongFields, code) => {
    const answer = await maker?.ask('POST', '/statistics/shares', { data: draft(wrongFields) })
    expect(answer?.status).toBe(422)
    expect(JSON.stringify(answer?.body)).toContain(code)
    expect(await resourceApp.database.query(sql`select 1 from report_shares`)).toEqual([])
  })

  it('opens a shared page for at most ninety days', async () => {
    expect((await share({ expires_at: momentInDays(89.9) })).active).toBe(true)
    const answer = await maker?.ask('POST', '/statistics/shares', { data: draft({ expires_at: momentInDays(90.1) }) })
    expect(codeOf(answer)).toEqual([422, 'report.expiry'])
  })

  it('lets administrators alone make, list and withdraw shared pages of reports', async () => {
    const { id } = await share()
    const calls = [
      ['POST', '/statistics/shares', { data: draft() }],
      ['GET', '/statistics/shares', undefined],
      ['DELETE', `/statistics/shares/${id}`, undefined],
    ] as const
    for (const [method, path, body] of calls) {
      expect((await consultant?.ask(method, path, body))?.status).toBe(403)
      expect((await resourceApp.ask(method, path, body, 'authenticated')).status).toBe(403)
      expect((await resourceApp.ask(method, path, body, 'public')).status).toBe(401)
    }
    for (const role of ['admin', 'super-admin', 'owner'] as const)
      expect((await resourceApp.ask('POST', '/statistics/shares', { data: draft() }, role)).status).toBe(200)
  })
})

describe('GET /api/statistics/shared/:secret', () => {
  it.each(writtenLocales)(
    'shows a shared page in %s with the totals of the report, which nobody indexes or stores',
    async (locale) => {
      const { path } = await share({ locale })
      const page = await openPage(path)
      expect(page.statusCode).toBe(200)
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow, noarchive',
        'referrer-policy': 'no-referrer',
      })
      expect(page.headers['content-security-policy']).toContain("style-src 'self'")
      expect(page.body).toContain(`<html lang="${locale}" data-palette="blueolympic">`)
      expect(page.body).toContain('<meta name="robots" content="noindex, nofollow, noarchive">')
      expect(page.body).not.toMatch(/<script|<style|\sstyle=|\son\w+=|undefined|\{\w+\}/)
      const answer = await resourceApp.read<ReportAnswer>(
        `/statistics/consultations?from=2025-03-01&to=2025-05-31&locale=${localeOf(locale)}`,
      )
      const askedCount = answer.data.metrics.find(({ key }) => key === 'asked')?.value
      expect(page.body).toContain(`<td class="end">${askedCount}</td>`)
      expect((await openPage(`${path}?locale=kaa`)).body).toContain('<html lang="kaa" ')
    },
  )

  it.each([
    ['en', 'Filters', 'Language: Qaraqalpaqsha'],
    ['ru', 'Фильтры', 'Язык: Qaraqalpaqsha'],
    ['uz', 'Filtrlar', 'Til: Qaraqalpaqsha'],
    ['kaa', 'Filtrler', 'Til: Qaraqalpaqsha'],
  ])('names the language filter of a shared page in %s, the language of its reader', async (locale, heading, text) => {
    const query = { ...spring, filters: { locale: 'kaa' } }
    const line = `<dt>${heading}</dt><dd>${text}</dd>`
    const { path } = await share({ locale, query })
    expect((await openPage(path)).body).toContain(line)
    const otherShare = await share({ locale: locale === 'en' ? 'ru' : 'en', query })
    expect((await openPage(otherShare.path)).body).not.toContain(line)
    expect((await openPage(`${otherShare.path}?locale=${locale}`)).body).toContain(line)
    const pdf = await openPage(`${path}?format=pdf`)
    expect(textOfPdf(pdf.rawPayload).join('\n')).toContain(`${heading}: ${text}`)
  })

  it('serves the style sheet of shared pages', async () => {
    const answer = await openPage('/api/statistics/shared/page.css')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
  })

  it.each(['overview', 'consultations', 'consultants', 'content', 'prices', 'trading', 'learning', 'people'])(
    'never contains a person, a text or a small group of the report %s, on the page and in its PDF',
    async (key) => {
      const { path } = await share({ key, query: { ...spring, interval: 'month' } })
      const [page, pdf] = [await openPage(path), await openPage(`${path}?format=pdf`)]
      expect([page.statusCode, pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 200, 'application/pdf'])
      const text = textOfPdf(pdf.rawPayload).join('\n')
      for (const source of [page.body, text]) expect(source).not.toContain(marker)
      const answer = await resourceApp.read<ReportAnswer>(
        `/statistics/${key}?from=2025-03-01&to=2025-05-31&interval=month&locale=en`,
      )
      const cells = [...page.body.matchAll(/<tr[^>]*><th scope="row">([^<]*)<\/th>((?:<td[^>]*>[^<]*<\/td>)*)/g)].map(
        ([, name, cellMarkup = '']) => [name, ...[...cellMarkup.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell)],
      )
      const counts = new Set(cells.flatMap((row) => row.slice(1)))
      for (const smallCount of ['1', '2', '3', '4']) expect(counts).not.toContain(smallCount)
      expect(answer.data.metrics.length).toBeGreaterThan(0)
      expect(cells.length).toBeGreaterThan(2)
    },
  )

  it('counts the openings of a shared page, not those of the form for its passcode', async () => {
    const madeShare = await share()
    await openPage(madeShare.path)
    await openPage(`${madeShare.path}?format=pdf`)
    await resourceApp.app.inject({ method: 'HEAD', url: madeShare.path })
    const list = (await resourceApp.read<{ data: ReportShareRow[] }>('/statistics/shares')).data
    expect(list.find(({ id }) => id === madeShare.id)).toMatchObject({
      opened: 2,
      last_opened_at: expect.any(String) as string,
    })
    const lockedShare = await share({ passcode: 'green-field' })
    await openPage(lockedShare.path)
    expect((await readStoredShare(lockedShare.id))?.opened).toBe(0)
  })

  it('answers the same page with 404 for a secret that is wrong, expired or withdrawn, or whose maker may not share', async () => {
    const goneText = await goneBody()
    for (const text of ['no longer open', 'больше не открыта', 'endi ochiq emas', 'endi ashıq emes'])
      expect(goneText).toContain(text)
    const isGone = async (path: string) => {
      for (const address of [path, `${path}?format=pdf`, `${path}?locale=ru`]) {
        const answer = await openPage(address)
        expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
          404,
          'text/html; charset=utf-8',
          goneText,
        ])
        expect(answer.headers['cache-control']).toBe('no-store')
      }
      const passcodeAnswer = await send(path, { passcode: 'green-field' })
      expect([passcodeAnswer.statusCode, passcodeAnswer.body]).toEqual([404, goneText])
    }
    await isGone('/api/statistics/shared/wrong')
    const expiredShare = await share({ passcode: 'green-field' })
    await resourceApp.database.query(sql`update report_shares set expires_at = now() where id = ${expiredShare.id}`)
    await isGone(expiredShare.path)
    const withdrawnShare = await share()
    expect((await openPage(withdrawnShare.path)).statusCode).toBe(200)
    expect((await resourceApp.ask('DELETE', `/statistics/shares/${withdrawnShare.id}`)).status).toBe(200)
    await isGone(withdrawnShare.path)
    for (const change of [sql`blocked = true`, sql`role_id = (select id from roles where type = 'authenticated')`]) {
      const orphanedShare = await share({ frozen: true })
      await resourceApp.database.query(sql`update users set ${change} where id = ${maker?.id ?? 0}`)
      await isGone(orphanedShare.path)
      maker = await buildPerson(resourceApp, 'admin')
    }
  })

  it('shows on a shared page present figures, or those of the time at which it was made', async () => {
    const [liveShare, frozenShare] = [await share(), await share({ frozen: true })]
    const readAskedAt = async ({ path }: MadeShare) =>
      Number(/New questions and chats<\/th><td class="end">(\d+)/.exec((await openPage(path)).body)?.[1])
    const formerCount = await readAskedAt(liveShare)
    expect(await readAskedAt(frozenShare)).toBe(formerCount)
    await buildRecord(resourceApp.database, 'consultations', { question: marker, createdAt: '2025-04-02T08:00:00Z' })
    expect([await readAskedAt(liveShare), await readAskedAt(frozenShare)]).toEqual([formerCount + 1, formerCount])
  })

  it('names the rows of a frozen page in the language of its reader', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'Seeds' })
    await buildTranslation(resourceApp.database, 'consultationcategories', category, 'ru', { name: 'Семена' })
    for (let index = 0; index < 6; index += 1)
      await buildRecord(resourceApp.database, 'consultations', {
        question: marker,
        category,
        createdAt: '2025-04-02T08:00:00Z',
      })
    const { path } = await share({ frozen: true })
    expect((await openPage(path)).body).toContain('Seeds')
    expect((await openPage(`${path}?locale=ru`)).body).toContain('Семена')
  })

  it('refuses shared pages for a minute when one address opens too many', async () => {
    const { path } = await share()
    await resourceApp.database.query(
      sql`insert into throttles (key, failures, window_started_at) values ('shared-address:127.0.0.1', 60, now())`,
    )
    for (const address of [path, '/api/statistics/shared/wrong']) {
      const answer = await openPage(address)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  })
})

describe('POST /api/statistics/shared/:secret', () => {
  it('opens a shared page with its passcode, and again by its ticket', async () => {
    const { path, id } = await share({ passcode: 'green-field' })
    const form = await openPage(path)
    expect(form.statusCode).toBe(200)
    expect(form.body).toContain('type="password"')
    expect(form.body).not.toContain('<table')
    const wrongAnswer = await send(path, { passcode: 'red-field' })
    expect(wrongAnswer.statusCode).toBe(403)
    expect(wrongAnswer.body).toContain('This passcode is wrong.')
    const page = await send(path, { passcode: 'green-field', locale: 'ru' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<html lang="ru" ')
    expect(page.body).not.toContain('green-field')
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    expect((await send(path, { ticket, format: 'pdf' })).headers['content-type']).toBe('application/pdf')
    expect((await readStoredShare(id))?.opened).toBe(2)
    const otherShare = await share({ passcode: 'green-field' })
    for (const wrongTicket of [`2${ticket.slice(1)}`, ticket.slice(0, -1), '', 'x'])
      expect((await send(path, { ticket: wrongTicket })).statusCode).toBe(403)
    expect((await send(otherShare.path, { ticket })).statusCode).toBe(403)
  })

  it('locks a shared page for a quarter of an hour after ten wrong passcodes, also for the right one', async () => {
    const { path, id } = await share({ passcode: 'green-field' })
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await send(path, { passcode: 'no' })).statusCode).toBe(403)
    const lockedAnswer = await send(path, { passcode: 'green-field' })
    expect(lockedAnswer.statusCode).toBe(429)
    expect(Number(lockedAnswer.headers['retry-after'])).toBeGreaterThan(800)
    expect((await readStoredShare(id))?.opened).toBe(0)
    await resourceApp.database.query(
      sql`update throttles set window_started_at = now() - interval '15 minutes 1 second' where key = ${`share:${id}`}`,
    )
    expect((await send(path, { passcode: 'green-field' })).statusCode).toBe(200)
  })

  it('counts concurrent wrong passcodes of a shared page one after the other', async () => {
    const { path } = await share({ passcode: 'green-field' })
    const answers = await Promise.all(Array.from({ length: 14 }, () => send(path, { passcode: 'no' })))
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(10)
  })

  it('refuses a body of another media type on a shared page', async () => {
    const { path } = await share({ passcode: 'green-field' })
    const answer = await resourceApp.app.inject({ method: 'POST', url: path, payload: { passcode: 'green-field' } })
    expect(answer.statusCode).toBe(403)
    expect(
      (
        await resourceApp.app.inject({
          method: 'POST',
          url: path,
          headers: { 'content-type': 'text/plain' },
          payload: 'x',
        })
      ).statusCode,
    ).toBe(415)
  })
})

describe('DELETE /api/statistics/shares/:id', () => {
  it('withdraws a shared page of any maker once, with a line of the audit', async () => {
    const { id } = await share()
    for (let turn = 0; turn < 2; turn += 1)
      expect((await resourceApp.ask('DELETE', `/statistics/shares/${id}`, undefined, 'owner')).body).toMatchObject({
        data: { id, active: false, withdrawn_at: expect.any(String) as string },
      })
    const lines = await resourceApp.database.query(
      sql`select details from audit where action = 'report.withdraw' and details ->> 'share' = ${String(id)}`,
    )
    expect(lines).toHaveLength(1)
    for (const wrongId of ['0', 'x', '999999'])
      expect((await resourceApp.ask('DELETE', `/statistics/shares/${wrongId}`)).status).toBe(404)
  })
})
