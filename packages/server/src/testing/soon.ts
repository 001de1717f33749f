/** Waiting for what comes by itself: a message on a socket, a job in the background, a change in another program. */
import { vi } from 'vitest'

/** Asks until the check no longer throws, and throws its last error after twenty seconds: a busy machine takes its time. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 20 })
