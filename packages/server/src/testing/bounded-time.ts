/** Ends work that never would: a pattern that reads a text again and again fails its test instead of stopping the run. */
import { runInNewContext } from 'node:vm'

/** Far more than such work takes on the slowest machine, and far less than a pattern without a bound. */
const limit = 5_000

/**
 * Runs work in this thread and interrupts it after some seconds.
 *
 * @param work What is done.
 * @returns What the work returns.
 * @throws When it was interrupted.
 */
export const inBoundedTime = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: limit }) as T
