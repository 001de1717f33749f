/** Idle connections to a server: they stay open for the next request, and not for ever. */
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'

afterEach(() => vi.useRealTimers())

test('keeps idle connections for minutes, and closes them after five', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const database = await openDatabase({ url: process.env.TEST_DATABASE_URL ?? '' })
  const countIdle = () => database.load.idle
  try {
    const backends = await Promise.all(
      [1, 2, 3].map(() => database.query(sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`)),
    )
    const pids = new Set(backends.flat().map(({ pid }) => pid))
    expect(pids.size).toBe(3)
    await vi.advanceTimersByTimeAsync(240_000)
    expect(countIdle()).toBe(3)
    const [again] = await database.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
    expect([...pids]).toContain(again?.pid)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(countIdle()).toBe(0)
  } finally {
    vi.useRealTimers()
    await database.close()
  }
})
