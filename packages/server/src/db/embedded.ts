/** The embedded database: PGlite, in a thread of its own on a folder, or in this thread in memory. */
import { mkdirSync } from 'node:fs'
import { setImmediate as immediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Connection, Driver, TransactionOutcome } from './driver.ts'
import { type Engine, localEngine, openPglite } from './embedded-engine.ts'
import { EngineThread, type ThreadLimits } from './embedded-thread.ts'
import { EmbeddedWire } from './embedded-wire.ts'

const unzip = promisify(gunzip)

/** Decompresses a snapshot, because PGlite's own decompression of a damaged one ends the process. */
async function unpack(image: Blob): Promise<Blob> {
  return new Blob([await unzip(await image.arrayBuffer())], { type: 'application/x-tar' })
}

/** Milliseconds for which statements may follow one another before sockets and timers get a turn. */
const longestRun = 10

interface QueuedTurn {
  exclusive: boolean
  begin: () => void
}

/** Schedules work in the order of arrival: single statements concurrently, a transaction exclusively. */
class WorkSchedule {
  readonly #atOnce: number
  readonly #waiting: QueuedTurn[] = []
  #running = 0
  #isExclusive = false
  #turn = performance.now()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Runs shared work on the database concurrently with other shared work. */
  share<T>(work: () => Promise<T>): Promise<T> {
    return this.#take(false, work)
  }
  /** Runs exclusive work on the database while nothing else runs. */
  exclude<T>(work: () => Promise<T>): Promise<T> {
    return this.#take(true, work)
  }

  async #take<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasCapacity(exclusive))
      await new Promise<void>((begin) => this.#waiting.push({ exclusive, begin }))
    else this.#enter(exclusive)
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (exclusive) this.#isExclusive = false
      // The database never waits in the thread of its caller: a whole queue would end before the first answer
      // is sent.
      if (this.#atOnce === 1 && performance.now() - this.#turn >= longestRun) {
        this.#isExclusive = true
        void immediate().then(() => {
          this.#turn = performance.now()
          this.#isExclusive = false
          this.#next()
        })
      } else this.#next()
    }
  }

  #hasCapacity(exclusive: boolean): boolean {
    return !this.#isExclusive && this.#running < (exclusive ? 1 : this.#atOnce)
  }
  #enter(exclusive: boolean): void {
    this.#running += 1
    this.#isExclusive = exclusive
  }
  #next(): void {
    for (;;) {
      const [first] = this.#waiting
      if (!first || !this.#hasCapacity(first.exclusive)) return
      this.#waiting.shift()
      this.#enter(first.exclusive)
      first.begin()
    }
  }
}

interface EmbeddedOptions {
  /** Snapshot that a new database is filled from. */
  image?: Blob | undefined
  /** Limits of the database's thread, where they differ from the usual ones. */
  limits?: Partial<ThreadLimits>
}

async function openEngine(folder: string | undefined, { image, limits }: EmbeddedOptions): Promise<Engine> {
  if (folder === undefined || image) return localEngine(await openPglite(folder, image && (await unpack(image))))
  return EngineThread.open(folder, limits)
}

/**
 * Opens the embedded database; the folder must be locked before (decision 4).
 *
 * @param folder - The folder, or undefined for a database in memory.
 * @param options - A snapshot for a new database, and limits.
 * @returns The driver. On a folder without an image it uses a thread, and its statements have a time limit.
 */
export async function openEmbedded(folder: string | undefined, options: EmbeddedOptions = {}): Promise<Driver> {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const engine = await openEngine(folder, options)
  const wire = new EmbeddedWire(engine)
  const turns = new WorkSchedule(engine.maxConcurrent)

  let renewing: Promise<void> | undefined
  /** The database frees grown memory only when it is reopened. */
  const renewed = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      if (engine.isGrown)
        renewing ??= turns
          .exclude(() => engine.reopen())
          .catch(() => {})
          .finally(() => (renewing = undefined))
    }
  }
  const script = (sql: string) =>
    turns.exclude(async () => {
      try {
        return await wire.script(sql)
      } catch (error) {
        // A text of statements that opens a transaction and fails in it would leave it open for the next
        // caller.
        await wire.script('rollback')
        throw error
      }
    })
  /** Whether statements outside a session have a time limit at present. */
  let isLimited = true
  const connectionOf = (mayBeLimited: boolean): Connection => {
    const options = () => ({ limited: mayBeLimited && isLimited })
    return {
      run: (statement, mode) => renewed(turns.share(() => wire.run(statement, mode, options()))),
      each: (statement, take) => renewed(turns.share(() => wire.each(statement, options(), take))),
      script,
    }
  }

  async function inTransaction<T>(work: (connection: Connection) => Promise<TransactionOutcome<T>>): Promise<T> {
    let open = true
    // A statement after the end of its transaction would run beside all transactions.
    const inside = <R>(send: () => Promise<R>) =>
      open ? send() : Promise.reject(new Error('The transaction has ended'))
    const opening = await wire.begin()
    try {
      const { result } = await work({
        run: (statement, mode) => inside(() => wire.run(statement, mode, { limited: isLimited, opening })),
        each: (statement, take) => inside(() => wire.each(statement, { limited: isLimited, opening }, take)),
        script: (sql) => inside(() => wire.script(sql, { limited: false, opening })),
      })
      open = false
      // The commit follows the last statements immediately; if they fail, their error is thrown.
      const committed = wire.commit(opening)
      committed.catch(() => {})
      const answer = await result
      await committed
      return answer
    } catch (error) {
      open = false
      await wire.rollback(opening)
      throw error
    }
  }

  return {
    kind: 'embedded',
    ...connectionOf(true),
    transaction: (work) => renewed(turns.exclude(() => inTransaction(work))),
    session: (work) => work(connectionOf(false)),
    withoutTimeLimit: async (work) => {
      isLimited = false
      try {
        return await work()
      } finally {
        isLimited = true
      }
    },
    subscribe: () => Promise.resolve(),
    snapshot: () =>
      turns.exclude(async () => {
        await wire.script('checkpoint')
        return engine.copy()
      }),
    close: () => turns.exclude(() => engine.close()),
  }
}
