/**
 * An unreachable database: requests fail fast, and the program stays and recovers by itself (checklist §11).
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from './sql.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp, tokenOf } from '../testing/app.ts'
import { createTestDatabase } from '../testing/databases.ts'
import { engineParts } from '../behaviours/index.ts'
import { buildUser } from '../testing/factories.ts'
import { openDatabase } from './database.ts'
import { migrateDatabase } from './migrate.ts'

/** A route to the server that can be cut and restored. */
class Way {
  readonly #target: URL
  readonly #open = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  constructor(target: URL) {
    this.#target = target
  }

  async lay(): Promise<URL> {
    this.#server = createServer((socket) => {
      const onwardSocket = connect(Number(this.#target.port || 5_432), this.#target.hostname)
      for (const end of [socket, onwardSocket]) {
        this.#open.add(end)
        end.on('error', () => {})
        end.once('close', () => this.#open.delete(end))
      }
      socket.pipe(onwardSocket).pipe(socket)
    })
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address ? address.port : 0
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String(this.#port)
    return url
  }

  async cut(): Promise<void> {
    const closedSignal = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#open) socket.destroy()
    await closedSignal
  }
}

const closeCalls: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of closeCalls.toReversed()) await end()
})

test('answers 503 with Retry-After while the database is unreachable, and recovers afterwards', async () => {
  const target = await createTestDatabase(
    process.env.TEST_DATABASE_URL ?? '',
    `away_${process.env.VITEST_POOL_ID ?? '0'}`,
  )
  const networkWay = new Way(new URL(target))
  const database = await openDatabase({ url: (await networkWay.lay()).href }, { parts: engineParts })
  closeCalls.push(
    () => networkWay.cut(),
    () => database.close(),
  )
  await migrateDatabase(database)
  const { app } = await openTestApp({ database })
  await buildUser(database, 'admin', { username: 'admin' })
  const headers = { authorization: `Bearer ${await tokenOf(app, 'admin')}` }
  const ask = () => app.inject({ url: '/api/tags', headers })
  expect((await ask()).statusCode).toBe(200)

  await networkWay.cut()
  const refusedAnswer = await ask()
  expect(refusedAnswer.statusCode).toBe(503)
  expect(Number(refusedAnswer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
  await expect.poll(async () => (await app.inject({ url: '/ready' })).statusCode).toBe(503)

  await networkWay.lay()
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
