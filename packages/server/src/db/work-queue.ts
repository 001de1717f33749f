/**
 * Background work, on pg-boss in the same database: requested
 * work is done once, also after a crash (decision 17).
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { withAdvisoryLock } from './advisory-lock.ts'
import { emitSignal, runFollowed } from '../signals.ts'
import type { Database } from './database.ts'
import { sql } from './sql.ts'

/**
 * One kind of background work. The work itself is stored in other tables; the queue only decides when it
 * runs and on which instance.
 */
export interface Work {
  /** Returns the ids of pending and interrupted work, which every start resumes. */
  findUnfinished(): Promise<readonly number[]>
  /** Runs the job or the rest of an interrupted job; a finished job does nothing. Ends early on `signal`. */
  run(id: number, signal: AbortSignal): Promise<void>
}

/** Seconds between checks for work from other instances. The embedded database has no other instances. */
const pollingSeconds = { embedded: 600, server: 5 } as const
/** Milliseconds between checks for work whose instance died. */
const sweepIntervals = { embedded: 600_000, server: 15_000 } as const
const anHour = 3_600
/**
 * Number that separates this program's locks from those of others (`pg_try_advisory_lock` with two numbers).
 */
const lockNumber = 4_711_002
const tablesLock = 4_711_003

/** Returns the number in the data of a queued job, as the database returned the data. */
const readJobNumber = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'id' in data ? Number(data.id) : 0

export class WorkQueue {
  readonly #database: Database
  readonly #kinds = new Map<string, Work>()
  readonly #workers = new Map<string, string>()
  #stopping = new AbortController()
  /** Receiver of errors of the queue; undefined before the start. */
  #onError: ((error: unknown) => void) | undefined
  #opening: Promise<PgBoss | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Promises of the start and of a running check for work, which a stop waits for. */
  #starting: Promise<void> = Promise.resolve()
  #sweeping: Promise<void> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  /** Registers a kind of background work, before the start of the queue. */
  register(name: string, backgroundWork: Work): void {
    this.#kinds.set(name, backgroundWork)
  }

  /**
   * Resumes pending and interrupted work. The queue itself is loaded and opened with the first work.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): Promise<void> {
    this.#stopping = new AbortController()
    this.#onError = onError
    const startedQueue = this.#start(onError, this.#stopping.signal)
    this.#starting = startedQueue.catch(() => {})
    return startedQueue
  }

  /** A stop during the start of the queue ends the start after the present step. */
  async #start(onError: (error: unknown) => void, stopping: AbortSignal): Promise<void> {
    const runSweep = async () => {
      for (const [name, backgroundWork] of this.#kinds) {
        if (stopping.aborted) return
        for (const id of await backgroundWork.findUnfinished()) await this.wake(name, id)
      }
    }
    await runSweep()
    if (stopping.aborted) return
    const sweepAgain = () => {
      this.#sweeping = this.#sweeping.then(runSweep).catch(onError)
    }
    this.#timer = setInterval(sweepAgain, sweepIntervals[this.#database.kind])
    this.#timer.unref()
  }

  /**
   * The queue with its own tables (schema `pgboss`), created where they are missing; undefined after a stop.
   */
  async #open(onError: (error: unknown) => void, stopping: AbortSignal): Promise<PgBoss | undefined> {
    const { kind } = this.#database
    const { PgBoss } = await import('pg-boss')
    const queueEngine = new PgBoss({
      db: { executeSql: (text, values) => this.#execute(text, values) },
      backend: kind === 'embedded' ? 'pglite' : 'postgres',
      schedule: false,
      superviseIntervalSeconds: anHour,
      flowIntervalSeconds: anHour,
      bamIntervalSeconds: anHour,
      queueCacheIntervalSeconds: anHour,
      monitorVacuum: false,
      reindex: false,
    })
    queueEngine.on('error', onError)
    // If two instances created the tables of the work queue concurrently, one would fail.
    await (kind === 'embedded'
      ? queueEngine.start()
      : withAdvisoryLock(this.#database, tablesLock, () => queueEngine.start()))
    for (const [name, backgroundWork] of this.#kinds) {
      if (stopping.aborted) return queueEngine
      await queueEngine.createQueue(name, { policy: 'short', retryLimit: 0, deleteAfterSeconds: anHour })
      // No other program uses this database, so jobs in the queue belong to a process that has ended.
      if (kind === 'embedded') await queueEngine.deleteAllJobs(name)
      const worker = await queueEngine.work(
        name,
        { pollingIntervalSeconds: pollingSeconds[kind], batchSize: 1 },
        async ([job]) => {
          await this.#runAlone(name, readJobNumber(job?.data), backgroundWork).catch(onError)
        },
      )
      this.#workers.set(name, worker)
    }
    return queueEngine
  }

  /**
   * Starts background work soon; work that is requested before the start of the queue is found by the start.
   */
  async wake(name: string, id: number): Promise<void> {
    const { signal } = this.#stopping
    if (!this.#onError || signal.aborted) return
    // The next work retries a failed opening of the queue, and every job is then looked up again.
    this.#opening ??= this.#open(this.#onError, signal).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    const queueEngine = await this.#opening
    const worker = this.#workers.get(name)
    if (!queueEngine || worker === undefined || signal.aborted) return
    await queueEngine.send(name, { id }, { singletonKey: String(id) })
    queueEngine.notifyWorker(worker)
  }

  /** Interrupts running background work, which the next start resumes, and ends the queue. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#starting
    clearInterval(this.#timer)
    await this.#sweeping
    const queueEngine = await this.#opening?.catch(() => undefined)
    this.#opening = undefined
    this.#workers.clear()
    await queueEngine?.stop({ close: false, timeout: 5_000 })
  }

  /**
   * Does background work unless another instance is doing it. The lock ends with its session, however the
   * process ends.
   */
  async #runAlone(name: string, id: number, backgroundWork: Work): Promise<void> {
    const runJob = () => this.#runObserved(name, () => backgroundWork.run(id, this.#stopping.signal))
    if (this.#database.kind === 'embedded') return runJob()
    await this.#database.session(async (session) => {
      const { rows } = await session.run(
        { sql: 'select pg_try_advisory_lock($1::int, $2::int) as free', parameters: [lockNumber, id] },
        'array',
      )
      const [[isFree] = []] = rows as unknown[][]
      if (isFree !== true) return
      try {
        await runJob()
      } finally {
        await session.run({ sql: 'select pg_advisory_unlock($1::int, $2::int)', parameters: [lockNumber, id] }, 'array')
      }
    })
  }

  async #runObserved(kind: string, runJob: () => Promise<void>): Promise<void> {
    emitSignal('job', { kind, step: 'begun' })
    try {
      await runFollowed('job', kind, runJob)
      emitSignal('job', { kind, step: 'done' })
    } catch (error) {
      emitSignal('job', { kind, step: 'failed' })
      throw error
    }
  }

  /**
   * Counts the jobs that wait for their turn on any instance.
   *
   * @returns The number of jobs of every kind; 0 before the queue is opened by its first work.
   */
  async countWaiting(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map([...this.#kinds.keys()].map((kind) => [kind, 0]))
    if (!(await this.#opening?.catch(() => undefined))) return counts
    const rows = await this.#database.query(
      sql<{ name: string; count: number }>`
        select name, count(*)::int as count from pgboss.job where state = 'created' group by name`,
    )
    for (const { name, count } of rows) if (counts.has(name)) counts.set(name, count)
    return counts
  }

  async #execute(text: string, values: readonly unknown[] | undefined): Promise<{ rows: unknown[] }> {
    if (!values || values.length === 0) return { rows: await this.#database.script(text) }
    return this.#database.session(async (session) => ({
      rows: (await session.run({ sql: text, parameters: values }, 'object')).rows,
    }))
  }
}

/** Repeats failing background work after a pause. Throws the error of the last attempt. */
export async function withRetries<T>(attempts: number, signal: AbortSignal, runAttempt: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runAttempt()
    } catch (error) {
      if (attempt === attempts || signal.aborted) throw error
      await pause(100 * 2 ** attempt)
    }
  }
}
