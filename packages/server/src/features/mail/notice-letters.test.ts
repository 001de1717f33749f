import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chosenKinds, type Locale, locales } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { notifyUsers, type Notices } from '../../domain/delivery/notices.ts'
import { readSettings } from '../../settings.ts'
import { buildRecord, buildUser } from '../../testing/factories.ts'
import { parseEmail } from '../../testing/parse-email.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import type { Letter } from './letters.ts'
import { openTransport } from './mail-transport.ts'
import { noticeLetters } from './notice-letters.ts'

const resourceApp = startResourceApp()
const settings = readSettings({ PUBLIC_URL: 'https://dala.example.org', NODE_ENV: 'test' })

interface SentLetter extends Letter {
  to: string
  id: string | undefined
}

/** A deliverer that collects its letters; `refuses` makes its server refuse them. */
function deliverer({ refuses = false } = {}) {
  const sentLetters: SentLetter[] = []
  const repeatedIds: string[] = []
  const failures: unknown[] = []
  const log = {
    sent: () => {},
    onRepeated: (id: string) => void repeatedIds.push(id),
    failed: (error: unknown) => void failures.push(error),
  }
  const letters = noticeLetters(resourceApp.database, settings, log, async (recipient, letter, id) => {
    if (refuses) throw new Error('refused')
    sentLetters.push({ to: recipient, id, ...letter })
    return undefined
  })
  return { letters, sent: sentLetters, repeated: repeatedIds, failures, deliver: () => letters.deliver() }
}

let admin = 0
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from notices`)
  await resourceApp.database.query(sql`delete from notice_choices`)
  admin = resourceApp.people.admin ?? 0
  await resourceApp.database.query(sql`
    update users set language = 'en', quiet_from = null, quiet_to = null, digest_at = null, confirmed = true, active = true, blocked = false
     where id = ${admin}`)
})

const customer = 'Aysánem Bekova'
const params: { [K in (typeof chosenKinds)[number]]: Notices[K] } = {
  'consultation.asked': { customer },
  'consultation.assigned': { customer },
  'consultation.reopened': { customer },
  'consultation.overdue': { customer },
  'chat.assigned': { customer },
  'desk.waiting': { customer },
  'desk.returned': { customer, consultant: 'Berdaq' },
  'day.check': { date: '2026-11-27', flagged: 4 },
  'course.translate': { title: 'Wheat', locales: ['uz', 'kaa'] },
  'bulk.finished': { resource: 'news', count: 5, changed: 4, refused: 1, job: 9, state: 'finished' },
  'import.done': { resource: 'news', created: 2, updated: 3 },
  'import.failed': { resource: 'news', file: 'wheat.xlsx' },
  'view.shared': { name: 'Mine', by: 'Berdaq' },
}

const choose = (kind: string, letter: string, channel = 'letter') =>
  resourceApp.database.query(sql`
    insert into notice_choices (user_id, kind, channel, choice) values (${admin}, ${kind}, ${channel}, ${letter})
    on conflict (user_id, kind, channel) do update set choice = excluded.choice`)

const add = (
  key: string,
  users = [admin],
  kind: 'consultation.overdue' | 'consultation.asked' = 'consultation.overdue',
) =>
  resourceApp.database.transaction((trx) =>
    notifyUsers(trx, { users, kind, params: { customer }, address: '/consultation/1', key }),
  )
const states = () =>
  resourceApp.database.query(sql<{ state: string; reason: string | null }>`
    select d.state, d.reason from notice_deliveries d order by d.notice_id`)
const makeDeliveriesDue = () =>
  resourceApp.database.query(sql`update notice_deliveries set due_at = now() - interval '1 second'`)

describe('letters of each kind in each language', () => {
  const matrix = locales.flatMap((locale) => chosenKinds.map((kind) => [kind, locale] as const))
  it.each(matrix)('tells of %s in %s completely, in the inbox and by letter', async (kind, locale) => {
    await resourceApp.database.query(sql`update users set language = ${locale} where id = ${admin}`)
    await choose(kind, 'now')
    await resourceApp.database.transaction((trx) =>
      notifyUsers(trx, { users: [admin], kind, params: params[kind], address: '/news', key: '1' }),
    )
    const inbox = await resourceApp.read<{ data: { kind: string }[] }>('/notices')
    expect(inbox.data.map((notice) => notice.kind)).toEqual([kind])
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(1)
    const [letter] = sent
    const letterText = `${letter?.subject}${letter?.text}${letter?.html}`
    expect(letterText).not.toMatch(/[{}]|undefined|\binbox\.|\bmail\./)
    const namedValues = Object.values(params[kind]).filter(
      (value) => typeof value === 'string' && !['news', 'finished', '2026-11-27'].includes(value),
    )
    expect(namedValues.filter((value) => !letterText.includes(String(value)))).toEqual([])
    expect(letter?.text).toContain('https://dala.example.org/app/news')
    expect(letter?.html).toContain(`<html lang="${locale}">`)
    expect(letter?.to).toBe('admin@example.org')
  })

  it('writes different texts in different languages', async () => {
    const subjects = new Set<string>()
    for (const locale of locales) {
      await resourceApp.database.query(sql`update users set language = ${locale satisfies Locale} where id = ${admin}`)
      await add(locale)
      const { sent, deliver } = deliverer()
      await deliver()
      subjects.add(sent[0]?.subject ?? '')
    }
    expect(subjects.size).toBe(locales.length)
  })
})

describe('the choice of a reader', () => {
  it('sends no letter of a kind that is off, also when it is turned off after the notice', async () => {
    await choose('consultation.overdue', 'off')
    await add('1')
    expect(await states()).toEqual([])
    await choose('consultation.overdue', 'now')
    await add('2')
    await choose('consultation.overdue', 'off')
    const { deliver } = deliverer()
    expect(await deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'unwanted' }])
  })

  it('leaves a kind of notices out of the inbox, and still sends its letters', async () => {
    await choose('consultation.overdue', 'off', 'inbox')
    await add('1')
    expect(await resourceApp.read('/notices')).toMatchObject({ data: [], meta: { unread: 0 } })
    expect(await deliverer().deliver()).toBe(1)
  })

  it('collects notices of the digest in one letter at the time of the reader', async () => {
    for (const key of ['1', '2', '3']) await add(key, [admin], 'consultation.asked')
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(0)
    const [dueDelivery] = await resourceApp.database.query(sql<{ at: string; ahead: boolean }>`
      select to_char(due_at at time zone 'Asia/Tashkent', 'HH24:MI') as at, due_at > now() and due_at <= now() + interval '1 day' as ahead
        from notice_deliveries limit 1`)
    expect(dueDelivery).toEqual({ at: '08:00', ahead: true })
    await makeDeliveriesDue()
    // A notice of this moment joins the digest that is due.
    await resourceApp.database.query(sql`update users set digest_at = '18:30' where id = ${admin}`)
    await add('4', [admin], 'consultation.asked')
    expect(await deliver()).toBe(1)
    expect(sent[0]?.subject).toContain('4')
    expect(sent[0]?.text.match(/A new question is waiting/g)).toHaveLength(4)
    expect(await deliver()).toBe(0)
  })

  it('postpones letters to the end of quiet hours', async () => {
    const [clock] = await resourceApp.database.query(sql<{ from: string; to: string }>`
      select to_char(now() at time zone 'Asia/Tashkent' - interval '1 hour', 'HH24:MI') as "from",
             to_char(now() at time zone 'Asia/Tashkent' + interval '1 hour', 'HH24:MI') as "to"`)
    await resourceApp.database.query(
      sql`update users set quiet_from = ${clock?.from}, quiet_to = ${clock?.to} where id = ${admin}`,
    )
    await add('1')
    const { deliver } = deliverer()
    expect(await deliver()).toBe(0)
    const [row] = await resourceApp.database.query(sql<{ minutes: number; state: string }>`
      select round(extract(epoch from due_at - now()) / 60)::int as minutes, state from notice_deliveries`)
    expect(row?.state).toBe('waiting')
    expect(row?.minutes).toBeGreaterThan(58)
    expect(row?.minutes).toBeLessThan(62)
    await resourceApp.database.query(sql`update users set quiet_from = null where id = ${admin}`)
    await makeDeliveriesDue()
    expect(await deliver()).toBe(1)
  })
})

describe('checks at the delivery', () => {
  it('sends no letter about a notice that was read', async () => {
    await add('1')
    await resourceApp.ask('POST', '/notices/read', { data: { all: true } })
    expect(await deliverer().deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'read' }])
  })

  it.each(['confirmed = false', 'active = false', 'blocked = true'])(
    'sends no letter to an account that is %s by now',
    async (change) => {
      await add('1')
      await resourceApp.database.query(sql`update users set ${sql.raw(change)} where id = ${admin}`)
      expect(await deliverer().deliver()).toBe(0)
      expect(await states()).toEqual([{ state: 'dropped', reason: 'unreachable' }])
    },
  )

  it('sends no letter about a record that its reader may no longer read', async () => {
    const consultant = await buildUser(resourceApp.database, 'authenticated', { is_consultant: true })
    const colleague = await buildUser(resourceApp.database, 'authenticated', { is_consultant: true })
    const id = await buildRecord(resourceApp.database, 'consultations', {
      question: 'Q',
      user: resourceApp.people.authenticated,
    })
    await resourceApp.database.transaction((trx) =>
      notifyUsers(trx, {
        users: [consultant, colleague],
        kind: 'consultation.overdue',
        params: { customer },
        address: `/consultation/${id}`,
        subject: { resource: 'consultations', document: id },
      }),
    )
    await resourceApp.database.query(sql`update consultations set consultant_id = ${colleague} where id = ${id}`)
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(1)
    expect(await states()).toEqual([
      { state: 'dropped', reason: 'out-of-sight' },
      { state: 'sent', reason: null },
    ])
    const [row] = await resourceApp.database.query(
      sql<{ email: string }>`select email from users where id = ${colleague}`,
    )
    expect(sent[0]?.to).toBe(row?.email)
  })

  it('queues no letter for an address that is not confirmed', async () => {
    await resourceApp.database.query(sql`update users set confirmed = false where id = ${admin}`)
    await add('1')
    expect(await states()).toEqual([])
  })
})

describe('each letter once', () => {
  it('sends a letter of notices by one of several instances', async () => {
    for (let count = 0; count < 12; count += 1) await add(`${count}`, [admin, resourceApp.people.owner ?? 0])
    const instances = [deliverer(), deliverer(), deliverer()]
    await Promise.all(instances.map(({ deliver }) => deliver()))
    for (const { deliver } of instances) await deliver()
    const ids = instances.flatMap(({ sent }) => sent.map(({ id }) => id))
    expect(ids).toHaveLength(24)
    expect(new Set(ids).size).toBe(24)
  })

  it('sends a letter of notices again with its name after an interruption, and logs this', async () => {
    await add('1')
    const firstDeliverer = deliverer()
    await firstDeliverer.deliver()
    // The instance ended between the letter and its mark.
    await resourceApp.database.query(
      sql`update notice_deliveries set state = 'sending', due_at = now() + interval '5 minutes'`,
    )
    const secondDeliverer = deliverer()
    expect(await secondDeliverer.deliver()).toBe(0)
    await makeDeliveriesDue()
    expect(await secondDeliverer.deliver()).toBe(1)
    expect(secondDeliverer.sent[0]?.id).toBe(firstDeliverer.sent[0]?.id)
    expect(secondDeliverer.repeated).toEqual([firstDeliverer.sent[0]?.id])
    expect(await states()).toEqual([{ state: 'sent', reason: 'repeated' }])
  })

  it('writes one file for a letter of notices, however often it is sent', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dala-notices-'))
    const post = openTransport({ ...settings, dataDir })
    const letter = { subject: 'Notice', text: 'Text', html: '<p>Text</p>' }
    const file = await post('a@example.org', letter, 'notices.1.2')
    expect(await post('a@example.org', letter, 'notices.1.2')).toBe(file)
    expect(readdirSync(join(dataDir, 'outbox'))).toEqual(['notices.1.2.eml'])
    const message = readFileSync(file ?? '', 'utf8')
    expect(message).toContain('Message-ID: <notices.1.2@dala.example.org>')
    expect(parseEmail(message).subject).toBe('Notice')
  })

  it('sends a refused letter of notices later, and drops it after a day', async () => {
    await add('1')
    const failingDeliverer = deliverer({ refuses: true })
    expect(await failingDeliverer.deliver()).toBe(0)
    expect(failingDeliverer.failures).toHaveLength(1)
    expect(await states()).toEqual([{ state: 'waiting', reason: null }])
    expect(await deliverer().deliver()).toBe(0)
    await makeDeliveriesDue()
    const workingDeliverer = deliverer()
    expect(await workingDeliverer.deliver()).toBe(1)
    expect(workingDeliverer.repeated).toEqual([])
    await add('2')
    await resourceApp.database.query(sql`update notice_deliveries set attempts = 10 where state = 'waiting'`)
    await failingDeliverer.deliver()
    expect((await states()).at(-1)).toEqual({ state: 'dropped', reason: 'undeliverable' })
  })
})
