/** The embedded database: PGlite, in a thread of its own on a folder, or in this thread in memory. */
import { mkdirSync } from 'node:fs'
import { setImmediate as immediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Connection, DatabaseLoad, Driver, TransactionOutcome } from './driver.ts'
import { compressArchive } from './compressed-archive.ts'
import { type Engine, localEngine, openPglite } from './embedded-engine.ts'
import { EngineThread, type ThreadLimits } from './embedded-thread.ts'
import { EmbeddedWire } from './embedded-wire.ts'

const unzipBytes = promisify(gunzip)

/** Decompresses a snapshot, because PGlite's own decompression of a damaged one ends the process. */
async function unpackImage(image: Blob): Promise<Blob> {
  return new Blob([await unzipBytes(await image.arrayBuffer())], { type: 'application/x-tar' })
}

/** Milliseconds for which statements may follow one another before sockets and timers get a turn. */
const longestRun = 10

interface QueuedTurn {
  isExclusive: boolean
  startWork: () => void
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

  /** The use of the turns at this moment. */
  get load(): DatabaseLoad {
    const limit = this.#isExclusive ? 1 : this.#atOnce
    return { used: this.#running, idle: limit - this.#running, waiting: this.#waiting.length, limit }
  }

  /** Runs shared work on the database concurrently with other shared work. */
  share<T>(runTask: () => Promise<T>): Promise<T> {
    return this.#take(false, runTask)
  }
  /** Runs exclusive work on the database while nothing else runs. */
  exclude<T>(runTask: () => Promise<T>): Promise<T> {
    return this.#take(true, runTask)
  }

  async #take<T>(isExclusive: boolean, runTask: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasCapacity(isExclusive))
      await new Promise<void>((startWork) => this.#waiting.push({ isExclusive, startWork }))
    else this.#enter(isExclusive)
    try {
      return await runTask()
    } finally {
      this.#running -= 1
      if (isExclusive) this.#isExclusive = false
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

  #hasCapacity(isAlone: boolean): boolean {
    return !this.#isExclusive && this.#running < (isAlone ? 1 : this.#atOnce)
  }
  #enter(isAlone: boolean): void {
    this.#running += 1
    this.#isExclusive = isAlone
  }
  #next(): void {
    for (;;) {
      const [firstWaiter] = this.#waiting
      if (!firstWaiter || !this.#hasCapacity(firstWaiter.isExclusive)) return
      this.#waiting.shift()
      this.#enter(firstWaiter.isExclusive)
      firstWaiter.startWork()
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
  if (folder === undefined || image) return localEngine(await openPglite(folder, image && (await unpackImage(image))))
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
  const workSchedule = new WorkSchedule(engine.maxConcurrentStatements)

  let renewingEngine: Promise<void> | undefined
  /** The database frees grown memory only when it is reopened. */
  const renewOnLoss = async <T>(runningQuery: Promise<T>): Promise<T> => {
    try {
      return await runningQuery
    } finally {
      if (engine.isGrown)
        renewingEngine ??= workSchedule
          .exclude(() => engine.reopenDatabase())
          .catch(() => {})
          .finally(() => (renewingEngine = undefined))
    }
  }
  const script = (sql: string) =>
    workSchedule.exclude(async () => {
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
    const options = () => ({ isLimited: mayBeLimited && isLimited })
    return {
      run: (statement, mode) => renewOnLoss(workSchedule.share(() => wire.run(statement, mode, options()))),
      forEachRow: (statement, take) =>
        renewOnLoss(workSchedule.share(() => wire.forEachRow(statement, options(), take))),
      script,
    }
  }

  async function runTransaction<T>(runTask: (connection: Connection) => Promise<TransactionOutcome<T>>): Promise<T> {
    let isTransactionOpen = true
    // A statement after the end of its transaction would run beside all transactions.
    const runInside = <R>(send: () => Promise<R>) =>
      isTransactionOpen ? send() : Promise.reject(new Error('The transaction has ended'))
    const openingNumber = await wire.begin()
    try {
      const { result } = await runTask({
        run: (statement, mode) => runInside(() => wire.run(statement, mode, { isLimited, openingNumber })),
        forEachRow: (statement, take) =>
          runInside(() => wire.forEachRow(statement, { isLimited, openingNumber }, take)),
        script: (sql) => runInside(() => wire.script(sql, { isLimited: false, openingNumber })),
      })
      isTransactionOpen = false
      // The commit follows the last statements immediately; if they fail, their error is thrown.
      const commitCall = wire.commit(openingNumber)
      commitCall.catch(() => {})
      const answer = await result
      await commitCall
      return answer
    } catch (error) {
      isTransactionOpen = false
      await wire.rollback(openingNumber)
      throw error
    }
  }

  return {
    kind: 'embedded',
    ...connectionOf(true),
    transaction: (runTask) => renewOnLoss(workSchedule.exclude(() => runTransaction(runTask))),
    session: (runTask) => runTask(connectionOf(false)),
    withoutTimeLimit: async (runTask) => {
      isLimited = false
      try {
        return await runTask()
      } finally {
        isLimited = true
      }
    },
    subscribe: () => Promise.resolve(),
    snapshot: async (readBefore) => {
      const archive = await workSchedule.exclude(async () => {
        await readBefore?.({ script: (sql) => wire.script(sql) })
        await wire.script('checkpoint')
        return engine.copy()
      })
      return compressArchive(archive)
    },
    load: () => workSchedule.load,
    close: () => workSchedule.exclude(() => engine.close()),
  }
}
