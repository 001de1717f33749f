/**
 * Interrupts endless work: a regular expression that backtracks without end fails its test and does not stop
 * the run.
 */
import { runInNewContext } from 'node:vm'

/**
 * Time limit of work in milliseconds: far more than it takes on the slowest machine, and far less than
 * endless work.
 */
const limit = 5_000

/**
 * Runs a test's work in this thread and interrupts it after some seconds.
 *
 * @param work - The work.
 * @returns The result of the work.
 * @throws When it was interrupted.
 */
export const runInBoundedTime = <T>(runTask: () => T): T =>
  runInNewContext('work()', { work: runTask }, { timeout: limit }) as T
