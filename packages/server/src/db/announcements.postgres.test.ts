import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseRoute } from '../testing/database-route.ts'
import { Announcements } from './announcements.ts'
import { openDatabase } from './database.ts'
import { databaseFailure } from './failures.ts'
import { sql } from './sql.ts'

const url = process.env.TEST_DATABASE_URL

describe('the listening connection', () => {
  const route = new DatabaseRoute(String(url))
  let announcements: Announcements
  const receivedChanges: (string[] | 'all')[] = []
  beforeAll(async () => {
    await route.open()
    const client = () => new pg.Client({ connectionString: route.url, connectionTimeoutMillis: 200 })
    announcements = new Announcements(client, 'here', { intervalMs: 50, limitMs: 500 })
    await announcements.start((names) => receivedChanges.push(names === 'all' ? names : [...names]))
  })
  afterAll(async () => {
    await announcements.stop()
    await route.cut()
  })
  const announceChange = async (name: string) => {
    const otherClient = new pg.Client({ connectionString: url })
    await otherClient.connect()
    await otherClient.query(Announcements.message('elsewhere', [name]))
    await otherClient.end()
  }

  it('detects a lost listening connection, treats everything as changed, and listens again', async () => {
    await announceChange('tags')
    await expect.poll(() => receivedChanges).toEqual([['tags']])
    route.isSilent = true
    await expect.poll(() => receivedChanges.includes('all'), { timeout: 10_000 }).toBe(true)
    route.isSilent = false
    await expect
      .poll(
        async () => {
          await announceChange('news')
          return receivedChanges.some((names) => names.includes('news'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
  })
})

describe('a transaction', () => {
  it('announces a transaction to other instances after its commit, even if its connection breaks then', async () => {
    const [writer, listeningInstance] = await Promise.all([
      openDatabase({ url: String(url) }),
      openDatabase({ url: String(url) }),
    ])
    const receivedNames: string[] = []
    try {
      await listeningInstance.listen()
      listeningInstance.onChange((changes) => receivedNames.push(...(changes === 'all' ? ['all'] : changes)))
      await writer.transaction(async (trx) => {
        await trx.query(sql`select 1`)
        trx.changed('tags', 'values')
      })
      await expect.poll(() => receivedNames).toEqual(['tags'])
      const brokenTransaction = writer.transaction(async (trx) => {
        const [session] = await trx.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
        trx.changed('units', 'values')
        trx.beforeCommit(async () => {
          await listeningInstance.query(sql`select pg_terminate_backend(${session?.pid ?? 0}::int)`)
        })
      })
      // The error message depends on whether the server's termination or the closed connection arrives first.
      await expect(brokenTransaction.catch(databaseFailure)).resolves.toBe('unavailable')
      await expect.poll(() => receivedNames).toEqual(['tags', 'units'])
    } finally {
      await Promise.all([writer.close(), listeningInstance.close()])
    }
  })
})
