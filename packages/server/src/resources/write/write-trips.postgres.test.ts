import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../db/database.ts'
import type { Connection, Driver } from '../../db/driver.ts'
import { engineParts } from '../../behaviours/index.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { openServer } from '../../db/server.ts'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { createTestDatabase } from '../../testing/databases.ts'
import { buildNews, buildRegion, buildTag, buildUser, nextNumber } from '../../testing/factories.ts'

/**
 * Counts round trips: how often the statements of transactions wait for answers. Statements that are sent
 * together wait once.
 */
class TripCounter {
  count = 0
  /** Number of transactions whose commit was sent before the last answer arrived. */
  joinedCommits = 0
  #waiting = 0

  /** Wraps a driver so that its transactions are counted. */
  counted(driver: Driver): Driver {
    return {
      ...driver,
      transaction: (runWork) =>
        driver.transaction(async (connection) => {
          const endedWork = await runWork(this.#observed(connection))
          if (this.#waiting > 0) this.joinedCommits += 1
          return endedWork
        }),
    }
  }

  #observed(connection: Connection): Connection {
    return {
      ...connection,
      run: (statement, mode) => this.#wait(() => connection.run(statement, mode)),
      forEachRow: (statement, take) => this.#wait(() => connection.forEachRow(statement, take)),
    }
  }

  async #wait<T>(send: () => Promise<T>): Promise<T> {
    if (this.#waiting === 0) this.count += 1
    this.#waiting += 1
    try {
      return await send()
    } finally {
      this.#waiting -= 1
    }
  }
}

describe('round trips of a write to the database', () => {
  const countedTrips = new TripCounter()
  let database: Database
  let sendWrite: (method: 'POST' | 'PUT', url: string, data: object) => Promise<unknown>
  let end = async () => {}

  beforeAll(async () => {
    database = new Database(
      countedTrips.counted(await openServer(await createTestDatabase(process.env.TEST_DATABASE_URL ?? '', 'trips'))),
      { parts: engineParts },
    )
    await migrateDatabase(database)
    const { app } = await openTestApp({ database })
    await buildUser(database, 'owner', { username: 'owner', email: 'owner@example.org' })
    const authorization = `Bearer ${await tokenOf(app, 'owner')}`
    sendWrite = async (method, path, data) => {
      const { statusCode } = await app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization },
        payload: { data },
      })
      return statusCode
    }
    end = async () => {
      await app.close()
      await database.close()
    }
  })
  afterAll(() => end())

  const links = async () => ({ region: await buildRegion(database), tags: [await buildTag(database)] })
  /** Answer of a request, its round trips, and its commits that were sent with the last statement. */
  const tripsOf = async (...request: Parameters<typeof sendWrite>) => {
    Object.assign(countedTrips, { count: 0, joinedCommits: 0 })
    return [await sendWrite(...request), countedTrips.count, countedTrips.joinedCommits]
  }

  it('creates a record with two round trips: look-up; write, answer and commit', async () => {
    const data = { title: `T ${nextNumber()}`, ...(await links()) }
    expect(await tripsOf('POST', '/news?populate=*', data)).toEqual([200, 2, 1])
  })
  it('updates a record with two round trips: lock and look-up; write, answer and commit', async () => {
    const id = await buildNews(database)
    const data = { title: 'U', ...(await links()) }
    expect(await tripsOf('PUT', `/news/${id}?populate=*`, data)).toEqual([200, 2, 1])
  })
  it('changes nothing in a record with two round trips: lock; answer and commit', async () => {
    const id = await buildNews(database)
    expect(await tripsOf('PUT', `/news/${id}`, {})).toEqual([200, 2, 1])
  })
  it('commits nothing when a write is refused', async () => {
    const data = { title: `T ${nextNumber()}`, tags: [1_000_000] }
    expect(await tripsOf('POST', '/news', data)).toEqual([400, 1, 0])
  })
})
