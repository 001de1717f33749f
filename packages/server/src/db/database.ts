/**
 * The only access to the database: statements, transactions
 * with their after-commit work, and change notifications.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { type Calendar, type CalendarChange, calendarOf, changeCalendar, setZone, textOfCalendar } from './calendar.ts'
import { compileTemplate, type Template } from './sql.ts'
import type { Answer, Connection, DatabaseLoad, Driver, RowMode, Statement } from './driver.ts'
import type { ThreadLimits } from './embedded-thread.ts'
import { originOfRequest } from './origin.ts'
import { emitSignal, isWatched } from '../signals.ts'
import type { SentRow } from './sent-row.ts'
import { SlowStatements } from './slow-statements.ts'

/**
 * Names of the changed resources, and with `rowsOf` of those whose number of rows changed; `'all'` when
 * changes may have been missed.
 */
export type Changes = ReadonlySet<string> | 'all'

/** The name by which a change states that rows of a resource were added or deleted. */
export const rowsOf = (resource: string): string => `${resource}+`

type Row = readonly unknown[]

/** The parts of the engine that a database carries; the engine adds each of them to this interface. */
export interface EngineParts {}

/** Access to the database inside and outside a transaction. */
export interface Queries {
  /** The parts of the engine. Throws for a database that was opened without them. */
  readonly parts: EngineParts
  /** The calendar of the database: the zone of `zoneSql`, the working hours and the targets. */
  readonly calendar: Calendar
  /**
   * Runs one statement. Repeated texts are prepared once per connection.
   *
   * @returns The rows as arrays of columns.
   */
  rows: (statement: Statement) => Promise<Row[]>
  /** Runs one read and gives each row to `take` as PostgreSQL sent it, for callers that only pass it on. */
  forEachRow: (statement: Statement, take: (row: SentRow) => void) => Promise<void>
  /** Runs an SQL statement and returns its rows as objects. */
  query: <T>(template: Template<T>) => Promise<T[]>
}

/** One transaction: everything sent through it commits together or not at all. */
export interface Transaction extends Queries {
  /** The database that the transaction belongs to. */
  readonly database: Database
  /**
   * Notes that the transaction changes a resource; listeners on every instance are notified after the commit.
   *
   * @param resource - Its name.
   * @param changeKind - `values` when no row is added or deleted.
   */
  changed(resource: string, changeKind?: 'rows' | 'values'): void
  /**
   * Sends a statement of the transaction without waiting for its answer. The next statement that fails
   * because of it throws its failure, at the latest the transaction, which is rolled back.
   *
   * @param statement - The statement, usually the last one that writes.
   * @param refusal - Converts the error of the database to the error that is thrown.
   */
  send(statement: Statement, refusal: (error: unknown) => unknown): void
  /**
   * Registers a function that runs at the end of the transaction's work, still within the transaction, in the
   * order of the calls.
   */
  beforeCommit(runTask: () => Promise<void>): void
  /**
   * Registers a function that runs after the transaction's commit, in the order of the calls; never after a
   * rollback. A throw is passed to `onFailureAfterCommit`, and the others still run. Work with a key runs
   * once in a transaction.
   */
  afterCommit(runTask: () => void | Promise<void>, key?: string): void
}

/** Makes the answer of a transaction from the result of its work, with one statement. */
type MakeAnswer<T, A> = (result: T, queries: Queries) => Promise<A>

function createQueries(connection: Connection, database: Pick<Queries, 'calendar' | 'parts'>): Queries {
  return {
    calendar: database.calendar,
    get parts() {
      return database.parts
    },
    rows: async (statement) => (await connection.run(statement, 'array')).rows as Row[],
    forEachRow: (statement, take) => connection.forEachRow(statement, take),
    query: async <T>(template: Template<T>) => (await connection.run(compileTemplate(template), 'object')).rows as T[],
  }
}

/** The connection of one transaction, with statements that are sent before earlier ones are answered. */
class UnansweredConnection implements Connection {
  readonly #connection: Connection
  readonly #sent: Promise<void>[] = []
  #failure: { error: unknown } | undefined
  #count = 0
  #hasEnded = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Number of statements that the transaction has sent so far. */
  get count(): number {
    return this.#count
  }

  run(statement: Statement, mode: RowMode): Promise<Answer> {
    return this.#follow(() => this.#connection.run(statement, mode))
  }
  forEachRow(statement: Statement, take: (row: SentRow) => void): Promise<void> {
    return this.#follow(() => this.#connection.forEachRow(statement, take))
  }
  script(sql: string): Promise<unknown[]> {
    return this.#follow(() => this.#connection.script(sql))
  }

  /** Sends a statement whose answer no code awaits. */
  send(statement: Statement, refusal: (error: unknown) => unknown): void {
    const answeredCall = this.run(statement, 'array').then(
      () => {},
      (error: unknown) => {
        this.#failure ??= { error: refusal(error) }
      },
    )
    this.#sent.push(answeredCall)
  }

  /** Makes the transaction refuse further statements, because its commit is sent next. */
  end(): void {
    this.#hasEnded = true
  }

  /**
   * Resolves when the database has answered every statement; throws the failure of one whose answer no code
   * awaited.
   */
  async answered(): Promise<void> {
    await Promise.all(this.#sent)
    if (this.#failure) throw this.#failure.error
  }

  /** Sends a statement. If an earlier statement caused its failure, the earlier failure is thrown. */
  async #follow<T>(send: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw new Error('The transaction has ended')
    this.#count += 1
    const earlierCount = this.#sent.length
    try {
      return await send()
    } catch (error) {
      await Promise.all(this.#sent.slice(0, earlierCount))
      throw this.#failure ? this.#failure.error : error
    }
  }
}

/** Types of listeners by subject; each subject of the domain extends this interface. */
export interface SubjectTypes {}

/** Options for opening a database. */
export interface DatabaseOptions {
  /**
   * Check of the folder's lock that runs before anything is written; it ends the process when another program
   * has taken over the data.
   */
  assertLockHeld?: () => void
  /** The calendar of the settings; the default calendar when absent. */
  calendar?: Calendar
  /** The parts of the engine, for everything that reads or writes records. */
  parts?: EngineParts
}

export class Database implements Queries {
  readonly kind: 'embedded' | 'server'
  /** The slow statements of this process. */
  readonly slowStatements: SlowStatements
  readonly rows: Queries['rows']
  readonly forEachRow: Queries['forEachRow']
  readonly query: Queries['query']
  readonly #driver: Driver
  readonly #assertHeld: () => void
  readonly #parts: EngineParts | undefined
  readonly #startCalendar: Calendar
  readonly #connection: Connection
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #changeListeners = new Set<(changes: Changes, origin: string | undefined) => void>()
  readonly #statementListeners = new Set<(sql: string) => void>()
  readonly #failureListeners = new Set<(error: unknown) => void>()
  readonly #subjectListeners = new Map<keyof SubjectTypes, Set<SubjectTypes[keyof SubjectTypes]>>()
  #calendar: Calendar
  #commits = 0
  #isStarting = false

  /**
   * Creates access to a database by its driver.
   *
   * @param driver - The driver of the database.
   * @param options - The options of opening it.
   */
  constructor(
    driver: Driver,
    { assertLockHeld: assertHeld = () => {}, calendar = calendarOf(), parts }: DatabaseOptions = {},
  ) {
    this.#driver = driver
    this.#assertHeld = assertHeld
    this.#startCalendar = calendar
    this.#calendar = calendar
    this.#parts = parts
    this.kind = driver.kind
    this.slowStatements = new SlowStatements(driver.kind === 'embedded')
    this.#connection = this.#observed(driver, true)
    const { rows, forEachRow, query } = createQueries(this.#connection, this)
    this.rows = rows
    this.forEachRow = forEachRow
    this.query = query
  }

  /** The parts of the engine. Throws when the database was opened without them. */
  get parts(): EngineParts {
    if (!this.#parts) throw new Error('The database was opened without the parts of the engine')
    return this.#parts
  }

  /** The present calendar. A transaction has that of its beginning until its end. */
  get calendar(): Calendar {
    return this.#calendar
  }

  /**
   * Sets the hours and the targets that owners have changed; the zone stays.
   *
   * @param change - The change of the calendar that the database was opened with.
   */
  setCalendar(change: CalendarChange): void {
    const calendar = changeCalendar(this.#startCalendar, change)
    // Other work recognises a calendar by the object.
    if (textOfCalendar(calendar) !== textOfCalendar(this.#calendar)) this.#calendar = calendar
  }

  /** Number of transactions committed since the start. */
  get commits(): number {
    return this.#commits
  }

  /**
   * Runs several statements in one text, outside of transactions.
   *
   * @returns The rows of all of them.
   */
  script(sql: string): Promise<unknown[]> {
    return this.#connection.script(sql)
  }

  /**
   * Runs work in one database transaction and returns after its commit. A throw rolls everything back and is
   * rethrown; work is never repeated. Statements of the work must use `trx`: others are refused, because on
   * the embedded database they would wait for their own transaction forever.
   *
   * @param work - The work.
   * @param last - Makes the answer from the result of the work with one statement, which is sent together
   *   with the commit. Its failure also rolls everything back.
   * @returns The answer of `last`, or the result of the work without `last`.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>
  transaction<T, A>(work: (trx: Transaction) => Promise<T>, last: MakeAnswer<T, A>): Promise<A>
  async transaction<T, A>(runTask: (trx: Transaction) => Promise<T>, makeAnswer?: MakeAnswer<T, A>): Promise<T | A> {
    this.#assertOutside()
    const changedSubjects = new Set<string>()
    const beforeCommitCalls: (() => Promise<void>)[] = []
    const afterCommitCalls: (() => void | Promise<void>)[] = []
    const commitKeys = new Set<string>()
    const result = await this.#driver.transaction((session) =>
      this.#inside.run(true, async () => {
        const connection = new UnansweredConnection(this.#observed(session, false))
        const queries = createQueries(connection, this)
        const workResult = await runTask(
          Object.assign(createQueries(connection, this), {
            database: this,
            send: (statement: Statement, refusal: (error: unknown) => unknown) => connection.send(statement, refusal),
            changed: (resource: string, changedContent = 'rows') => {
              changedSubjects.add(resource)
              if (changedContent === 'rows') changedSubjects.add(rowsOf(resource))
            },
            beforeCommit: (commitCallback: () => Promise<void>) => void beforeCommitCalls.push(commitCallback),
            afterCommit: (commitCallback: () => void | Promise<void>, key?: string) => {
              if (key !== undefined && commitKeys.has(key)) return
              if (key !== undefined) commitKeys.add(key)
              afterCommitCalls.push(commitCallback)
            },
          }),
        )
        // Work before the commit of a transaction runs after its answer, whose statement is not the last one
        // then.
        const earlyAnswer =
          makeAnswer && beforeCommitCalls.length > 0 ? { answer: await makeAnswer(workResult, queries) } : undefined
        for (const commitCall of beforeCommitCalls) await commitCall()
        this.#assertHeld()
        const { count } = connection
        const answer = earlyAnswer ? earlyAnswer.answer : makeAnswer ? makeAnswer(workResult, queries) : workResult
        // If all statements of the transaction have ended, an error of the answer must be known before the
        // commit is sent.
        if (connection.count === count) await answer
        connection.end()
        const result = Promise.all([answer, connection.answered()]).then(([value]) => value)
        return { result, changed: [...changedSubjects] }
      }),
    )
    this.#commits += 1
    if (changedSubjects.size > 0) this.#notify(changedSubjects, originOfRequest())
    for (const commitCall of afterCommitCalls) await this.#attempt(commitCall)
    return result
  }

  /** Runs work in its own session, for locks that live longer than a transaction. */
  session<T>(runTask: (connection: Connection) => Promise<T>): Promise<T> {
    this.#assertHeld()
    return this.#driver.session(runTask)
  }

  /**
   * Runs work of the program's start, before there are requests that a long statement would delay.
   *
   * @param runTask - The work. The time limit of the embedded database does not apply to its statements, and none of
   *   them is listed as a slow one.
   * @returns The result of the work.
   */
  async withoutTimeLimit<T>(runTask: () => Promise<T>): Promise<T> {
    this.#isStarting = true
    try {
      return await this.#driver.withoutTimeLimit(runTask)
    } finally {
      this.#isStarting = false
    }
  }

  /**
   * Subscribes to changes of resources, on this and on other instances.
   *
   * @param listener - Receives the changes, and the page whose request made them where this instance knows
   *   it.
   * @returns An unsubscribe function.
   */
  onChange(listener: (changes: Changes, origin: string | undefined) => void): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  /**
   * Subscribes to every error of work after a commit. Such an error never reaches the caller of the
   * transaction: the data are stored, and a caller who sees a failure would write them again.
   *
   * @param listener - Receives the error, usually for the log.
   * @returns An unsubscribe function.
   */
  onFailureAfterCommit(listener: (error: unknown) => void): () => void {
    this.#failureListeners.add(listener)
    return () => this.#failureListeners.delete(listener)
  }

  /**
   * Adds a listener of a subject.
   *
   * @param subject - The name of the subject.
   * @param listener - Called by the writes of the subject.
   * @returns An unsubscribe function.
   */
  on<K extends keyof SubjectTypes>(subject: K, listener: SubjectTypes[K]): () => void {
    const listeners = this.#subjectListeners.get(subject) ?? new Set()
    this.#subjectListeners.set(subject, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /**
   * Sets the only listener to a subject of database changes; that of another application on the same database
   * is replaced.
   *
   * @param subject - The name of the subject.
   * @param listener - Called by the writes of the subject.
   * @returns An unsubscribe function.
   */
  onAlone<K extends keyof SubjectTypes>(subject: K, listener: SubjectTypes[K]): () => void {
    this.#subjectListeners.set(subject, new Set())
    return this.on(subject, listener)
  }

  /** Returns the listeners of a subject, for the code that writes it. */
  listenersOf<K extends keyof SubjectTypes>(subject: K): readonly SubjectTypes[K][] {
    return [...(this.#subjectListeners.get(subject) ?? [])] as SubjectTypes[K][]
  }

  /**
   * Observes every statement except begin and commit, for tests that count them.
   *
   * @returns An unsubscribe function.
   */
  onStatement(listener: (sql: string) => void): () => void {
    this.#statementListeners.add(listener)
    return () => this.#statementListeners.delete(listener)
  }

  /** Starts to receive changes of other instances. */
  listen(): Promise<void> {
    return this.#driver.subscribe((changes) => this.#notify(changes))
  }

  /** Throws when the database does not answer. */
  async ping(): Promise<void> {
    await this.#driver.run({ sql: 'select 1', parameters: [] }, 'array')
  }

  /** Returns the use of the connections at this moment. */
  get load(): DatabaseLoad {
    return this.#driver.load()
  }

  /**
   * Makes a compressed copy of the embedded database.
   *
   * @param readBefore - Reads the database in the moment of the copy.
   * @returns The copy; undefined on a server, which has its own tools.
   */
  snapshot(readBefore?: (connection: Pick<Connection, 'script'>) => Promise<void>): Promise<Blob | undefined> {
    return this.#driver.snapshot(readBefore)
  }

  close(): Promise<void> {
    this.#assertHeld()
    return this.#driver.close()
  }

  #assertOutside(): void {
    if (this.#inside.getStore())
      throw new Error('A statement inside a transaction must be sent through the transaction')
  }

  #notify(changes: Changes, origin?: string): void {
    for (const listener of this.#changeListeners) {
      try {
        listener(changes, origin)
      } catch (error) {
        this.#reportFailure(error)
      }
    }
  }

  async #attempt(runTask: () => void | Promise<void>): Promise<void> {
    try {
      await runTask()
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  #reportFailure(error: unknown): void {
    for (const listener of this.#failureListeners) listener(error)
  }

  /**
   * Adds the statement hook, the zone, and the guard against statements outside an open transaction to a
   * connection.
   */
  #observed(connection: Connection, isGuarded: boolean): Connection {
    const note = (sql: string) => {
      if (isGuarded) this.#assertOutside()
      this.#assertHeld()
      for (const listener of this.#statementListeners) listener(sql)
    }
    return {
      run: async (statement, mode) => {
        note(statement.sql)
        return this.#measured(statement.sql, () => connection.run(setZone(statement, this.calendar), mode))
      },
      forEachRow: async (statement, take) => {
        note(statement.sql)
        return this.#measured(statement.sql, () => connection.forEachRow(setZone(statement, this.calendar), take))
      },
      script: async (sql) => {
        note(sql)
        return this.#measured(sql, () => connection.script(sql))
      },
    }
  }

  /** Runs a statement, lists it when it was slow, and emits its time and its error while metrics are on. */
  async #measured<T>(sql: string, runStatement: () => Promise<T>): Promise<T> {
    const startTime = performance.now()
    try {
      const answer = await runStatement()
      this.#noteEnd(sql, startTime)
      return answer
    } catch (error) {
      this.#noteEnd(sql, startTime, error)
      throw error
    }
  }

  #noteEnd(sql: string, startTime: number, error?: unknown): void {
    const endTime = performance.now()
    if (!this.#isStarting) this.slowStatements.note(sql, startTime, endTime, error)
    if (!isWatched('statement')) return
    emitSignal('statement', { sql, seconds: (endTime - startTime) / 1_000, ...(error !== undefined && { error }) })
  }
}

/**
 * Choice of the database to open: a PostgreSQL server, the embedded one in a data folder, or one in memory
 * for tests.
 */
export type DatabaseTarget =
  | { url: string }
  | { dataDir: string; limits?: Partial<ThreadLimits> }
  | { memory: true; image?: Blob }

/** Opens the driver of a database. */
export async function openDriver(target: DatabaseTarget): Promise<Driver> {
  // Only the library of the requested database driver is loaded.
  if ('url' in target) {
    const { openServer } = await import('./server.ts')
    return openServer(target.url)
  }
  const { openEmbedded } = await import('./embedded.ts')
  if ('dataDir' in target) return openEmbedded(join(target.dataDir, 'db'), target.limits && { limits: target.limits })
  return openEmbedded(undefined, { image: target.image })
}

/**
 * Opens a database without migrating it. The caller must have locked the data folder.
 *
 * @param target - The database.
 * @param options - The options of opening it.
 * @returns The database.
 */
export async function openDatabase(target: DatabaseTarget, options?: DatabaseOptions): Promise<Database> {
  return new Database(await openDriver(target), options)
}
