/** Bounds the work on files of translations: reading one takes memory and the processor. */
import { fault } from '@dala/model'
import { createLimiter } from '../../resources/limiter.ts'

/** Maximum number of files of one user at a time, and of all users. */
const maxPerUser = 2
const queueLimits = { maxRunning: 2, maxWaiting: 10 }

/** Work on files of translations; the limits apply to all files of one server. */
export class FileWork {
  readonly #bounded = createLimiter(queueLimits)
  readonly #busy = new Map<number, number>()

  /**
   * Runs work on a file in its turn.
   *
   * @param user - The user whose file it is.
   * @param runTask - The work.
   * @throws 503 with Retry-After when the user, or the server, has too many files at a time.
   */
  async run<T>(user: number, runTask: () => Promise<T>): Promise<T> {
    const count = this.#busy.get(user) ?? 0
    if (count >= maxPerUser) throw fault('server.busy', { retryAfter: 5 })
    this.#busy.set(user, count + 1)
    try {
      return await this.#bounded(runTask)
    } finally {
      const remaining = (this.#busy.get(user) ?? 1) - 1
      if (remaining > 0) this.#busy.set(user, remaining)
      else this.#busy.delete(user)
    }
  }
}
