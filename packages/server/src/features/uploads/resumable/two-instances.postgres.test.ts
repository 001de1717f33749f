/**
 * Two programs with one folder on one PostgreSQL server; this file runs only where there is one
 * (vitest.config.ts).
 */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { engineParts as parts } from '../../../behaviours/index.ts'
import { type Database, openDatabase } from '../../../db/database.ts'
import { migrateDatabase } from '../../../db/migrate.ts'
import { readSettings } from '../../../settings.ts'
import { tokenOf } from '../../../testing/app.ts'
import { createTestDatabase } from '../../../testing/databases.ts'
import { buildUser } from '../../../testing/factories.ts'
import { videoFile } from '../../../testing/lesson-files.ts'
import { ResumableClient } from '../../../testing/resumable.ts'
import { UploadLocks } from './upload-locks.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dala-pieces-'))
const instances: { app: FastifyInstance; database: Database }[] = []
const clients: ResumableClient[] = []

beforeAll(async () => {
  const url = await createTestDatabase(
    process.env.TEST_DATABASE_URL ?? '',
    `pieces_${process.env.VITEST_POOL_ID ?? '0'}`,
  )
  const settings = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    NODE_ENV: 'test',
    JWT_SECRET: 'two-instances-0123456789-abcdefg',
  })
  for (let count = 0; count < 2; count += 1) {
    const database = await openDatabase({ url }, { parts })
    await migrateDatabase(database)
    await database.listen()
    if (count === 0) await buildUser(database, 'admin', { username: 'admin' })
    const app = await buildApp({ settings, database, panelDir: join(dataDir, 'none'), log: { level: 'silent' } })
    instances.push({ app, database })
    const authorization = `Bearer ${await tokenOf(app, 'admin')}`
    clients.push(new ResumableClient({ app, headersOf: () => ({ authorization }) }))
  }
})
afterAll(async () => {
  for (const { app, database } of instances) {
    await app.close()
    await database.close()
  }
})

test('continues an upload on another instance', async () => {
  const bytes = await videoFile('mp4')
  const [firstClient, secondClient] = clients
  const { id } = (await firstClient?.begin(bytes.length, 'a.mp4', 'lesson_video')) ?? { id: '' }
  await firstClient?.piece(id, 0, bytes.subarray(0, 3_000))
  expect(await secondClient?.offset(id)).toBe(3_000)
  await secondClient?.piece(id, 3_000, bytes.subarray(3_000, 5_000))
  const lastPiece = await firstClient?.piece(id, 5_000, bytes.subarray(5_000))
  expect([lastPiece?.status, lastPiece?.records[0]?.sha256]).toEqual([
    200,
    createHash('sha256').update(bytes).digest('hex'),
  ])
})

test('lets one instance at a time write to an upload', async () => {
  const [firstLocks, secondLocks] = instances.map(({ database }) => new UploadLocks(database))
  const [gate, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const order: string[] = []
  const firstLock = firstLocks?.exclusive('a', async () => {
    holding.resolve()
    await gate.promise
    order.push('first')
  })
  await holding.promise
  const secondLock = secondLocks?.exclusive('a', async () => void order.push('second'))
  await secondLocks?.exclusive('b', async () => void order.push('other'))
  gate.resolve()
  await Promise.all([firstLock, secondLock])
  expect(order).toEqual(['other', 'first', 'second'])
})
