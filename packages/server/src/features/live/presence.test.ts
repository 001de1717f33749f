import { sql } from '../../db/sql.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { waitUntil } from '../../testing/eventually.ts'

afterEach(() => {
  disconnectSockets()
  vi.useRealTimers()
})

test('marks users with an open page as seen every minute, in one statement, and nobody else', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { app, database } = await openTestApp()
  const [here, away] = [
    await buildUser(database, 'admin', { username: 'here' }),
    await buildUser(database, 'admin', { username: 'away' }),
  ]
  const token = await tokenOf(app, 'here')
  await tokenOf(app, 'away')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await connectSocket(address, { token })
  const { socket } = await connectSocket(address, { token })
  await database.query(sql`update users set last_seen_at = now() - interval '1 hour'`)
  await database.query(sql`update sessions set last_seen_at = now() - interval '30 minutes'`)
  const readSeenUsers = async () => {
    const recentSql = sql<{
      id: number
    }>`select id from users where last_seen_at > now() - interval '1 minute' order by id`
    return (await database.query(recentSql)).map(({ id }) => id)
  }
  expect(await readSeenUsers()).toEqual([])

  const statements: string[] = []
  const stopListening = database.onStatement(
    (text) => void (text.includes('last_seen_at = now()') && statements.push(text)),
  )
  vi.advanceTimersByTime(60_000)
  await waitUntil(async () => expect(await readSeenUsers()).toEqual([here]))
  expect(statements).toHaveLength(1)
  expect(await readSeenUsers()).not.toContain(away)
  // An open page does not extend a session.
  const activeSessions = sql`select 1 from sessions where last_seen_at > now() - interval '10 minutes'`
  expect(await database.query(activeSessions)).toEqual([])

  stopListening()
  expect(socket.connected).toBe(true)
  await app.close()
})
