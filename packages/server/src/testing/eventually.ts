/** Waits for asynchronous results: a socket event, a background job, a change in another process. */
import { vi } from 'vitest'

/**
 * Repeats a check until it no longer throws; throws its last error after twenty seconds, because machines may
 * be busy.
 */
export const waitUntil = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 })
