import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildRecord, buildRole, buildUser } from '../../testing/factories.ts'
import type { Database } from '../../db/database.ts'
import { HousekeepingJob } from './housekeeping.ts'

const narrowBudgets = { WRITE_BUDGET: '3/1m, 5/24h', STAFF_WRITE_BUDGET: '8/1m', ADDRESS_WRITE_BUDGET: '1000/1m' }
const openedApps: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(openedApps.splice(0).map((app) => app.close()))
})

interface Place {
  app: FastifyInstance
  database: Database
  tokens: Record<string, string>
  ids: Record<string, number>
}

async function openPlace(settings: Record<string, string> = narrowBudgets): Promise<Place> {
  const { app, database } = await openTestApp({ settings: { TRUSTED_PROXIES: '127.0.0.1', ...settings } })
  openedApps.push(app)
  await buildRole(database, 'authenticated')
  const [tokens, ids]: [Place['tokens'], Place['ids']] = [{}, {}]
  for (const [username, role] of [
    ['farmer', 'authenticated'],
    ['neighbour', 'authenticated'],
    ['admin', 'admin'],
  ] as const) {
    ids[username] = await buildUser(database, role, { username })
    tokens[username] = await tokenOf(app, username)
  }
  return { app, database, tokens, ids }
}

/** Opens another instance of the same installation. */
async function openSecondApp(
  { database }: Place,
  settings: Record<string, string> = narrowBudgets,
): Promise<FastifyInstance> {
  const { app } = await openTestApp({ settings: { TRUSTED_PROXIES: '127.0.0.1', ...settings }, database })
  openedApps.push(app)
  return app
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const sendRequest = async (
  app: FastifyInstance,
  token: string | undefined,
  method: Method,
  url: string,
  payload?: object,
  address = '203.0.113.1',
) => {
  const answer = await app.inject({
    method,
    url: `/api${url}`,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), 'x-forwarded-for': address },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<{ error?: { code: string } }>(), headers: answer.headers }
}

const message = (testInstallation: Place, userName: string, room: number, app = testInstallation.app) =>
  sendRequest(app, testInstallation.tokens[userName], 'POST', '/chatmessages', { data: { room, text: 'Rain?' } })

const renameUser = (testInstallation: Place, userName: string, app = testInstallation.app) =>
  sendRequest(app, testInstallation.tokens[userName], 'PUT', `/users/${testInstallation.ids[userName]}`, {
    name: `Name ${Math.random()}`,
  })

const statusesOf = async (count: number, act: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let attempt = 0; attempt < count; attempt += 1) statuses.push((await act()).status)
  return statuses
}

describe('the write budget of a user', () => {
  test('refuses the first write above the budget with 429 and the seconds to wait, whatever the route', async () => {
    const testPlace = await openPlace()
    const room = await buildRecord(testPlace.database, 'chatrooms', { sender: testPlace.ids.farmer })
    expect((await message(testPlace, 'farmer', room)).status).toBe(200)
    expect((await renameUser(testPlace, 'farmer')).status).toBe(200)
    expect(
      (await sendRequest(testPlace.app, testPlace.tokens.farmer, 'POST', '/list-views', { data: {} })).status,
    ).toBe(400)
    const refusedAnswer = await message(testPlace, 'farmer', room)
    expect([refusedAnswer.status, refusedAnswer.body.error?.code]).toEqual([429, 'request.too-many-writes'])
    const wait = Number(refusedAnswer.headers['retry-after'])
    expect([wait > 0, wait <= 60]).toEqual([true, true])
    const [row] = await testPlace.database.query(
      sql<{ count: number }>`select count(*)::int as count from chatmessages`,
    )
    expect(row?.count).toBe(1)
  })

  test('does not count reads, read marks, sign-in and sign-out as writes', async () => {
    const testPlace = await openPlace()
    const room = await buildRecord(testPlace.database, 'chatrooms', { sender: testPlace.ids.farmer })
    expect(await statusesOf(4, () => renameUser(testPlace, 'farmer'))).toEqual([200, 200, 200, 429])
    expect((await sendRequest(testPlace.app, testPlace.tokens.farmer, 'GET', '/users/me')).status).toBe(200)
    expect(
      (await sendRequest(testPlace.app, testPlace.tokens.farmer, 'GET', `/seen_messages?room=${room}`)).status,
    ).toBe(200)
    expect(await tokenOf(testPlace.app, 'farmer')).not.toBe('')
    expect((await sendRequest(testPlace.app, testPlace.tokens.farmer, 'POST', '/auth/logout')).status).toBe(200)
  })

  test('counts writes per user, with a larger budget for staff', async () => {
    const testPlace = await openPlace()
    expect(await statusesOf(4, () => renameUser(testPlace, 'farmer'))).toEqual([200, 200, 200, 429])
    expect((await renameUser(testPlace, 'neighbour')).status).toBe(200)
    const staff = await statusesOf(9, () => renameUser(testPlace, 'admin'))
    expect(staff).toEqual([...Array.from({ length: 8 }, () => 200), 429])
  })

  test('limits the writes of a day after the minute is over', async () => {
    const testPlace = await openPlace()
    expect(await statusesOf(4, () => renameUser(testPlace, 'farmer'))).toEqual([200, 200, 200, 429])
    await testPlace.app.close()
    const nextMinute = () =>
      testPlace.database.query(sql`
      update throttles set window_started_at = now() - interval '61 seconds' where key like 'writes:60:%'`)
    await nextMinute()
    const secondApp = await openSecondApp(testPlace)
    expect(await statusesOf(3, () => renameUser(testPlace, 'farmer', secondApp))).toEqual([200, 200, 429])
    const refusedAnswer = await renameUser(testPlace, 'farmer', secondApp)
    expect(Number(refusedAnswer.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  test('counts anew when the clock has gone back an hour', async () => {
    const testPlace = await openPlace()
    expect(await statusesOf(4, () => renameUser(testPlace, 'farmer'))).toEqual([200, 200, 200, 429])
    await testPlace.app.close()
    await testPlace.database.query(sql`update throttles set window_started_at = now() + interval '1 hour'`)
    const secondApp = await openSecondApp(testPlace)
    expect(await statusesOf(4, () => renameUser(testPlace, 'farmer', secondApp))).toEqual([200, 200, 200, 429])
  })

  test('shares the write budget between all instances and keeps it over a restart', async () => {
    const testPlace = await openPlace()
    const otherInstance = await openSecondApp(testPlace)
    expect((await renameUser(testPlace, 'farmer')).status).toBe(200)
    expect((await renameUser(testPlace, 'farmer', otherInstance)).status).toBe(200)
    expect((await renameUser(testPlace, 'farmer')).status).toBe(200)
    expect((await renameUser(testPlace, 'farmer', otherInstance)).status).toBe(429)
    const restartedApp = await openSecondApp(testPlace)
    expect((await renameUser(testPlace, 'farmer', restartedApp)).status).toBe(429)
  })

  test('stores the write budget in portions of a tenth, and the rest of it on a stop', async () => {
    const wideBudget = { ...narrowBudgets, WRITE_BUDGET: '100/1m' }
    const testPlace = await openPlace(wideBudget)
    const countedNames: string[] = []
    const end = testPlace.database.onStatement((text) => text.includes('into throttles') && countedNames.push(text))
    await statusesOf(25, () => renameUser(testPlace, 'farmer'))
    end()
    expect(countedNames).toHaveLength(2)
    await testPlace.app.close()
    const [row] = await testPlace.database.query(sql<{ failures: number }>`
      select failures from throttles where key = ${`writes:60:user:${testPlace.ids.farmer}`}`)
    expect(row?.failures).toBe(25)
  })

  test('lets no more writes of a user through when many writes arrive at the same time', async () => {
    const testPlace = await openPlace()
    const answers = await Promise.all(Array.from({ length: 10 }, () => renameUser(testPlace, 'farmer')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})

describe('the write budget of an address', () => {
  test('shares a write budget between all users below staff and strangers of one address', async () => {
    const testPlace = await openPlace({ ...narrowBudgets, ADDRESS_WRITE_BUDGET: '4/1m' })
    expect(await statusesOf(2, () => renameUser(testPlace, 'farmer'))).toEqual([200, 200])
    expect((await renameUser(testPlace, 'neighbour')).status).toBe(200)
    const unknownUser = { identifier: 'nobody', password: 'wrong' }
    const signIn = (address?: string) =>
      sendRequest(testPlace.app, undefined, 'POST', '/auth/local', unknownUser, address)
    expect([(await signIn()).status, (await signIn()).status]).toEqual([400, 429])
    expect((await renameUser(testPlace, 'neighbour')).status).toBe(429)
    expect((await signIn('203.0.113.2')).status).toBe(400)
    expect((await renameUser(testPlace, 'admin')).status).toBe(200)
  })
})

describe('a nearly full disk', () => {
  const fullDisk = { UPLOAD_RESERVE_MB: '1000000', DATA_DIR: mkdtempSync(join(tmpdir(), 'dala-full-')) }

  test('refuses registration and every write below staff with 507 on a nearly full disk', async () => {
    const testPlace = await openPlace(fullDisk)
    const room = await buildRecord(testPlace.database, 'chatrooms', { sender: testPlace.ids.farmer })
    for (const refusedAnswer of [await message(testPlace, 'farmer', room), await renameUser(testPlace, 'farmer')])
      expect([refusedAnswer.status, refusedAnswer.body.error?.code]).toEqual([507, 'server.disk-full'])
    const account = { username: 'newcomer', email: 'newcomer@example.org', password: 'Cotton-24' }
    expect((await sendRequest(testPlace.app, undefined, 'POST', '/auth/local/register', account)).status).toBe(507)
  })

  test('lets staff write, and everybody read, sign in and sign out on a nearly full disk', async () => {
    const testPlace = await openPlace(fullDisk)
    expect((await renameUser(testPlace, 'admin')).status).toBe(200)
    expect((await sendRequest(testPlace.app, testPlace.tokens.farmer, 'GET', '/users/me')).status).toBe(200)
    expect(
      (await sendRequest(testPlace.app, await tokenOf(testPlace.app, 'farmer'), 'POST', '/auth/logout')).status,
    ).toBe(200)
  })

  test('returns 401 for a write without a session on a nearly full disk', async () => {
    const testPlace = await openPlace(fullDisk)
    expect((await sendRequest(testPlace.app, undefined, 'POST', '/chatmessages', { data: {} })).status).toBe(401)
  })
})

test('deletes idempotency keys after a day', async () => {
  const testPlace = await openPlace({})
  await testPlace.database.query(sql`
    insert into idempotency_keys (user_id, key, digest, created_at)
    select ${testPlace.ids.farmer}::int, 'key ' || hours, repeat('0', 64), now() - make_interval(hours => hours)
      from unnest(array[23, 25]) as hours`)
  await new HousekeepingJob(testPlace.database, 365).clear()
  expect(await testPlace.database.query(sql`select key from idempotency_keys`)).toEqual([{ key: 'key 23' }])
})
