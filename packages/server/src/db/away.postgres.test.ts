/**
 * An unreachable database: requests fail fast, and the program stays and recovers by itself (checklist §11).
 */
import { sql } from './sql.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp, tokenOf } from '../testing/app.ts'
import { DatabaseRoute } from '../testing/database-route.ts'
import { createTestDatabase } from '../testing/databases.ts'
import { engineParts } from '../behaviours/index.ts'
import { buildUser } from '../testing/factories.ts'
import { openDatabase } from './database.ts'
import { migrateDatabase } from './migrate.ts'

const closeCalls: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of closeCalls.toReversed()) await end()
})

test('answers 503 with Retry-After while the database is unreachable, and recovers afterwards', async () => {
  const target = await createTestDatabase(
    process.env.TEST_DATABASE_URL ?? '',
    `away_${process.env.VITEST_POOL_ID ?? '0'}`,
  )
  const route = new DatabaseRoute(target)
  await route.open()
  const database = await openDatabase({ url: route.url }, { parts: engineParts })
  closeCalls.push(
    () => route.cut(),
    () => database.close(),
  )
  await migrateDatabase(database)
  const { app } = await openTestApp({ database })
  await buildUser(database, 'admin', { username: 'admin' })
  const headers = { authorization: `Bearer ${await tokenOf(app, 'admin')}` }
  const ask = () => app.inject({ url: '/api/tags', headers })
  expect((await ask()).statusCode).toBe(200)

  await route.cut()
  const refusedAnswer = await ask()
  expect(refusedAnswer.statusCode).toBe(503)
  expect(Number(refusedAnswer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
  await expect.poll(async () => (await app.inject({ url: '/ready' })).statusCode).toBe(503)

  await route.open()
  await expect.poll(async () => (await ask()).statusCode).toBe(200)
  await expect.poll(async () => (await app.inject({ url: '/ready' })).statusCode).toBe(200)
})

test('limits the time of statements, locks and waits for a connection', async () => {
  const database = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '' })
  closeCalls.push(() => database.close())
  const readSetting = async (name: string) =>
    (await database.query(sql<Record<string, string>>`select current_setting(${name}) as value`))[0]?.value
  expect([await readSetting('statement_timeout'), await readSetting('lock_timeout')]).toEqual(['5s', '2s'])
})
