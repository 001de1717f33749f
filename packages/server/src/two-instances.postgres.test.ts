/** Two programs on one PostgreSQL server; this file runs only where there is one (vitest.config.ts). */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from './app.ts'
import { type Database, openDatabase } from './db/database.ts'
import { migrate, readMigrations } from './db/migrate.ts'
import { readSettings } from './settings.ts'
import { tokenOf } from './testing/app.ts'
import { createTestDatabase } from './testing/databases.ts'
import { buildTag, buildUser } from './testing/factories.ts'

interface Instance {
  app: FastifyInstance
  database: Database
}

const dataDir = mkdtempSync(join(tmpdir(), 'dala-two-'))
const instances: Instance[] = []
let applied: string[] = []
let [one, two]: Partial<[Instance, Instance]> = []

async function openInstance(database: Database): Promise<Instance> {
  await database.listen()
  const settings = readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', JWT_SECRET: 'two-instances-0123456789-abcdefg' })
  const app = await buildApp({ settings, database, panelDir: join(dataDir, 'none'), log: { level: 'silent' } })
  await app.ready()
  return { app, database }
}
const firstOf = (instance: Instance | undefined): Instance => {
  if (!instance) throw new Error('The instances are not running')
  return instance
}

beforeAll(async () => {
  const url = await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', `two_${process.env.VITEST_POOL_ID ?? '0'}`)
  const databases = await Promise.all([openDatabase({ url }), openDatabase({ url })])
  applied = (await Promise.all(databases.map((database) => migrate(database)))).flat()
  for (const database of databases) instances.push(await openInstance(database))
  one = instances[0]
  two = instances[1]
  await buildUser(firstOf(one).database, 'admin', { username: 'admin' })
})
afterAll(async () => {
  for (const { app, database } of instances) {
    await app.close()
    await database.close()
  }
})

const statusOf = async ({ app }: Instance, token: string) =>
  (await app.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })).statusCode

async function totalOf({ app }: Instance, token: string): Promise<number> {
  const answer = await app.inject({ url: '/api/tags', headers: { authorization: `Bearer ${token}` } })
  const body: { meta: { pagination: { total: number } } } = answer.json()
  return body.meta.pagination.total
}

test('of two that migrate at once each migration is applied by one', () => {
  expect(applied.toSorted()).toEqual(
    readMigrations()
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('a write on one makes the total right on the other', async () => {
  const [here, there] = [firstOf(one), firstOf(two)]
  const token = await tokenOf(here.app, 'admin')
  const before = await totalOf(there, token)
  await buildTag(here.database)
  await vi.waitFor(async () => expect(await totalOf(there, token)).toBe(before + 1))
})

test('a session that ends on one has ended on the other', async () => {
  const [here, there] = [firstOf(one), firstOf(two)]
  const token = await tokenOf(here.app, 'admin')
  expect([await statusOf(here, token), await statusOf(there, token)]).toEqual([200, 200])
  const headers = { authorization: `Bearer ${token}` }
  expect((await here.app.inject({ method: 'POST', url: '/api/auth/logout', headers })).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await statusOf(there, token)).toBe(401), { timeout: 1_500 })
})

test('a listener whose connection is cut comes back, and what it missed is not served', async () => {
  const [here, there] = [firstOf(one), firstOf(two)]
  const token = await tokenOf(here.app, 'admin')
  const before = await totalOf(there, token)
  const listeners = () =>
    here.database.query(sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`)
  const cut = await listeners()
  expect(cut).toHaveLength(2)
  // Nobody listens when the next write is announced.
  await here.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where pid = any(${cut.map(({ pid }) => pid)}::int[])`)
  await buildTag(here.database)
  await vi.waitFor(async () => expect(await totalOf(there, token)).toBe(before + 1), { timeout: 5_000 })
  const pids = new Set(cut.map(({ pid }) => pid))
  await vi.waitFor(async () => expect((await listeners()).filter(({ pid }) => !pids.has(pid))).toHaveLength(2), {
    timeout: 5_000,
  })
  await buildTag(here.database)
  await vi.waitFor(async () => expect(await totalOf(there, token)).toBe(before + 2))
})
