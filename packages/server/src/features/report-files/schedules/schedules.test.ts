import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  lastSendingDay,
  maxSchedules,
  nextSendingDay,
  type ReportSchedule,
  type ReportSending,
  type SavedReport,
  type SendingRule,
} from '@dala/model'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { readSettings } from '../../../settings.ts'
import { buildUser } from '../../../testing/factories.ts'
import { parseEmail } from '../../../testing/parse-email.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../../testing/people.ts'
import { textOfPdf } from '../../../testing/pdf-text.ts'
import { buildReportWorld, type ReportWorld } from '../../../testing/report-world.ts'
import { startResourceApp } from '../../../testing/resource-app.ts'
import type { Letter } from '../../mail/letters.ts'
import { Mailer } from '../../mail/mailer.ts'
import { computeReport, findNames, findSavedReport } from '../../statistics/index.ts'
import { HousekeepingJob } from '../../operations/housekeeping.ts'
import { endRestoredStateSql } from '../../../db/backups/end-restored-state.ts'
import { sendDueSchedule } from './job.ts'
import { panelAddress, scheduledLetters } from './letters.ts'
import { localNow } from './store.ts'

const readers = { computeReport, findNames, findSavedReport }
const publicUrl = 'https://dala.example.org'
let world: ReportWorld = { regions: [], categories: [], consultants: [] }
let maker: TestPerson, reader: TestPerson, consultant: TestPerson
const resourceApp = startResourceApp(async (app) => {
  world = await buildReportWorld(app)
})
beforeAll(async () => {
  maker = await buildPerson(resourceApp, 'admin', { name: 'Aysulu', surname: 'Tleuova', language: 'en' })
  reader = await buildPerson(resourceApp, 'super-admin', { name: 'Marat', surname: 'Otepov', language: 'ru' })
  consultant = await buildConsultant(resourceApp)
  await resourceApp.database.query(sql`update users set confirmed = true, active = true`)
})
let savedReport: SavedReport
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from report_schedules`)
  await resourceApp.database.query(sql`delete from saved_reports`)
  await resourceApp.database.query(sql`delete from mails`)
  savedReport = await save(maker)
})

type Answer = { status: number; body: unknown }
const dataOf = <T>(answer: Answer): T => {
  expect([answer.status, answer.body]).toMatchObject([200, {}])
  return (answer.body as { data: T }).data
}
const refusal = ({ status, body }: Answer) => [status, (body as { error?: { code?: string } }).error?.code]

const spring = { from: '2025-03-01', to: '2025-05-31', interval: 'month' }
const save = async (person: TestPerson, overrides: object = {}) =>
  dataOf<SavedReport>(
    await person.ask('POST', '/statistics/saved', {
      data: { title: 'Spring', key: 'consultations', query: spring, ...overrides },
    }),
  )
const draft = (overrides: object = {}) => ({
  saved: savedReport.id,
  weekday: 1,
  hour: 8,
  recipients: { users: [maker.id] },
  format: 'csv',
  ...overrides,
})
const post = (data: object, person = maker) => person.ask('POST', '/statistics/schedules', { data })
const make = async (overrides: object = {}) => dataOf<ReportSchedule>(await post(draft(overrides)))
const change = (id: number, data: object, person = maker) => person.ask('PUT', `/statistics/schedules/${id}`, { data })
const list = async (person = maker) => dataOf<ReportSchedule[]>(await person.ask('GET', '/statistics/schedules'))
const readSchedule = async (id: number) => (await list()).find((listedSchedule) => listedSchedule.id === id)
const sendings = async (id: number, person = maker) =>
  dataOf<ReportSending[]>(await person.ask('GET', `/statistics/schedules/${id}/sendings`))

/** Makes all schedules due as after an interruption of half a year, and queues their letters. */
async function sendAll(): Promise<void> {
  await resourceApp.database.query(sql`update report_schedules set next_at = now() - interval '180 days' where active`)
  while (await sendDueSchedule(resourceApp.database, readers));
}
const queuedRecipients = async () =>
  (await resourceApp.database.query(sql<{ recipient: string }>`select recipient from mails order by id`)).map(
    (mail) => mail.recipient,
  )

interface Delivered extends Letter {
  to: string
  id: string | undefined
}
/** Delivers the queued letters to a list; `refuse` makes the mail server refuse an address. */
async function deliver(refuse = '', prepareDelivery?: () => Promise<void>): Promise<Delivered[]> {
  const letters: Delivered[] = []
  const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: publicUrl })
  const mailer = new Mailer(
    resourceApp.database,
    settings,
    { sent: () => {}, failed: () => {} },
    async (mailRecipient, letter, id) => {
      if (mailRecipient === refuse) throw new Error('550 5.1.1 no such user')
      letters.push({ to: mailRecipient, id, ...letter })
      return undefined
    },
    scheduledLetters(resourceApp.database, readers, publicUrl),
  )
  await prepareDelivery?.()
  await mailer.deliver()
  return letters
}
const contentOf = (letter: Delivered | undefined) => letter?.attachments?.[0]?.content ?? Buffer.alloc(0)

/** The moment of an hour of a day in Tashkent, which is five hours ahead of UTC all year. */
const momentOf = (day: string, hour: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + (hour - 5) * 3_600_000).toISOString()

describe('POST /api/statistics/schedules', () => {
  it('stores a schedule with its readers and the time of its next sending', async () => {
    const users = [maker.id, reader.id].toSorted((one, other) => one - other)
    const rule: SendingRule = { weekday: null, month_day: 31, hour: 7 }
    const createdSchedule = await make({
      ...rule,
      recipients: { users, addresses: [' Ministry@Example.ORG', 'ministry@example.org'] },
      format: 'xlsx',
      locale: 'uz',
    })
    expect(createdSchedule).toEqual({
      id: createdSchedule.id,
      saved: savedReport.id,
      title: 'Spring',
      key: 'consultations',
      ...rule,
      recipients: {
        users: users.map((id) => ({ id, name: id === maker.id ? 'Aysulu Tleuova' : 'Marat Otepov' })),
        addresses: ['ministry@example.org'],
      },
      format: 'xlsx',
      locale: 'uz',
      active: true,
      paused: null,
      next_at: momentOf(nextSendingDay(rule, await localNow(resourceApp.database)), 7),
      last: null,
      by: { id: maker.id, name: 'Aysulu Tleuova' },
      own: true,
      version: 1,
      created_at: expect.any(String) as string,
    })
    expect((await make()).locale).toBe('en')
    const [line] = await resourceApp.database.query(
      sql`select action, resource, details from audit where action = 'report.schedule' and details ? 'addresses' order by id desc limit 1`,
    )
    expect(line).toEqual({
      action: 'report.schedule',
      resource: 'statistics',
      details: { key: 'consultations', schedule: String(createdSchedule.id), addresses: 'ministry@example.org' },
    })
  })

  it.each([
    [{ weekday: null }, 'report.sending-day'],
    [{ month_day: 3 }, 'report.sending-day'],
    [{ weekday: 8 }, 'validation.max'],
    [{ weekday: 0 }, 'validation.min'],
    [{ weekday: null, month_day: 32 }, 'validation.max'],
    [{ hour: 24 }, 'validation.max'],
    [{ hour: null }, 'validation'],
    [{ format: 'doc' }, ''],
    [{ locale: 'de' }, ''],
    [{ saved: 'x' }, 'validation.relation'],
    [{ recipients: null }, ''],
    [{ recipients: {} }, 'report.recipients'],
    [{ recipients: { users: [999_999] } }, 'report.recipients'],
    [{ recipients: { users: Array.from({ length: 21 }, (_, index) => index + 1) } }, 'validation.maxItems'],
    [{ recipients: { addresses: ['plain'] } }, 'validation.emailInvalid'],
    [{ recipients: { addresses: ['a@b.uz\r\nBcc: c@d.uz'] } }, 'validation.emailInvalid'],
    [{ recipients: { addresses: Array.from({ length: 21 }, (_, index) => `a${index}@b.uz`) } }, ''],
  ])('refuses %o with 422 and %s', async (wrongFields, code) => {
    const { status, body } = await post(draft(wrongFields))
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(code)
    expect(await list()).toEqual([])
  })

  it('refuses customers and blocked accounts as readers of a schedule', async () => {
    const customer = await buildUser(resourceApp.database, 'authenticated')
    const blockedUser = await buildUser(resourceApp.database, 'admin', { blocked: true })
    for (const user of [customer, blockedUser])
      expect(refusal(await post(draft({ recipients: { users: [user] } })))).toEqual([422, 'report.recipients'])
  })

  it('refuses schedules of saved reports that the caller may not open', async () => {
    const readerReport = await save(reader)
    expect(refusal(await post(draft({ saved: readerReport.id })))).toEqual([404, 'record.not-found'])
    expect(refusal(await post(draft({ saved: 999_999 })))).toEqual([404, 'record.not-found'])
    expect((await resourceApp.ask('POST', '/statistics/schedules', { data: draft() }, 'authenticated')).status).toBe(
      403,
    )
    expect((await resourceApp.ask('POST', '/statistics/schedules', { data: draft() }, 'public')).status).toBe(401)
  })

  it('refuses schedules of consultants with other readers than themselves', async () => {
    const consultantReport = await save(consultant)
    const data = (recipients: object) => draft({ saved: consultantReport.id, recipients })
    for (const recipients of [{ users: [maker.id] }, { users: [consultant.id], addresses: ['a@b.uz'] }])
      expect(refusal(await post(data(recipients), consultant))).toEqual([403, 'access.denied'])
    expect((await post(data({ users: [consultant.id] }), consultant)).status).toBe(200)
  })

  it('refuses to send figures of one consultant to addresses', async () => {
    const person = await save(maker, { query: { ...spring, filters: { consultant: String(world.consultants[0]) } } })
    const data = draft({ saved: person.id, recipients: { addresses: ['a@b.uz'] } })
    expect(refusal(await post(data))).toEqual([422, 'report.filter'])
    expect((await post(draft({ saved: person.id }))).status).toBe(200)
  })

  it('stores at most twenty schedules of a person', async () => {
    for (let scheduleIndex = 0; scheduleIndex < 20; scheduleIndex += 1) await make()
    expect(refusal(await post(draft()))).toEqual([422, 'report.schedules'])
  })
})

describe('GET /api/statistics/schedules', () => {
  it('lists the caller’s own schedules, or all for administrators, with the hour of the zone and the state of mail', async () => {
    const createdSchedule = await make()
    const consultantReport = await save(consultant)
    const data = draft({ saved: consultantReport.id, recipients: { users: [consultant.id] } })
    const consultantSchedule = dataOf<ReportSchedule>(await post(data, consultant))
    expect((await list(consultant)).map(({ id }) => id)).toEqual([consultantSchedule.id])
    expect(
      (await list(reader))
        .map(({ id, own: isOwn }) => [id, isOwn])
        .toSorted(([one], [other]) => Number(one) - Number(other)),
    ).toEqual([
      [createdSchedule.id, false],
      [consultantSchedule.id, false],
    ])
    const { body } = await maker.ask('GET', '/statistics/schedules')
    const now = await localNow(resourceApp.database)
    expect((body as { meta: object }).meta).toEqual({ tz: 'Asia/Tashkent', ...now, mail: false })
    expect((await resourceApp.ask('GET', '/statistics/schedules', undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', '/statistics/schedules', undefined, 'public')).status).toBe(401)
  })
})

describe('PUT /api/statistics/schedules/:id', () => {
  it('changes, pauses and resumes a schedule', async () => {
    const { id } = await make()
    const changedSchedule = dataOf<ReportSchedule>(
      await change(id, { month_day: 5, hour: 23, format: 'pdf', version: 1 }),
    )
    expect(changedSchedule).toMatchObject({ weekday: null, month_day: 5, hour: 23, format: 'pdf', version: 2 })
    expect(changedSchedule.recipients.users.map((user) => user.id)).toEqual([maker.id])
    expect(dataOf(await change(id, { active: false }))).toMatchObject({ active: false, next_at: null, paused: null })
    await resourceApp.database.query(sql`update report_schedules set next_at = now() - interval '1 day'`)
    expect(await sendDueSchedule(resourceApp.database, readers)).toBe(false)
    const resumedSchedule = dataOf<ReportSchedule>(await change(id, { active: true, weekday: 2 }))
    expect(resumedSchedule).toMatchObject({ active: true, weekday: 2, month_day: null, hour: 23 })
    expect(Date.parse(resumedSchedule.next_at ?? '')).toBeGreaterThan(Date.now())
  })

  it('refuses changes of a schedule from a stale version, by another user, or with values that a new schedule may not have', async () => {
    const { id } = await make()
    await change(id, { hour: 9 })
    const stale = await change(id, { hour: 10, version: 1 })
    expect(refusal(stale)).toEqual([409, 'record.stale'])
    expect(refusal(await change(id, { hour: 10 }, reader))).toEqual([403, 'access.denied'])
    expect(refusal(await change(id, { hour: 10 }, consultant))).toEqual([404, 'record.not-found'])
    expect(refusal(await change(999_999, { hour: 10 }))).toEqual([404, 'record.not-found'])
    expect(refusal(await change(id, { weekday: null, month_day: null }))).toEqual([422, 'report.sending-day'])
    expect(refusal(await change(id, { recipients: {} }))).toEqual([422, 'report.recipients'])
    await resourceApp.database.query(sql`delete from saved_reports`)
    expect(refusal(await change(id, { active: true }))).toEqual([404, 'record.not-found'])
    expect((await change(id, { active: false })).status).toBe(200)
    expect(await readSchedule(id)).toMatchObject({ saved: null, title: 'Spring', active: false })
  })
})

describe('DELETE /api/statistics/schedules/:id', () => {
  it('deletes a schedule with its letters that wait, for its maker and for administrators', async () => {
    const { id } = await make()
    await sendAll()
    expect(refusal(await consultant.ask('DELETE', `/statistics/schedules/${id}`))).toEqual([404, 'record.not-found'])
    expect(dataOf<ReportSchedule>(await reader.ask('DELETE', `/statistics/schedules/${id}`)).id).toBe(id)
    expect(await list()).toEqual([])
    expect(await queuedRecipients()).toHaveLength(1)
    expect(await deliver()).toEqual([])
    const [line] = await resourceApp.database.query(sql`select user_id from audit where action = 'report.unschedule'`)
    expect(line).toEqual({ user_id: reader.id })
    expect(refusal(await maker.ask('DELETE', `/statistics/schedules/${id}`))).toEqual([404, 'record.not-found'])
  })
})

describe('POST /api/statistics/schedules/:id/restore', () => {
  const restore = (id: number, person = maker) => person.ask('POST', `/statistics/schedules/${id}/restore`)
  const remove = (id: number, person = maker) => person.ask('DELETE', `/statistics/schedules/${id}`)
  it('restores a deleted schedule with the record of its letters, which are then sent', async () => {
    const { id } = await make()
    await sendAll()
    const record = await sendings(id)
    expect(record).toHaveLength(1)
    await remove(id)
    expect(await list()).toEqual([])
    expect(dataOf<ReportSchedule>(await restore(id))).toMatchObject({ id, active: true, last: { letters: 1 } })
    expect(await sendings(id)).toEqual(record)
    expect(await deliver()).toHaveLength(1)
    expect(await sendings(id)).toMatchObject([{ id: record[0]?.id, state: 'sent' }])
  })
  it('refuses a schedule that is not deleted, of another person, or deleted a day ago', async () => {
    const { id } = await make()
    expect(refusal(await restore(id))).toEqual([404, 'record.not-found'])
    await remove(id)
    expect(refusal(await restore(id, reader))).toEqual([404, 'record.not-found'])
    await resourceApp.database.query(sql`update report_schedules set deleted_at = now() - interval '25 hours'`)
    expect(refusal(await restore(id))).toEqual([404, 'record.not-found'])
    await new HousekeepingJob(resourceApp.database, 365).clear()
    expect(await resourceApp.database.query(sql`select 1 from report_schedules`)).toEqual([])
  })
  it('refuses to restore a schedule of a person who has the maximum number of them', async () => {
    const { id } = await make()
    await remove(id)
    await make()
    await resourceApp.database.query(sql`
      insert into report_schedules (user_id, saved_id, title, key, weekday, hour, users, addresses, format, locale)
      select user_id, saved_id, title, key, weekday, hour, users, addresses, format, locale
        from report_schedules cross join generate_series(2, ${maxSchedules}::int) where deleted_at is null`)
    expect(refusal(await restore(id))).toEqual([422, 'report.schedules'])
  })
  it('queues no letter of a deleted schedule', async () => {
    const { id } = await make()
    await remove(id)
    await sendAll()
    expect(await queuedRecipients()).toEqual([])
  })
})

describe('the sending of schedules', () => {
  it('queues each letter of the latest sending that is due once, with its record', async () => {
    const rule: SendingRule = { weekday: 3, month_day: null, hour: 6 }
    const { id } = await make({ ...rule, recipients: { users: [maker.id, reader.id], addresses: ['a@b.uz'] } })
    await sendAll()
    const addresses = await queuedRecipients()
    expect(addresses).toHaveLength(3)
    expect(addresses.at(-1)).toBe('a@b.uz')
    const now = await localNow(resourceApp.database)
    const dueAt = momentOf(lastSendingDay(rule, now), 6)
    expect((await sendings(id)).map(({ due_at, state }) => [due_at, state])).toEqual(
      Array.from({ length: 3 }, () => [dueAt, 'waiting']),
    )
    expect(await readSchedule(id)).toMatchObject({
      next_at: momentOf(nextSendingDay(rule, now), 6),
      last: { due_at: dueAt, letters: 3, sent: 0, waiting: 3 },
    })
    // The same sending is not repeated, even if its time is found again.
    await sendAll()
    expect(await queuedRecipients()).toHaveLength(3)
  })

  it('stores no part of a sending whose transaction fails, and sends it once afterwards', async () => {
    const { id } = await make()
    await resourceApp.database.query(sql`update report_schedules set next_at = now() - interval '1 hour'`)
    // The last statement of the transaction fails, after the letters and their record were written.
    await resourceApp.database.query(
      sql`alter table report_schedules add constraint never_later check (next_at < now()) not valid`,
    )
    await expect(sendDueSchedule(resourceApp.database, readers)).rejects.toThrow('never_later')
    await resourceApp.database.query(sql`alter table report_schedules drop constraint never_later`)
    expect([await queuedRecipients(), await sendings(id)]).toEqual([[], []])
    expect(await readSchedule(id)).toMatchObject({ last: null })
    while (await sendDueSchedule(resourceApp.database, readers));
    expect(await queuedRecipients()).toHaveLength(1)
    expect(await sendings(id)).toHaveLength(1)
  })

  it('sends a due schedule once with several workers', async () => {
    for (let scheduleIndex = 0; scheduleIndex < 6; scheduleIndex += 1)
      await make({ recipients: { users: [maker.id, reader.id] } })
    await resourceApp.database.query(sql`update report_schedules set next_at = now() - interval '1 hour'`)
    const runWorker = async () => {
      while (await sendDueSchedule(resourceApp.database, readers));
    }
    await Promise.all([runWorker(), runWorker(), runWorker()])
    expect(await queuedRecipients()).toHaveLength(12)
    const [doubleCount] = await resourceApp.database.query(sql<{ n: number }>`
      select count(*)::int as n from (select schedule_id, user_id from report_sendings group by 1, 2 having count(*) > 1) d`)
    expect(doubleCount?.n).toBe(0)
    expect((await list()).every(({ next_at: sendingTime }) => Date.parse(sendingTime ?? '') > Date.now())).toBe(true)
  })

  it('computes only the next sending of a schedule after a restore of a backup', async () => {
    const { id } = await make()
    await resourceApp.database.query(sql`update report_schedules set next_at = now() - interval '1 day'`)
    await resourceApp.database.query(sql`update report_schedules set next_at = null`)
    expect(endRestoredStateSql(new Date())).toContain('update public.report_schedules set next_at = null')
    while (await sendDueSchedule(resourceApp.database, readers));
    expect(await queuedRecipients()).toEqual([])
    expect(Date.parse((await readSchedule(id))?.next_at ?? '')).toBeGreaterThan(Date.now())
  })

  it.each([
    ['report', () => resourceApp.database.query(sql`delete from saved_reports`)],
    ['maker', () => resourceApp.database.query(sql`update users set blocked = true where id = ${maker.id}`)],
    [
      'right',
      () =>
        resourceApp.database.query(
          sql`update users set role_id = (select id from roles where type = 'authenticated') where id = ${maker.id}`,
        ),
    ],
  ])('pauses a schedule that lacks its %s, and says so', async (reason, remove) => {
    const { id } = await make()
    const roles = await resourceApp.database.query(
      sql<{ role: number }>`select role_id as role from users where id = ${maker.id}`,
    )
    await remove()
    await sendAll()
    const [row] = await list(reader)
    await resourceApp.database.query(
      sql`update users set blocked = false, role_id = ${roles[0]?.role ?? 0} where id = ${maker.id}`,
    )
    expect(row).toMatchObject({ id, active: false, paused: reason, next_at: null })
    expect(await queuedRecipients()).toEqual([])
    if (reason === 'report') return
    expect(dataOf(await change(id, { active: true }))).toMatchObject({ active: true, paused: null })
  })

  it('pauses a schedule to addresses whose saved report has become one of a consultant', async () => {
    const { id } = await make({ recipients: { addresses: ['a@b.uz'] } })
    const query = { ...spring, filters: { consultant: String(world.consultants[0]) } }
    await maker.ask('PUT', `/statistics/saved/${savedReport.id}`, { data: { query } })
    await sendAll()
    expect(await readSchedule(id)).toMatchObject({ active: false, paused: 'right' })
  })
})

describe('the letters of schedules', () => {
  it('attaches to the letter of a schedule the file in each reader’s language with that reader’s figures, and records the letter', async () => {
    const report = await save(maker, { title: 'Team', key: 'consultants', shared_with: 'authenticated' })
    const { id } = await make({ saved: report.id, recipients: { users: [maker.id, reader.id, consultant.id] } })
    await sendAll()
    const letters = await deliver()
    expect(letters).toHaveLength(3)
    const russianLetter = letters.find(({ subject }) => subject.includes('Отчёт «Team»'))
    expect(russianLetter?.text).toContain('Marat')
    expect(russianLetter?.text).toContain('Aysulu Tleuova регулярно отправляет вам этот отчёт')
    expect(russianLetter?.text).toContain(`${publicUrl}/app/statistics/consultants?`)
    expect(russianLetter?.attachments?.[0]).toMatchObject({
      filename: expect.stringMatching(/^consultants-\d{4}-\d\d-\d\d\.csv$/) as string,
      contentType: 'text/csv; charset=utf-8',
    })
    // Staff see the rows of all consultants; a consultant does not see those of others.
    const rowsOf = (letter: Delivered | undefined) =>
      contentOf(letter)
        .toString()
        .match(/^[ABC];/gm) ?? []
    expect(rowsOf(russianLetter).length).toBeGreaterThan(0)
    const [consultantMail] = await resourceApp.database.query(
      sql<{ email: string }>`select email from users where id = ${consultant.id}`,
    )
    expect(rowsOf(letters.find(({ to }) => to === consultantMail?.email))).toEqual([])
    const record = await sendings(id)
    expect(record.map(({ state, user }) => [state, user?.id])).toEqual(
      [maker.id, reader.id, consultant.id].toSorted((one, other) => one - other).map((user) => ['sent', user]),
    )
    expect(new Set(letters.map((letter) => letter.id))).toEqual(
      new Set(record.map((storedSending) => `report-${storedSending.id}`)),
    )
    expect((await readSchedule(id))?.last).toMatchObject({ letters: 3, sent: 3, waiting: 0 })
  })

  it('sends only totals to addresses without an account, in the language of the schedule', async () => {
    const report = await save(maker, { title: 'Team', key: 'consultants' })
    await make({ saved: report.id, format: 'pdf', locale: 'kaa', recipients: { addresses: ['a@b.uz'] } })
    await sendAll()
    const [letter] = await deliver()
    expect(letter?.subject).toContain('«Team» esabatı')
    expect(letter?.text).not.toMatch(/Aysulu|Tleuova|\/app\/|akkauntıńız/)
    const text = textOfPdf(contentOf(letter)).join('\n')
    expect(text).not.toMatch(/Aysulu|^[ABC]$/m)
    expect(text.length).toBeGreaterThan(200)
  })

  it.each([
    ['en', 'Filters', 'Language: Qaraqalpaqsha'],
    ['ru', 'Фильтры', 'Язык: Qaraqalpaqsha'],
    ['uz', 'Filtrlar', 'Til: Qaraqalpaqsha'],
    ['kaa', 'Filtrler', 'Til: Qaraqalpaqsha'],
  ])(
    'names the language filter in the file of a letter in %s, the language of its reader',
    async (language, heading, text) => {
      const report = await save(maker, { query: { ...spring, filters: { locale: 'kaa' } } })
      const person = await buildPerson(resourceApp, 'admin', { language })
      await resourceApp.database.query(sql`update users set confirmed = true, active = true where id = ${person.id}`)
      await make({ saved: report.id, recipients: { users: [person.id] } })
      const locale = language === 'en' ? 'ru' : 'en'
      await make({ saved: report.id, format: 'pdf', locale: language, recipients: { addresses: ['a@b.uz'] } })
      await make({ saved: report.id, locale, recipients: { users: [person.id] } })
      await sendAll()
      const letters = await deliver()
      expect(letters).toHaveLength(3)
      for (const letter of letters) {
        const isTotals = letter.to === 'a@b.uz'
        const content = contentOf(letter)
        const head = isTotals ? textOfPdf(content).join('\n') : content.toString()
        expect(head).toContain(isTotals ? `${heading}: ${text}` : `\n${heading};${text}\r\n`)
      }
    },
  )

  it('leaves out readers who may no longer open the report, and records the reason', async () => {
    const report = await save(maker, { title: 'Prices', key: 'prices', query: {} })
    const leaver = await buildPerson(resourceApp, 'admin')
    await resourceApp.database.query(sql`update users set confirmed = true, active = true where id = ${leaver.id}`)
    const { id } = await make({ saved: report.id, recipients: { users: [leaver.id, consultant.id, reader.id] } })
    await sendAll()
    const letters = await deliver('', async () => {
      await resourceApp.database.query(sql`update users set blocked = true where id = ${leaver.id}`)
    })
    expect(letters).toHaveLength(1)
    const record = new Map((await sendings(id)).map(({ user, state, reason }) => [user?.id, [state, reason]]))
    expect(record.get(leaver.id)).toEqual(['skipped', 'reader'])
    expect(record.get(consultant.id)).toEqual(['skipped', 'right'])
    expect(record.get(reader.id)).toEqual(['sent', null])
    expect((await readSchedule(id))?.last).toMatchObject({ letters: 3, sent: 1, waiting: 0 })
  })

  it('keeps the reason for a refused letter while it is retried, and gives up after a day', async () => {
    const { id } = await make({ recipients: { addresses: ['a@b.uz'] } })
    await sendAll()
    expect(await deliver('a@b.uz')).toEqual([])
    expect(await sendings(id)).toMatchObject([
      { state: 'waiting', reason: 'mail', detail: '550 5.1.1 no such user', address: 'a@b.uz', user: null },
    ])
    await resourceApp.database.query(sql`update report_sendings set created_at = now() - interval '25 hours'`)
    expect(await sendings(id)).toMatchObject([{ state: 'failed', reason: 'mail' }])
    expect((await readSchedule(id))?.last).toMatchObject({ letters: 1, sent: 0, waiting: 0 })
    await resourceApp.database.query(sql`update report_sendings set created_at = now()`)
    await resourceApp.database.query(sql`update mails set due_at = now()`)
    expect(await deliver()).toHaveLength(1)
    expect(await sendings(id)).toMatchObject([{ state: 'sent', reason: null, detail: null }])
    await resourceApp.database.query(sql`update report_sendings set created_at = now() - interval '13 months'`)
    await new HousekeepingJob(resourceApp.database, 365).clear()
    expect(await sendings(id)).toEqual([])
  })

  it('writes the letters of schedules with their attachment as files when no mail server is configured', async () => {
    await make({ format: 'xlsx' })
    await sendAll()
    const dataDir = mkdtempSync(join(tmpdir(), 'dala-schedules-'))
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: publicUrl, DATA_DIR: dataDir })
    const { openTransport } = await import('../../mail/mail-transport.ts')
    const letters = scheduledLetters(resourceApp.database, readers, publicUrl)
    await new Mailer(
      resourceApp.database,
      settings,
      { sent: () => {}, failed: () => {} },
      openTransport(settings),
      letters,
    ).deliver()
    const [name = ''] = readdirSync(join(dataDir, 'outbox'))
    const letterText = readFileSync(join(dataDir, 'outbox', name), 'utf8')
    expect(name).toMatch(/^report-\d+\.eml$/)
    expect(parseEmail(letterText).subject).toContain('Report “Spring”')
    expect(letterText).toMatch(/Content-Disposition: attachment; filename=consultations-[\d-]+\.xlsx/)
  })

  it('links the letter of a schedule to the page of the report with its settings', () => {
    expect(panelAddress({ key: 'prices', query: { period: 'days7', filters: { region: 5 } } })).toBe(
      '/app/statistics/prices?period=days7&f.region=5',
    )
    expect(panelAddress({ key: 'people', query: {} })).toBe('/app/statistics/people')
  })
})

describe('GET /api/statistics/schedules/:id/sendings', () => {
  it('shows the letters of a schedule to its maker and to administrators only', async () => {
    const { id } = await make()
    await sendAll()
    expect(await sendings(id, reader)).toHaveLength(1)
    const path = `/statistics/schedules/${id}/sendings`
    expect(refusal(await consultant.ask('GET', path))).toEqual([404, 'record.not-found'])
    expect((await resourceApp.ask('GET', path, undefined, 'authenticated')).status).toBe(403)
    expect((await resourceApp.ask('GET', path, undefined, 'public')).status).toBe(401)
    for (const wrongId of ['0', 'x', '999999'])
      expect(refusal(await maker.ask('GET', `/statistics/schedules/${wrongId}/sendings`))).toEqual([
        404,
        'record.not-found',
      ])
  })
})
