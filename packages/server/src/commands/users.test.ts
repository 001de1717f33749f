import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OpenData, openData } from '../db/open-data.ts'
import { sql } from '../db/sql.ts'
import { accountKey } from '../domain/accounts/throttle.ts'
import { verifyPassword } from '../domain/accounts/passwords.ts'
import { createTestDatabase } from '../testing/databases.ts'
import { runInTest } from '../testing/terminal.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-users-'))
let databaseUrl: string | undefined
const ownerEmail = 'owner@example.org'

const run = (...argv: string[]) =>
  runInTest({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SEED: 'none', OWNER_PASSWORD: 'Harvest-2026' }, ...argv)

async function withDatabase<T>(runWork: (data: OpenData) => Promise<T>): Promise<T> {
  const data = await openData({ dataDir, databaseUrl })
  try {
    return await runWork(data)
  } finally {
    await data.close()
  }
}

beforeAll(async () => {
  const server = process.env.TEST_DATABASE_URL
  databaseUrl = server && (await createTestDatabase(server, `users_${process.env.VITEST_POOL_ID ?? '0'}`))
  await run('seed')
})

test('makes the owner by dala seed, and does nothing again', async () => {
  const { code, output, readDocument } = await run('seed', '--json')
  expect([code, readDocument()]).toEqual([0, { filledParts: [], laterParts: 0 }])
  expect(output).not.toContain('Nothing to do')
  expect((await run('seed')).output).toBe('Nothing to do; everything of SEED=none is there.\n')
})

const addMarat = ['user', 'add', '--email', 'Marat@Example.org', '--name', 'Marat', '--role', 'admin']

describe('dala user add', () => {
  test('creates an account whose random password is printed once, stored as a hash and audited', async () => {
    const { code, output } = await run(...addMarat)
    const password = /password: (\S{16})\n$/.exec(output)?.[1] ?? ''
    expect([code, output]).toEqual([0, `Account: marat@example.org  role: admin  password: ${password}\n`])
    const account = await withDatabase(async ({ database }) => {
      const [row] = await database.query(sql<{ id: number; username: string; password: string; confirmed: boolean }>`
        select id, username, password, confirmed from users where email = 'marat@example.org'`)
      const [line] = await database.query(
        sql<{ action: string }>`select action from audit where resource = 'users' and entry = ${row?.id ?? 0}::int`,
      )
      return { ...row, action: line?.action }
    })
    expect(account).toMatchObject({ username: 'marat', confirmed: true, action: 'record.create' })
    expect(await verifyPassword(account.password ?? '', password)).toBe(true)
  })

  test.each([
    ['a taken address', addMarat, 'The account was not created: Email already taken.'],
    ['a wrong address', addMarat.with(3, 'marat'), 'The account was not created: please enter a valid email address.'],
  ])('refuses %s', async (_kind, argv, sentence) => {
    const { code, errors, readDocument } = await run(...argv, '--json')
    expect([code, errors]).toEqual([1, `${sentence}\n`])
    expect(readDocument()).toEqual({ error: { message: sentence } })
  })
})

test('lists accounts up to a limit, and only those of a role', async () => {
  const owner = { id: 1, email: ownerEmail, name: 'Owner', role: 'owner', blocked: false }
  expect((await run('user', 'list', '--role', 'owner', '--json')).readDocument()).toEqual({
    accounts: [owner],
    total: 1,
  })
  expect((await run('user', 'list', '--limit', '1')).output).toBe(
    '1  owner@example.org  Owner  owner\nAccounts: 1 of 2\n',
  )
})

describe('dala user password', () => {
  test('sets a random password, ends all sessions, and forgets failed sign-ins', async () => {
    await withDatabase(({ database }) =>
      database.script(`
        insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), 1, now() + interval '1 day');
        insert into throttles (key, failures, window_started_at) values ('${accountKey(1, ownerEmail)}', 10, now())`),
    )
    const { code, readDocument } = await run('user', 'password', ' Owner@Example.org', '--json')
    const { password, ...account } = readDocument<{ id: number; email: string; password: string }>()
    expect([code, account]).toEqual([0, { id: 1, email: ownerEmail }])
    const state = await withDatabase(async ({ database }) => {
      const [row] = await database.query(sql<{ password: string; sessions: number; failures: number; lines: number }>`
        select password,
               (select count(*)::int from sessions where revoked_at is null) as sessions,
               (select count(*)::int from throttles) as failures,
               (select count(*)::int from audit where action = 'password.reset' and user_id = 1 and details ->> 'by' = 'terminal') as lines
          from users where id = 1`)
      return row
    })
    expect(state).toMatchObject({ sessions: 0, failures: 0, lines: 1 })
    expect(await verifyPassword(state?.password ?? '', password)).toBe(true)
    expect(await verifyPassword(state?.password ?? '', 'Harvest-2026')).toBe(false)
  })

  test('refuses an unknown address and a blocked account', async () => {
    const unknown = await run('user', 'password', 'nobody@example.org')
    expect([unknown.code, unknown.errors]).toEqual([1, 'There is no account with the address nobody@example.org.\n'])
    await withDatabase(({ database }) => database.script(`update users set blocked = true where username = 'marat'`))
    const blocked = await run('user', 'password', 'marat@example.org')
    expect([blocked.code, blocked.output]).toEqual([1, ''])
    expect(blocked.errors).toContain('The account marat@example.org is blocked')
    expect((await run('user', 'list')).output).toContain('marat@example.org  Marat  admin  blocked\n')
  })
})

test('prints controls of a terminal in a name as blanks', async () => {
  await withDatabase(({ database }) => database.script(`update users set name = 'Ow\u001b[2Jner' where id = 1`))
  expect((await run('user', 'list')).output).toContain('owner@example.org  Ow [2Jner')
})

test('refuses a database of another version', async () => {
  await withDatabase(({ database }) =>
    database.script('delete from migrations where id = (select max(id) from migrations)'),
  )
  const { code, errors } = await run('user', 'list')
  expect([code, errors]).toEqual([1, 'The database is of another version: run dala migrate first.\n'])
})

test('refuses a data folder without a database, and creates none', async () => {
  const emptyFolder = mkdtempSync(join(tmpdir(), 'dala-empty-'))
  for (const argv of [
    ['user', 'list'],
    ['verify', 'audit'],
  ]) {
    const { code, errors } = await runInTest({ DATA_DIR: emptyFolder }, ...argv)
    expect([code, errors]).toEqual([1, `There is no database in ${emptyFolder} yet: the first start creates it.\n`])
  }
  expect(readdirSync(emptyFolder)).toEqual([])
})
