/** Work in the background, on pg-boss in the same database: what was asked for is done once, also after a crash (decision 17). */
import { setTimeout as pause } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { alone } from './alone.ts'
import type { Database } from './database.ts'

/** One kind of work. What is to be done stands in tables of its own; the queue only says when and by whom. */
export interface Work {
  /** What waits or was broken off, by its number; taken up at every start. */
  unfinished(): Promise<readonly number[]>
  /** Does it, or what is left of it; asked again for work that is done it does nothing. Ends early on `signal`. */
  run(id: number, signal: AbortSignal): Promise<void>
}

/** Seconds between looks for work that other instances put in. The embedded database has no other instances. */
const polling = { embedded: 600, server: 5 } as const
/** Milliseconds between looks for work whose instance died. */
const sweeping = { embedded: 600_000, server: 15_000 } as const
const anHour = 3_600
/** Names this program's locks beside other programs' (`pg_try_advisory_lock` with two numbers). */
const lockNumber = 4_711_002
const tablesLock = 4_711_003

/** A job's data as they came back from the database. */
const numberIn = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'id' in data ? Number(data.id) : 0

export class WorkQueue {
  readonly #database: Database
  readonly #kinds = new Map<string, Work>()
  readonly #workers = new Map<string, string>()
  #stopping = new AbortController()
  /** What to do with errors; undefined before the start. */
  #onError: ((error: unknown) => void) | undefined
  #opening: Promise<PgBoss | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  /** The start, and the look for work that is going on: a stop waits for both. */
  #starting: Promise<void> = Promise.resolve()
  #sweeping: Promise<void> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
  }

  /** Says how work of a name is done; before the start. */
  register(name: string, work: Work): void {
    this.#kinds.set(name, work)
  }

  /**
   * Takes up what waits or was broken off. The queue itself is loaded and opened with the first work.
   * In: what to do with an error, which must not end the program.
   */
  start(onError: (error: unknown) => void): Promise<void> {
    this.#stopping = new AbortController()
    this.#onError = onError
    const started = this.#start(onError, this.#stopping.signal)
    this.#starting = started.catch(() => {})
    return started
  }

  /** A stop in between ends the start after the step that is going on. */
  async #start(onError: (error: unknown) => void, stopping: AbortSignal): Promise<void> {
    const sweep = async () => {
      for (const [name, work] of this.#kinds) {
        if (stopping.aborted) return
        for (const id of await work.unfinished()) await this.wake(name, id)
      }
    }
    await sweep()
    if (stopping.aborted) return
    const look = () => {
      this.#sweeping = this.#sweeping.then(sweep).catch(onError)
    }
    this.#timer = setInterval(look, sweeping[this.#database.kind])
    this.#timer.unref()
  }

  /** The queue with its own tables (schema `pgboss`), made where they are missing; undefined after a stop. */
  async #open(onError: (error: unknown) => void, stopping: AbortSignal): Promise<PgBoss | undefined> {
    const { kind } = this.#database
    const { PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
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
    boss.on('error', onError)
    // Of two instances that make the tables at once one would end in an error.
    await (kind === 'embedded' ? boss.start() : alone(this.#database, tablesLock, () => boss.start()))
    for (const [name, work] of this.#kinds) {
      if (stopping.aborted) return boss
      await boss.createQueue(name, { policy: 'short', retryLimit: 0, deleteAfterSeconds: anHour })
      // Alone on this database: what the queue holds is of a process that has ended.
      if (kind === 'embedded') await boss.deleteAllJobs(name)
      const worker = await boss.work(name, { pollingIntervalSeconds: polling[kind], batchSize: 1 }, async ([job]) => {
        await this.#runAlone(work, numberIn(job?.data)).catch(onError)
      })
      this.#workers.set(name, worker)
    }
    return boss
  }

  /** Has the work of a number begun soon; work that was asked for before the start is found by the start. */
  async wake(name: string, id: number): Promise<void> {
    const { signal } = this.#stopping
    if (!this.#onError || signal.aborted) return
    // An opening that failed is tried again with the next work; every job is looked for again.
    this.#opening ??= this.#open(this.#onError, signal).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    const boss = await this.#opening
    const worker = this.#workers.get(name)
    if (!boss || worker === undefined || signal.aborted) return
    await boss.send(name, { id }, { singletonKey: String(id) })
    boss.notifyWorker(worker)
  }

  /** Lets go of what is being done, so that the next start takes it up, and ends. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#starting
    clearInterval(this.#timer)
    await this.#sweeping
    const boss = await this.#opening?.catch(() => undefined)
    this.#opening = undefined
    this.#workers.clear()
    await boss?.stop({ close: false, timeout: 5_000 })
  }

  /** Does work unless another instance is at it. The lock goes with its session, however the process ends. */
  async #runAlone(work: Work, id: number): Promise<void> {
    if (this.#database.kind === 'embedded') return work.run(id, this.#stopping.signal)
    await this.#database.session(async (session) => {
      const { rows } = await session.run(
        { sql: 'select pg_try_advisory_lock($1::int, $2::int) as free', parameters: [lockNumber, id] },
        'array',
      )
      const [[isFree] = []] = rows as unknown[][]
      if (isFree !== true) return
      try {
        await work.run(id, this.#stopping.signal)
      } finally {
        await session.run({ sql: 'select pg_advisory_unlock($1::int, $2::int)', parameters: [lockNumber, id] }, 'array')
      }
    })
  }

  async #execute(text: string, values: readonly unknown[] | undefined): Promise<{ rows: unknown[] }> {
    if (!values || values.length === 0) return { rows: await this.#database.script(text) }
    return this.#database.session(async (session) => ({
      rows: (await session.run({ sql: text, parameters: values }, 'object')).rows,
    }))
  }
}

/** Runs work again after a pause where it failed. Throws what the last attempt threw. */
export async function withRetries<T>(attempts: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || signal.aborted) throw error
      await pause(100 * 2 ** attempt)
    }
  }
}
