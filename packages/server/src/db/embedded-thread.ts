/**
 * The embedded database in its own thread. A statement inside PGlite cannot be interrupted. The thread is
 * ended instead, and a new one reopens the folder, as after a crash of the program.
 */
import { statfs } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Engine, SendOptions } from './embedded-engine.ts'
import { DatabaseLost, NoSpaceError, NotBegunError, StatementTimeout } from './embedded-failures.ts'

/** Requests to the database's thread, and the answers in the order of the requests. */
export type ThreadRequest = { kind: 'run'; number: number; message: Uint8Array } | { kind: 'copy' } | { kind: 'close' }
export type Answer =
  | { kind: 'opened'; memory: number }
  | { kind: 'answered'; bytes: Uint8Array; memory: number }
  | { kind: 'copied'; bytes: ArrayBuffer }
  | { kind: 'closed' }

export interface ThreadData {
  folder: string
  /**
   * The number of the database's running statement, 0 between statements, -1 for a thread that must not begin
   * another one.
   */
  progress: Int32Array<SharedArrayBuffer>
}

export interface ThreadLimits {
  /** Time limit of one statement in milliseconds. */
  statement: number
  /** Bytes by which the memory of the database may grow before it is reopened. */
  growth: number
  /** Bytes of growth from which the database is closed even while the disk has no space to open it again. */
  maxGrowth: number
  /** Returns the free bytes of the disk of a folder. */
  freeBytes: (folder: string) => Promise<number>
  /** Milliseconds until the next attempt after a reopening that was put off or failed. */
  pause: number
}

/**
 * The statement limit of a PostgreSQL server (`db/server.ts`), and memory for plans and caches of a busy day.
 */
const defaultLimits: ThreadLimits = {
  statement: 5_000,
  growth: 64 * 2 ** 20,
  maxGrowth: 512 * 2 ** 20,
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
  pause: 10_000,
}
/**
 * Free bytes without which the database is not opened: it writes two segments of its log at most. On a full disk an
 * attempt fails after seconds, in which the disk may have space again.
 */
const spaceToOpen = 32 * 2 ** 20
/** Milliseconds until the next check of a statement that ended just at its time limit. */
const recheckDelay = 50
const stoppedSignal = -1

interface Entry {
  number: number
  isLimited: boolean
  resolveAnswer: (answer: Answer) => void
  rejectAnswer: (error: Error) => void
}

/** One run of the database's thread, from opening the folder to its end. */
class ThreadRun {
  readonly openedAnswer: Promise<Answer>
  /** Promise that resolves when the thread has ended and the folder is free. */
  readonly endedSignal: Promise<void>
  readonly #worker: Worker
  readonly #limit: number
  readonly #progress = new Int32Array(new SharedArrayBuffer(8))
  readonly #flight: Entry[] = []
  #count = 0
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  #hasEnded = false
  #memory = 0
  #growth = 0

  readonly #onEnd: () => void

  constructor(folder: string, limit: number, onEnd: () => void) {
    this.#limit = limit
    this.#onEnd = onEnd
    const workerData: ThreadData = { folder, progress: this.#progress }
    this.#worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData })
    this.#worker.on('message', (answer: Answer) => this.#take(answer))
    this.#worker.on('error', (error) => {
      this.#failure = error
    })
    this.endedSignal = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(new DatabaseLost(this.#failure))
        resolve()
      })
    })
    this.openedAnswer = this.#expect(false)
  }

  /** Bytes by which the memory of the database has grown since it was opened. */
  get growth(): number {
    return this.#growth
  }

  run(message: Uint8Array, isLimited: boolean): Promise<Answer> {
    return this.#ask((number) => ({ kind: 'run', number, message }), isLimited)
  }
  copy(): Promise<Answer> {
    return this.#ask(() => ({ kind: 'copy' }), false)
  }
  async close(): Promise<void> {
    await this.#ask(() => ({ kind: 'close' }), false)
    await this.endedSignal
  }

  #ask(order: (number: number) => ThreadRequest, isLimited: boolean): Promise<Answer> {
    if (this.#hasEnded) return Promise.reject(new NotBegunError())
    const answer = this.#expect(isLimited)
    this.#worker.postMessage(order(this.#count))
    return answer
  }

  #expect(isLimited: boolean): Promise<Answer> {
    this.#count += 1
    const number = this.#count
    if (this.#flight.length === 0) this.#since = performance.now()
    const answer = new Promise<Answer>((resolveAnswer, rejectAnswer) => {
      this.#flight.push({ number, isLimited, resolveAnswer, rejectAnswer })
    })
    if (isLimited) this.#timer ??= this.#checkLimitAfter(this.#limit)
    return answer
  }

  #take(answer: Answer): void {
    const entry = this.#flight.shift()
    this.#since = performance.now()
    if (answer.kind === 'opened') this.#memory = answer.memory
    if (answer.kind === 'answered') this.#growth = answer.memory - this.#memory
    entry?.resolveAnswer(answer)
  }

  #checkLimitAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined
      this.#checkLimit()
    }, milliseconds).unref()
  }

  /**
   * Ends the thread when its statement exceeds the limit. A statement that ended meanwhile keeps its answer.
   */
  #checkLimit(): void {
    const [firstRequest] = this.#flight
    if (!firstRequest) return
    const remainingTime = this.#limit - (performance.now() - this.#since)
    if (!firstRequest.isLimited || remainingTime > 0)
      this.#timer = this.#checkLimitAfter(firstRequest.isLimited ? remainingTime : this.#limit)
    else if (Atomics.compareExchange(this.#progress, 0, firstRequest.number, stoppedSignal) !== firstRequest.number)
      this.#timer = this.#checkLimitAfter(recheckDelay)
    else {
      this.#end(new StatementTimeout())
      void this.#worker.terminate()
    }
  }

  /** Rejects all pending requests. Statements after the running one can be sent again. */
  #end(error: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#onEnd()
    const runningNumber = Math.max(Atomics.load(this.#progress, 0), this.#flight[0]?.number ?? 0)
    for (const { number, rejectAnswer } of this.#flight.splice(0))
      rejectAnswer(number <= runningNumber ? error : new NotBegunError())
  }
}

/** The database of a folder, reopened whenever its thread has ended before it was closed. */
export class EngineThread implements Engine {
  readonly maxConcurrentStatements = 8
  readonly #folder: string
  readonly #limits: ThreadLimits
  #opening = 0
  #thread: ThreadRun | undefined
  #coming: Promise<ThreadRun> | undefined
  #isClosed = false
  /** Time until which a reopening is put off. */
  #putOffUntil = 0

  private constructor(folder: string, limits: ThreadLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Opens the database of a folder, and throws the errors of PGlite. */
  static async open(folder: string, limits: Partial<ThreadLimits> = {}): Promise<EngineThread> {
    const engine = new EngineThread(folder, { ...defaultLimits, ...limits })
    await engine.#present()
    return engine
  }

  get openingNumber(): number {
    return this.#opening
  }
  get isGrown(): boolean {
    const { growth, maxGrowth } = this.#limits
    const present = this.#thread?.growth ?? 0
    return present > maxGrowth || (present > growth && performance.now() >= this.#putOffUntil)
  }

  async send(message: Uint8Array, { isLimited, openingNumber }: SendOptions): Promise<Uint8Array> {
    const thread = this.#thread ?? (await this.#present())
    if (openingNumber !== undefined && openingNumber !== this.#opening) throw new NotBegunError()
    const answer = await thread.run(message, isLimited)
    if (answer.kind !== 'answered') throw new DatabaseLost()
    return answer.bytes
  }

  async copy(): Promise<ArrayBuffer> {
    const thread = await this.#present()
    const answer = await thread.copy()
    if (answer.kind !== 'copied') throw new DatabaseLost()
    return answer.bytes
  }

  async reopenDatabase(): Promise<void> {
    const thread = await this.#present()
    this.#putOffUntil = performance.now() + this.#limits.pause
    // A database that is open answers on a full disk too, and refuses only writes. Its memory must not fill that of
    // the machine: beyond the limit it is closed, and statements are refused until the disk has space.
    if (thread.growth <= this.#limits.maxGrowth && !(await this.#hasSpace())) return
    await thread.close()
    await this.#present()
    this.#putOffUntil = 0
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    const thread = await this.#present().catch(() => undefined)
    this.#isClosed = true
    await thread?.close()
  }

  /** Returns the open thread of the database, or the one that is being opened. */
  #present(): Promise<ThreadRun> {
    if (this.#isClosed) return Promise.reject(new Error('PGlite is closed'))
    this.#coming ??= this.#start()
    return this.#coming
  }

  async #hasSpace(): Promise<boolean> {
    return (await this.#limits.freeBytes(this.#folder)) >= spaceToOpen
  }

  async #start(): Promise<ThreadRun> {
    let thread: ThreadRun
    try {
      if (!(await this.#hasSpace())) throw new NoSpaceError()
      thread = new ThreadRun(this.#folder, this.#limits.statement, () => this.#lose(thread))
      await thread.openedAnswer
    } catch (error) {
      this.#coming = undefined
      throw error instanceof DatabaseLost && error.cause instanceof Error ? error.cause : error
    }
    this.#opening += 1
    this.#thread = thread
    return thread
  }

  /** Replaces a thread of the database that was open and has ended, as soon as the folder is free. */
  #lose(thread: ThreadRun): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    this.#coming = undefined
    if (this.#isClosed) return
    this.#coming = thread.endedSignal.then(() => this.#start())
    // Callers that wait for the opening of the database receive the error; without any, the next use retries.
    this.#coming.catch(() => {})
  }
}
