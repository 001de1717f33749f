import { maxPushBrowsers } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { browserOf } from '../../testing/push-browser.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { readSettings } from '../../settings.ts'
import { HousekeepingJob } from '../operations/housekeeping.ts'
import { pushSeal, readPushKeys } from './push-keys.ts'

const resourceApp = startResourceApp(async (app) => void (await app.read('/notices/push')))
let admin: TestPerson
beforeEach(async () => {
  await resourceApp.database.query(sql`delete from push_subscriptions`)
  admin = await buildPerson(resourceApp, 'admin')
})

interface State {
  data: { key: string | null; subscribed: boolean }
}
const state = async (person: TestPerson) => ((await person.ask('GET', '/notices/push')).body as State).data
const subscribe = (person: TestPerson, browser: object = browserOf()) =>
  person.ask('POST', '/notices/push', { data: browser })
const readStoredBrowsers = () =>
  resourceApp.database.query(sql<{ user: number; endpoint: string }>`
    select user_id as user, endpoint from push_subscriptions order by created_at, endpoint`)

describe('POST /api/notices/push', () => {
  it('stores the browser of the session, and replaces it by another one', async () => {
    const stateBefore = await state(admin)
    expect(stateBefore.key).toMatch(/^B[\w-]{86}$/)
    expect(stateBefore.subscribed).toBe(false)
    expect((await subscribe(admin)).status).toBe(200)
    expect((await state(admin)).subscribed).toBe(true)
    const [browser] = [browserOf()]
    for (const _again of [1, 2]) expect((await subscribe(admin, browser)).status).toBe(200)
    expect(await readStoredBrowsers()).toEqual([{ user: admin.id, endpoint: browser.endpoint }])
  })

  it('gives a browser to the user who has signed in last', async () => {
    const [browser, otherPerson] = [browserOf(), await buildConsultant(resourceApp)]
    await subscribe(admin, browser)
    await subscribe(otherPerson, browser)
    expect(await readStoredBrowsers()).toEqual([{ user: otherPerson.id, endpoint: browser.endpoint }])
    expect((await state(admin)).subscribed).toBe(false)
  })

  it('stores at most five browsers of a user, the newest ones', async () => {
    const name = `many-${admin.id}`
    const id = await buildUser(resourceApp.database, 'admin', { username: name })
    const subscribedEndpoints: string[] = []
    for (let count = 0; count <= maxPushBrowsers; count += 1) {
      const [browser, authorization] = [browserOf(), `Bearer ${await tokenOf(resourceApp.app, name)}`]
      const pushRequest = { method: 'POST', url: '/api/notices/push', headers: { authorization } } as const
      expect((await resourceApp.app.inject({ ...pushRequest, payload: { data: browser } })).statusCode).toBe(200)
      subscribedEndpoints.push(browser.endpoint)
      await resourceApp.database.query(sql`update push_subscriptions set created_at = created_at - interval '1 minute'`)
    }
    const ownBrowsers = (await readStoredBrowsers()).filter(({ user }) => user === id)
    expect(ownBrowsers.map(({ endpoint }) => endpoint)).toEqual(subscribedEndpoints.slice(1))
  })

  const { endpoint, keys } = browserOf()
  it.each<[string, object]>([
    ['without https', { endpoint: 'http://push.example.org/a', keys }],
    ['with a port', { endpoint: 'https://push.example.org:8443/a', keys }],
    ['with a user name', { endpoint: 'https://user@push.example.org/a', keys }],
    ['with an address of a machine', { endpoint: 'https://169.254.169.254/a', keys }],
    ['with an address of version 6', { endpoint: 'https://[::1]/a', keys }],
    ['with a name of the local network', { endpoint: 'https://localhost/a', keys }],
    ['that is too long', { endpoint: `https://push.example.org/${'a'.repeat(2_048)}`, keys }],
    ['with a line break', { endpoint: 'https://push.example.org/a\r\nb', keys }],
    ['without keys', { endpoint }],
    ['with a short secret', { endpoint, keys: { ...keys, auth: 'AAAA' } }],
    ['with a key that is no point of the curve', { endpoint, keys: { ...keys, p256dh: `BA${'A'.repeat(85)}` } }],
    ['with another kind of value', { endpoint: 7, keys: 'x' }],
  ])('refuses a subscription %s', async (_name, browser) => {
    expect((await subscribe(admin, browser)).status).toBe(422)
    expect(await readStoredBrowsers()).toEqual([])
  })

  it('refuses callers without a session, customers, and those who view as another role', async () => {
    const customer = await buildPerson(resourceApp, 'authenticated')
    expect((await resourceApp.ask('POST', '/notices/push', { data: browserOf() }, 'public')).status).toBe(401)
    expect((await resourceApp.ask('GET', '/notices/push', undefined, 'public')).status).toBe(401)
    expect((await resourceApp.ask('DELETE', '/notices/push', undefined, 'public')).status).toBe(401)
    expect((await subscribe(customer)).status).toBe(403)
    expect((await state(customer)).key).toBeNull()
    const viewing = { 'x-view-as': 'consultant' }
    expect((await admin.ask('POST', '/notices/push', { data: browserOf() }, viewing)).status).toBe(403)
    expect((await admin.ask('DELETE', '/notices/push', undefined, viewing)).status).toBe(403)
    expect(await readStoredBrowsers()).toEqual([])
  })

  it('answers 404 where push is turned off', async () => {
    const { app } = await openTestApp({ settings: { PUSH: 'off' }, database: resourceApp.database })
    try {
      const person = await buildPerson({ app, database: resourceApp.database }, 'admin')
      expect((await state(person)).key).toBeNull()
      expect((await subscribe(person)).status).toBe(404)
    } finally {
      await app.close()
    }
  })
})

describe('the subscription of a browser', () => {
  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ['is ended by its user', (person) => person.ask('DELETE', '/notices/push')],
    ['ends with a sign-out', (person) => person.ask('POST', '/auth/logout')],
    ['ends with a block', (person) => resourceApp.ask('POST', `/users/${person.id}/block`, { reason: 'R' }, 'owner')],
    ['ends with a removal', (person) => resourceApp.ask('DELETE', `/users/${person.id}`, undefined, 'owner')],
    [
      'ends with a new password by staff',
      (person) => resourceApp.ask('PUT', `/users/${person.id}`, { password: 'Harvest-2026' }, 'owner'),
    ],
    [
      'ends with a session that staff end',
      async (person) => {
        const { data } = (await resourceApp.ask('GET', `/users/${person.id}/sessions`, undefined, 'owner')).body as {
          data: { id: string }[]
        }
        return resourceApp.ask('DELETE', `/users/${person.id}/sessions/${data[0]?.id}`, undefined, 'owner')
      },
    ],
  ])('%s', async (_name, end) => {
    await subscribe(admin)
    expect(await readStoredBrowsers()).toHaveLength(1)
    await end(admin)
    expect(await readStoredBrowsers()).toEqual([])
  })

  it('ends the push subscriptions of a removed user whose records stay', async () => {
    const consultant = await buildConsultant(resourceApp)
    await subscribe(consultant)
    await resourceApp.database.query(sql`insert into chatrooms (sender_id) values (${consultant.id})`)
    const answer = await resourceApp.ask('DELETE', `/users/${consultant.id}`, undefined, 'owner')
    expect(answer.status).toBe(200)
    const [row] = await resourceApp.database.query(sql<{ removed: boolean }>`
      select removed_at is not null as removed from users where id = ${consultant.id}`)
    expect(row).toEqual({ removed: true })
    expect(await readStoredBrowsers()).toEqual([])
    const storedKeys = await resourceApp.database.query(
      sql`select 1 as one from removed_rows where table_name = 'push_subscriptions'`,
    )
    expect(storedKeys).toEqual([])
  })

  it.each([
    ['was idle for a day', `last_seen_at = now() - interval '25 hours'`],
    ['has expired', `expires_at = now() - interval '1 second'`],
  ])('deletes a push subscription in the daily work when its session %s', async (_name, change) => {
    const otherPerson = await buildPerson(resourceApp, 'admin')
    await subscribe(otherPerson)
    await subscribe(admin)
    await resourceApp.database.query(sql`update sessions set ${sql.raw(change)} where user_id = ${admin.id}`)
    await new HousekeepingJob(resourceApp.database, 365).clear()
    expect((await readStoredBrowsers()).map(({ user }) => user)).toEqual([otherPerson.id])
  })

  it('writes the keys of a browser into no log and no audit line', async () => {
    const { app, log } = await openTestApp({ database: resourceApp.database })
    try {
      const person = await buildPerson({ app, database: resourceApp.database }, 'admin')
      const browser = browserOf()
      await subscribe(person, browser)
      await subscribe(person, { ...browser, keys: { ...browser.keys, auth: 'too short' } })
      await person.ask('DELETE', '/notices/push')
      const audit = await resourceApp.database.query(sql`select details from audit`)
      const loggedText = `${log()}${JSON.stringify(audit)}`
      expect(loggedText).toContain('/api/notices/push')
      for (const secret of [browser.endpoint, browser.keys.p256dh, browser.keys.auth])
        expect(loggedText).not.toContain(secret)
    } finally {
      await app.close()
    }
  })

  it('shows the private key of push in no answer', async () => {
    const browser = browserOf()
    await subscribe(admin, browser)
    for (const url of ['/users/me', `/users/${admin.id}?populate=*`, '/auth/sessions', '/notices/push', '/audit'])
      for (const secret of [browser.endpoint, browser.keys.auth])
        expect(JSON.stringify((await resourceApp.ask('GET', url, undefined, 'owner')).body)).not.toContain(secret)
  })
})

describe('the keys of the installation', () => {
  const makeSeal = (key: string) => pushSeal(readSettings({ NODE_ENV: 'test', TWO_STEP_KEY: key }))
  const [firstKey, secondKey] = ['first-key-0123456789-abcdefghijklm', 'second-key-0123456789-abcdefghijkl']

  it('makes the keys of push once, also by several instances, and stores them sealed', async () => {
    await resourceApp.database.query(sql`delete from push_keys`)
    const readKeySets = await Promise.all([1, 2, 3].map(() => readPushKeys(resourceApp.database, makeSeal(firstKey))))
    expect(new Set(readKeySets.map(({ privateKey }) => privateKey)).size).toBe(1)
    const rows = await resourceApp.database.query(sql<Record<string, unknown>>`select * from push_keys`)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(readKeySets[0]?.privateKey)
  })

  it('keeps the keys of push when their sealing key is replaced by one that knows the former key', async () => {
    const renewedKeys = await readPushKeys(resourceApp.database, makeSeal(firstKey))
    expect(await readPushKeys(resourceApp.database, makeSeal(`${secondKey},${firstKey}`))).toEqual(renewedKeys)
    expect(await readPushKeys(resourceApp.database, makeSeal(secondKey))).toEqual(renewedKeys)
  })

  it('replaces the keys of push, with all subscriptions, when no key opens them', async () => {
    const renewedKeys = await readPushKeys(resourceApp.database, makeSeal(secondKey))
    await subscribe(admin)
    await resourceApp.database.query(sql`update push_keys set private_key = 'v1.AAAA'`)
    expect((await readPushKeys(resourceApp.database, makeSeal(firstKey))).publicKey).not.toBe(renewedKeys.publicKey)
    expect(await readStoredBrowsers()).toEqual([])
    await resourceApp.database.query(sql`delete from push_keys`)
  })
})
