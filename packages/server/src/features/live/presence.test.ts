import { sql } from '../../db/sql.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { recordPresence } from './presence.ts'

afterEach(() => {
  disconnectSockets()
  vi.useRealTimers()
})

test('marks users with an open page as seen every minute, in one statement, and nobody else', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { app, database } = await openTestApp()
  const [presentUser, absentUser] = [
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
  await waitUntil(async () => expect(await readSeenUsers()).toEqual([presentUser]))
  expect(statements).toHaveLength(1)
  expect(await readSeenUsers()).not.toContain(absentUser)
  // An open page does not extend a session.
  const activeSessions = sql`select 1 from sessions where last_seen_at > now() - interval '10 minutes'`
  expect(await database.query(activeSessions)).toEqual([])

  stopListening()
  expect(socket.connected).toBe(true)
  await app.close()
})

test('stores each minute of a consultant once, over two tabs, two instances and the time between updates', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { app, database } = await openTestApp()
  const consultant = await buildUser(database, 'authenticated', { is_consultant: true })
  const otherUsers = [await buildUser(database, 'admin'), await buildUser(database, 'authenticated')]
  let time = 0
  const stops = [[consultant, consultant, ...otherUsers], [consultant]].map((people) =>
    recordPresence(
      () => people,
      database,
      app.log,
      () => time,
    ),
  )
  const expectMinutes = async (count: number) => {
    const rows = await database.query(sql<{ user: number; minutes: number }>`
      select user_id as "user", sum(bit_count(minutes))::int as minutes from online_hours group by user_id`)
    expect(rows.map(({ user }) => user)).toEqual([consultant])
    // The clock of the database may pass the end of a minute meanwhile.
    expect([count, count + 1]).toContain(rows[0]?.minutes)
  }
  vi.advanceTimersByTime(60_000)
  await waitUntil(() => expectMinutes(1))
  // The next update is late: the people who stayed were online all the time.
  time += 180_000
  vi.advanceTimersByTime(60_000)
  await waitUntil(() => expectMinutes(4))
  // A longer gap, as while the computer slept, counts five minutes at most.
  time += 3_600_000
  vi.advanceTimersByTime(60_000)
  await waitUntil(() => expectMinutes(6))
  for (const stopPresence of stops) stopPresence()
  await app.close()
})
