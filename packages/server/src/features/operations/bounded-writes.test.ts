import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from '../../db/sql.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { build, buildRole, buildUser } from '../../testing/factories.ts'
import type { Database } from '../../db/database.ts'
import { Housekeeping } from './housekeeping.ts'

const narrow = { WRITE_BUDGET: '3/1m, 5/24h', STAFF_WRITE_BUDGET: '8/1m', ADDRESS_WRITE_BUDGET: '1000/1m' }
const opened: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()))
})

interface Place {
  app: FastifyInstance
  database: Database
  tokens: Record<string, string>
  ids: Record<string, number>
}

async function open(settings: Record<string, string> = narrow): Promise<Place> {
  const { app, database } = await openTestApp({ settings: { TRUSTED_PROXIES: '127.0.0.1', ...settings } })
  opened.push(app)
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
async function openBeside({ database }: Place, settings: Record<string, string> = narrow): Promise<FastifyInstance> {
  const { app } = await openTestApp({ settings: { TRUSTED_PROXIES: '127.0.0.1', ...settings }, database })
  opened.push(app)
  return app
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const sendTo = async (
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

const message = (place: Place, who: string, room: number, app = place.app) =>
  sendTo(app, place.tokens[who], 'POST', '/chatmessages', { data: { room, text: 'Rain?' } })

const rename = (place: Place, who: string, app = place.app) =>
  sendTo(app, place.tokens[who], 'PUT', `/users/${place.ids[who]}`, { name: `Name ${Math.random()}` })

const statusesOf = async (count: number, act: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let turn = 0; turn < count; turn += 1) statuses.push((await act()).status)
  return statuses
}

describe('the write budget of a user', () => {
  test('refuses the first write above the budget with 429 and the seconds to wait, whatever the route', async () => {
    const here = await open()
    const room = await build(here.database, 'chatrooms', { sender: here.ids.farmer })
    expect((await message(here, 'farmer', room)).status).toBe(200)
    expect((await rename(here, 'farmer')).status).toBe(200)
    expect((await sendTo(here.app, here.tokens.farmer, 'POST', '/list-views', { data: {} })).status).toBe(400)
    const refused = await message(here, 'farmer', room)
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'request.too-many-writes'])
    const wait = Number(refused.headers['retry-after'])
    expect([wait > 0, wait <= 60]).toEqual([true, true])
    const [row] = await here.database.query(sql<{ count: number }>`select count(*)::int as count from chatmessages`)
    expect(row?.count).toBe(1)
  })

  test('does not count reads, read marks, sign-in and sign-out as writes', async () => {
    const here = await open()
    const room = await build(here.database, 'chatrooms', { sender: here.ids.farmer })
    expect(await statusesOf(4, () => rename(here, 'farmer'))).toEqual([200, 200, 200, 429])
    expect((await sendTo(here.app, here.tokens.farmer, 'GET', '/users/me')).status).toBe(200)
    expect((await sendTo(here.app, here.tokens.farmer, 'GET', `/seen_messages?room=${room}`)).status).toBe(200)
    expect(await tokenOf(here.app, 'farmer')).not.toBe('')
    expect((await sendTo(here.app, here.tokens.farmer, 'POST', '/auth/logout')).status).toBe(200)
  })

  test('counts writes per user, with a larger budget for staff', async () => {
    const here = await open()
    expect(await statusesOf(4, () => rename(here, 'farmer'))).toEqual([200, 200, 200, 429])
    expect((await rename(here, 'neighbour')).status).toBe(200)
    const staff = await statusesOf(9, () => rename(here, 'admin'))
    expect(staff).toEqual([...Array.from({ length: 8 }, () => 200), 429])
  })

  test('limits the writes of a day after the minute is over', async () => {
    const here = await open()
    expect(await statusesOf(4, () => rename(here, 'farmer'))).toEqual([200, 200, 200, 429])
    await here.app.close()
    const nextMinute = () =>
      here.database.query(sql`
      update throttles set window_started_at = now() - interval '61 seconds' where key like 'writes:60:%'`)
    await nextMinute()
    const next = await openBeside(here)
    expect(await statusesOf(3, () => rename(here, 'farmer', next))).toEqual([200, 200, 429])
    const refused = await rename(here, 'farmer', next)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  test('shares the write budget between all instances and keeps it over a restart', async () => {
    const here = await open()
    const otherInstance = await openBeside(here)
    expect((await rename(here, 'farmer')).status).toBe(200)
    expect((await rename(here, 'farmer', otherInstance)).status).toBe(200)
    expect((await rename(here, 'farmer')).status).toBe(200)
    expect((await rename(here, 'farmer', otherInstance)).status).toBe(429)
    const restarted = await openBeside(here)
    expect((await rename(here, 'farmer', restarted)).status).toBe(429)
  })

  test('stores the write budget in portions of a tenth, and the rest of it on a stop', async () => {
    const wide = { ...narrow, WRITE_BUDGET: '100/1m' }
    const here = await open(wide)
    const counted: string[] = []
    const end = here.database.onStatement((text) => text.includes('into throttles') && counted.push(text))
    await statusesOf(25, () => rename(here, 'farmer'))
    end()
    expect(counted).toHaveLength(2)
    await here.app.close()
    const [row] = await here.database.query(sql<{ failures: number }>`
      select failures from throttles where key = ${`writes:60:user:${here.ids.farmer}`}`)
    expect(row?.failures).toBe(25)
  })

  test('lets no more writes of a user through when many writes arrive at the same time', async () => {
    const here = await open()
    const answers = await Promise.all(Array.from({ length: 10 }, () => rename(here, 'farmer')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})

describe('the write budget of an address', () => {
  test('shares a write budget between all users below staff and strangers of one address', async () => {
    const here = await open({ ...narrow, ADDRESS_WRITE_BUDGET: '4/1m' })
    expect(await statusesOf(2, () => rename(here, 'farmer'))).toEqual([200, 200])
    expect((await rename(here, 'neighbour')).status).toBe(200)
    const nobody = { identifier: 'nobody', password: 'wrong' }
    const signIn = (address?: string) => sendTo(here.app, undefined, 'POST', '/auth/local', nobody, address)
    expect([(await signIn()).status, (await signIn()).status]).toEqual([400, 429])
    expect((await rename(here, 'neighbour')).status).toBe(429)
    expect((await signIn('203.0.113.2')).status).toBe(400)
    expect((await rename(here, 'admin')).status).toBe(200)
  })
})

describe('a nearly full disk', () => {
  const full = { UPLOAD_RESERVE_MB: '1000000', DATA_DIR: mkdtempSync(join(tmpdir(), 'dala-full-')) }

  test('refuses registration and every write below staff with 507 on a nearly full disk', async () => {
    const here = await open(full)
    const room = await build(here.database, 'chatrooms', { sender: here.ids.farmer })
    for (const refused of [await message(here, 'farmer', room), await rename(here, 'farmer')])
      expect([refused.status, refused.body.error?.code]).toEqual([507, 'server.disk-full'])
    const account = { username: 'newcomer', email: 'newcomer@example.org', password: 'Cotton-24' }
    expect((await sendTo(here.app, undefined, 'POST', '/auth/local/register', account)).status).toBe(507)
  })

  test('lets staff write, and everybody read, sign in and sign out on a nearly full disk', async () => {
    const here = await open(full)
    expect((await rename(here, 'admin')).status).toBe(200)
    expect((await sendTo(here.app, here.tokens.farmer, 'GET', '/users/me')).status).toBe(200)
    expect((await sendTo(here.app, await tokenOf(here.app, 'farmer'), 'POST', '/auth/logout')).status).toBe(200)
  })

  test('returns 401 for a write without a session on a nearly full disk', async () => {
    const here = await open(full)
    expect((await sendTo(here.app, undefined, 'POST', '/chatmessages', { data: {} })).status).toBe(401)
  })
})

test('deletes idempotency keys after a day', async () => {
  const here = await open({})
  await here.database.query(sql`
    insert into idempotency_keys (user_id, key, digest, created_at)
    select ${here.ids.farmer}::int, 'key ' || hours, repeat('0', 64), now() - make_interval(hours => hours)
      from unnest(array[23, 25]) as hours`)
  await new Housekeeping(here.database, 365).clear()
  expect(await here.database.query(sql`select key from idempotency_keys`)).toEqual([{ key: 'key 23' }])
})
