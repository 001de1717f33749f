import { chosenKinds, type Locale, locales } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { notifyUsers, type Notices } from '../../domain/delivery/notices.ts'
import { labelsOf } from '../../resources/labels.ts'
import { readSettings } from '../../settings.ts'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { browserOf } from '../../testing/push-browser.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import type { PushBrowser, PushOutcome } from './browsers.ts'
import { pushSeal, readPushKeys } from './push-keys.ts'
import { pushNotices } from './push-notices.ts'
import type { PushMessage } from './push-service.ts'

const settings = readSettings({ NODE_ENV: 'test', TWO_STEP_KEY: 'push-key-0123456789-abcdefghijklmn' })
const resourceApp = startResourceApp(async ({ database }) => void (await readPushKeys(database, pushSeal(settings))))

let admin: TestPerson
let endpoints: string[] = []
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from notices`)
  await resourceApp.database.query(sql`delete from push_subscriptions`)
  admin = await buildPerson(resourceApp, 'admin', { language: 'en' })
  endpoints = [await subscribe(admin)]
})

async function subscribe(person: TestPerson): Promise<string> {
  const browser = browserOf()
  expect((await person.ask('POST', '/notices/push', { data: browser })).status).toBe(200)
  return browser.endpoint
}

interface SentPush extends PushMessage {
  endpoint: string
}

/** A deliverer that collects its messages; `answers` has the outcome of each endpoint that does not accept. */
function deliverer(answers: Readonly<Record<string, PushOutcome>> = {}) {
  const sentPushes: SentPush[] = []
  const repeatedIds: string[] = []
  const failures: unknown[] = []
  const transport = async (_keys: unknown, { endpoint }: PushBrowser, message: PushMessage) => {
    sentPushes.push({ endpoint, ...message })
    return answers[endpoint] ?? 'accepted'
  }
  const notices = pushNotices(resourceApp.database, pushSeal(settings), transport, {
    onRepeated: (id) => void repeatedIds.push(id),
    failed: (error) => void failures.push(error),
  })
  return { sent: sentPushes, repeated: repeatedIds, failures, deliver: () => notices.deliver() }
}

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

const choose = (kind: string, choice: 'now' | 'off') =>
  resourceApp.database.query(sql`
    insert into notice_choices (user_id, kind, channel, choice) values (${admin.id}, ${kind}, 'push', ${choice})
    on conflict (user_id, kind, channel) do update set choice = excluded.choice`)
const add = (key: string, users: readonly number[] = [admin.id]) =>
  resourceApp.database.transaction((trx) =>
    notifyUsers(trx, { users, kind: 'consultation.overdue', params: { customer }, address: '/consultation/1', key }),
  )
const states = () =>
  resourceApp.database.query(sql<{ state: string; reason: string | null }>`
    select state, reason from notice_deliveries where channel = 'push' order by notice_id`)
const makeDeliveriesDue = () =>
  resourceApp.database.query(
    sql`update notice_deliveries set due_at = now() - interval '1 second' where channel = 'push'`,
  )
const browsers = async () =>
  (await resourceApp.database.query(sql<{ endpoint: string }>`select endpoint from push_subscriptions`)).map(
    ({ endpoint }) => endpoint,
  )

describe('a push of each kind in each language', () => {
  const matrix = locales.flatMap((locale) => chosenKinds.map((kind) => [kind, locale] as const))
  it.each(matrix)('shows the name of %s in %s, and nothing of the notice', async (kind, locale) => {
    await resourceApp.database.query(sql`update users set language = ${locale satisfies Locale} where id = ${admin.id}`)
    await choose(kind, 'now')
    await resourceApp.database.transaction((trx) =>
      notifyUsers(trx, { users: [admin.id], kind, params: params[kind], address: '/news/7', key: '1' }),
    )
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(1)
    expect(sent).toHaveLength(1)
    const message = JSON.parse(sent[0]?.text ?? '') as Record<string, string>
    const title = labelsOf(locale)[`account.notices.kinds.${kind}`]
    expect(message).toEqual({ title, address: '/app/news/7', tag: '/app/news/7', lang: locale })
    expect(title).not.toMatch(/[{}]/)
    const namedValues = Object.values(params[kind]).filter(
      (value) => typeof value === 'string' && title.includes(value),
    )
    expect(namedValues).toEqual([])
  })
})

describe('the choice of a reader', () => {
  it('pushes no kind that is off, also when it is turned off after the notice', async () => {
    await choose('consultation.overdue', 'off')
    await add('1')
    expect(await states()).toEqual([])
    await choose('consultation.overdue', 'now')
    await add('2')
    await choose('consultation.overdue', 'off')
    expect(await deliverer().deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'unwanted' }])
  })

  it('queues nothing for a reader without a browser', async () => {
    await admin.ask('DELETE', '/notices/push')
    await add('1')
    expect(await states()).toEqual([])
  })

  it('postpones pushes to the end of quiet hours', async () => {
    await resourceApp.database.query(sql`
      update users set quiet_from = to_char(now() at time zone 'Asia/Tashkent' - interval '1 hour', 'HH24:MI'),
             quiet_to = to_char(now() at time zone 'Asia/Tashkent' + interval '1 hour', 'HH24:MI') where id = ${admin.id}`)
    await add('1')
    const { deliver } = deliverer()
    expect(await deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'waiting', reason: null }])
    await resourceApp.database.query(sql`update users set quiet_from = null where id = ${admin.id}`)
    await makeDeliveriesDue()
    expect(await deliver()).toBe(1)
  })
})

describe('checks at the delivery', () => {
  it('pushes no notice that was read', async () => {
    await add('1')
    await admin.ask('POST', '/notices/read', { data: { all: true } })
    expect(await deliverer().deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'read' }])
  })

  it.each(['active = false', 'blocked = true'])('pushes nothing to an account that is %s by now', async (change) => {
    await add('1')
    await resourceApp.database.query(sql`update users set ${sql.raw(change)} where id = ${admin.id}`)
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(0)
    expect(sent).toEqual([])
    expect(await states()).toEqual([{ state: 'dropped', reason: 'unreachable' }])
  })

  it('pushes nothing about a record that its reader may no longer read', async () => {
    const [firstConsultant, secondConsultant] = [await buildConsultant(resourceApp), await buildConsultant(resourceApp)]
    const [, secondEndpoint] = [await subscribe(firstConsultant), await subscribe(secondConsultant)]
    const id = await buildRecord(resourceApp.database, 'consultations', {
      question: 'Q',
      user: resourceApp.people.authenticated,
    })
    await resourceApp.database.transaction((trx) =>
      notifyUsers(trx, {
        users: [firstConsultant.id, secondConsultant.id],
        kind: 'consultation.overdue',
        params: { customer },
        address: `/consultation/${id}`,
        subject: { resource: 'consultations', document: id },
      }),
    )
    await resourceApp.database.query(
      sql`update consultations set consultant_id = ${secondConsultant.id} where id = ${id}`,
    )
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(1)
    expect(sent.map(({ endpoint }) => endpoint)).toEqual([secondEndpoint])
    expect(await states()).toEqual([
      { state: 'dropped', reason: 'out-of-sight' },
      { state: 'sent', reason: null },
    ])
  })

  it('pushes no kind that the role of the reader no longer receives', async () => {
    await resourceApp.database.transaction((trx) =>
      notifyUsers(trx, { users: [admin.id], kind: 'day.check', params: params['day.check'], address: null }),
    )
    await resourceApp.database.query(sql`
      update users set role_id = (select id from roles where type = 'authenticated') where id = ${admin.id}`)
    expect(await deliverer().deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'out-of-sight' }])
  })

  it.each([
    ['was ended', `revoked_at = now()`],
    ['was idle for a day', `last_seen_at = now() - interval '25 hours'`],
    ['has expired', `expires_at = now() - interval '1 second'`],
  ])('pushes nothing to the browser of a session that %s', async (_name, change) => {
    await add('1')
    await resourceApp.database.query(sql`update sessions set ${sql.raw(change)} where user_id = ${admin.id}`)
    const { sent, deliver } = deliverer()
    expect(await deliver()).toBe(0)
    expect(sent).toEqual([])
    expect(await states()).toEqual([{ state: 'dropped', reason: 'no-browser' }])
  })

  it('leaves a notice of yesterday to the inbox', async () => {
    await add('1')
    await resourceApp.database.query(sql`update notices set created_at = now() - interval '25 hours'`)
    expect(await deliverer().deliver()).toBe(0)
    expect(await states()).toEqual([{ state: 'dropped', reason: 'late' }])
  })
})

describe('each push once', () => {
  it('sends a push by one of several instances', async () => {
    for (let count = 0; count < 12; count += 1) await add(`${count}`)
    const instances = [deliverer(), deliverer(), deliverer()]
    await Promise.all(instances.map(({ deliver }) => deliver()))
    for (const { deliver } of instances) await deliver()
    const topics = instances.flatMap(({ sent }) => sent.map(({ topic }) => topic))
    expect(topics).toHaveLength(12)
    expect(new Set(topics).size).toBe(12)
  })

  it('sends no push again to a browser that has it when the server ends before the mark of the delivery', async () => {
    await add('1')
    const firstDeliverer = deliverer()
    await firstDeliverer.deliver()
    await resourceApp.database.query(sql`update notice_deliveries set state = 'sending' where channel = 'push'`)
    await makeDeliveriesDue()
    const secondDeliverer = deliverer()
    expect(await secondDeliverer.deliver()).toBe(1)
    expect(secondDeliverer.sent).toEqual([])
    expect(secondDeliverer.repeated).toHaveLength(1)
    expect(await states()).toEqual([{ state: 'sent', reason: 'repeated' }])
  })

  it('repeats a push with the same topic and tag when the answer of its push service is unknown', async () => {
    await add('1')
    const [firstDeliverer, secondDeliverer] = [deliverer(), deliverer()]
    await firstDeliverer.deliver()
    // The instance ended between the message and its mark.
    await resourceApp.database.query(
      sql`update notice_deliveries set state = 'sending', reached = '{}' where channel = 'push'`,
    )
    await makeDeliveriesDue()
    expect(await secondDeliverer.deliver()).toBe(1)
    expect(secondDeliverer.sent).toEqual(firstDeliverer.sent)
  })

  it('repeats a push only for the browsers whose push service failed', async () => {
    await resourceApp.database.query(sql`
      insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), ${admin.id}, now() + interval '1 day')`)
    const otherBrowser = browserOf()
    await resourceApp.database.query(sql`
      insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth)
      select s.id, s.user_id, ${otherBrowser.endpoint}, ${otherBrowser.keys.p256dh}, ${otherBrowser.keys.auth} from sessions s
       where s.user_id = ${admin.id} and not exists (select 1 from push_subscriptions p where p.session_id = s.id)`)
    await add('1')
    const failingDeliverer = deliverer({ [otherBrowser.endpoint]: 'failed' })
    expect(await failingDeliverer.deliver()).toBe(0)
    expect(failingDeliverer.sent).toHaveLength(2)
    expect(await states()).toEqual([{ state: 'waiting', reason: null }])
    await makeDeliveriesDue()
    const workingDeliverer = deliverer()
    expect(await workingDeliverer.deliver()).toBe(1)
    expect(workingDeliverer.sent.map(({ endpoint }) => endpoint)).toEqual([otherBrowser.endpoint])
  })

  it('drops a push when its push service does not answer for an hour', async () => {
    await add('1')
    await resourceApp.database.query(sql`update notice_deliveries set attempts = 5 where channel = 'push'`)
    await deliverer({ [endpoints[0] ?? '']: 'failed' }).deliver()
    expect(await states()).toEqual([{ state: 'dropped', reason: 'undeliverable' }])
  })
})

describe('a browser that its push service does not accept', () => {
  it('forgets a subscription that its push service does not know', async () => {
    await add('1')
    expect(await deliverer({ [endpoints[0] ?? '']: 'gone' }).deliver()).toBe(0)
    expect(await browsers()).toEqual([])
    expect(await states()).toEqual([{ state: 'dropped', reason: 'no-browser' }])
  })

  it('forgets a subscription after ten refusals in a row', async () => {
    for (let count = 0; count < 9; count += 1) await add(`${count}`)
    const refusingDeliverer = deliverer({ [endpoints[0] ?? '']: 'refused' })
    await refusingDeliverer.deliver()
    expect(await browsers()).toEqual(endpoints)
    await add('9')
    await refusingDeliverer.deliver()
    expect(await browsers()).toEqual([])
    expect(refusingDeliverer.sent).toHaveLength(10)
  })

  it('resets the count of refusals of a push service after a message that was accepted', async () => {
    await resourceApp.database.query(sql`update push_subscriptions set failures = 9`)
    await add('1')
    await deliverer().deliver()
    const [row] = await resourceApp.database.query(sql<{ failures: number; ok: boolean }>`
      select failures, last_ok_at is not null as ok from push_subscriptions`)
    expect(row).toEqual({ failures: 0, ok: true })
  })
})
