import { hash } from '@node-rs/argon2'
import { sql } from '../../db/sql.ts'
import { beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp, tokenOf } from '../../testing/app.ts'
import { buildUser, testPassword } from '../../testing/factories.ts'

let context: TestApp
let marat: number
beforeEach(async () => {
  context = await openTestApp({ settings: { LOGIN_THROTTLE: '2/15m' } })
  marat = await buildUser(context.database, 'authenticated', { username: 'marat' })
})

const signIn = (identifier: string, password: string) =>
  context.app.inject({ method: 'POST', url: '/api/auth/local', payload: { identifier, password } })

const lines = () =>
  context.database.query<Record<string, unknown>>(sql`
    select action, user_id, details, address, request_id from audit where action not like 'record.%' order by id`)

test('writes an audit line with its request for each sign-in, failed sign-in and sign-out', async () => {
  const failedAnswer = await signIn('marat', 'wrong')
  const unknownAnswer = await signIn('somebody@example.org', 'wrong')
  const token = await tokenOf(context.app, 'marat')
  const out = { method: 'POST', url: '/api/auth/logout', headers: { authorization: `Bearer ${token}` } } as const
  expect((await context.app.inject(out)).statusCode).toBe(200)
  expect(await lines()).toMatchObject([
    {
      action: 'sign-in.failed',
      user_id: marat,
      address: '127.0.0.1',
      request_id: failedAnswer.headers['x-request-id'],
    },
    { action: 'sign-in.failed', user_id: null, request_id: unknownAnswer.headers['x-request-id'] },
    { action: 'sign-in', user_id: marat },
    { action: 'sign-out', user_id: marat },
  ])
  expect(JSON.stringify(await lines())).not.toMatch(/somebody|wrong|eyJ|Harvest/)
})

test('writes one audit line a minute for a locked account, however many attempts', async () => {
  for (let attempt = 0; attempt < 6; attempt += 1) await signIn('marat', attempt < 2 ? 'wrong' : testPassword)
  const actions = (await lines()).map(({ action }) => action)
  expect(actions).toEqual(['sign-in.failed', 'sign-in.failed', 'sign-in.throttled'])
})

test('writes one audit line per route and minute for refusals, and changes no response when that write fails', async () => {
  const headers = { authorization: `Bearer ${await tokenOf(context.app, 'marat')}` }
  const ask = async (url: string) =>
    (await context.app.inject({ method: 'POST', url, headers, payload: { data: { name: 'x' } } })).statusCode
  expect([await ask('/api/tags'), await ask('/api/tags'), await ask('/api/regions')]).toEqual([403, 403, 403])
  const deniedLines = (await lines()).filter(({ action }) => action === 'access.denied')
  expect(deniedLines).toMatchObject([
    { user_id: marat, details: { method: 'POST', route: '/api/tags', code: 'access.denied' } },
    { user_id: marat, details: { route: '/api/regions' } },
  ])
  await context.database.script(`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''cut off''; end'; create trigger refuse before insert on audit execute function refuse()`)
  expect(await ask('/api/districts')).toBe(403)
  await context.database.script('drop trigger refuse on audit; drop function refuse()')
  expect(context.log()).toContain('audit failed')
})

test('renews a password hash with lower parameters at sign-in, and keeps other hashes', async () => {
  const readStoredHash = async () =>
    (await context.database.query(sql<{ password: string }>`select password from users where id = ${marat}`))[0]
      ?.password
  const weakHash = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await context.database.query(sql`update users set password = ${weakHash} where id = ${marat}`)
  await tokenOf(context.app, 'marat')
  const renewedHash = await readStoredHash()
  expect(renewedHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await tokenOf(context.app, 'marat')
  expect(await readStoredHash()).toBe(renewedHash)
})
