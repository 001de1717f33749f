/** The one way to the database: statements, transactions with their after-commit work, and news of what changed. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { type Calendar, calendarOf, withZone } from './calendar.ts'
import { compile, type Template } from './sql.ts'
import type { Answer, Connection, Driver, RowMode, Statement } from './driver.ts'
import type { ThreadLimits } from './embedded-thread.ts'
import { originOfWork } from './origin.ts'
import type { SentRow } from './sent-row.ts'

/**
 * Names of the resources that changed, and with `rowsOf` those that rows were added to or taken from; `'all'` when
 * changes may have been missed.
 */
export type Changes = ReadonlySet<string> | 'all'

/** How a change says that a resource has more or fewer rows than before. */
export const rowsOf = (resource: string): string => `${resource}+`

type Row = readonly unknown[]

/** The parts of the engine above that a database carries; the engine adds each of them to this interface. */
export interface EngineParts {}

/** What can be asked of the database, inside a transaction and outside. */
export interface Queries {
  /** The parts of the engine. Throws for a database that was opened without them. */
  readonly parts: EngineParts
  /** The calendar of the database: the zone of `zoneSql`, and the working hours. */
  readonly calendar: Calendar
  /** Runs one statement. Out: rows as arrays of columns. Texts that come again are prepared once per connection. */
  rows: (statement: Statement) => Promise<Row[]>
  /** Runs one read and gives each row to `take` as PostgreSQL sent it, for who only passes it on. */
  each: (statement: Statement, take: (row: SentRow) => void) => Promise<void>
  /** Runs a template and gives its rows as objects. */
  query: <T>(template: Template<T>) => Promise<T[]>
}

/** One transaction: everything sent through it commits together or not at all. */
export interface Transaction extends Queries {
  /** What it is a transaction of. */
  readonly database: Database
  /**
   * Notes that a resource changes; listeners hear of it after the commit, on every instance.
   *
   * @param resource Its name.
   * @param what `values` when no row is added and none taken away.
   */
  changed(resource: string, what?: 'rows' | 'values'): void
  /**
   * Lets a statement leave without waiting for its answer. Its failure is thrown by the next statement that fails
   * because of it, at the latest by the transaction, which is rolled back.
   *
   * @param statement The statement, usually the last one that writes.
   * @param refusal Makes the error that is thrown from the error of the database.
   */
  send(statement: Statement, refusal: (error: unknown) => unknown): void
  /** Runs at the end of the work, still within the transaction, in the order given: what all of it has come to. */
  beforeCommit(work: () => Promise<void>): void
  /**
   * Runs after the commit, in the order given; never when the transaction is rolled back. A throw of it is reported to
   * `onFailureAfterCommit`, and the rest runs all the same.
   */
  afterCommit(work: () => void | Promise<void>): void
}

/** Makes the answer of a transaction from what its work has come to, with one statement. */
type Last<T, A> = (result: T, queries: Queries) => Promise<A>

function queriesOn(connection: Connection, database: Pick<Queries, 'calendar' | 'parts'>): Queries {
  return {
    calendar: database.calendar,
    get parts() {
      return database.parts
    },
    rows: async (statement) => (await connection.run(statement, 'array')).rows as Row[],
    each: (statement, take) => connection.each(statement, take),
    query: async <T>(template: Template<T>) => (await connection.run(compile(template), 'object')).rows as T[],
  }
}

/** The connection of one transaction, with statements that leave before earlier ones are answered. */
class Unanswered implements Connection {
  readonly #connection: Connection
  readonly #sent: Promise<void>[] = []
  #failure: { error: unknown } | undefined
  #count = 0
  #hasEnded = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Statements sent so far. */
  get count(): number {
    return this.#count
  }

  run(statement: Statement, mode: RowMode): Promise<Answer> {
    return this.#follow(() => this.#connection.run(statement, mode))
  }
  each(statement: Statement, take: (row: SentRow) => void): Promise<void> {
    return this.#follow(() => this.#connection.each(statement, take))
  }
  script(sql: string): Promise<unknown[]> {
    return this.#follow(() => this.#connection.script(sql))
  }

  /** Sends a statement whose answer nobody waits for. */
  send(statement: Statement, refusal: (error: unknown) => unknown): void {
    const answered = this.run(statement, 'array').then(
      () => {},
      (error: unknown) => {
        this.#failure ??= { error: refusal(error) }
      },
    )
    this.#sent.push(answered)
  }

  /** Takes no more statements: the commit is sent next. */
  end(): void {
    this.#hasEnded = true
  }

  /** Resolves when every statement is answered; throws the failure of one that nobody has waited for. */
  async answered(): Promise<void> {
    await Promise.all(this.#sent)
    if (this.#failure) throw this.#failure.error
  }

  /** Sends a statement. A failure before it made it fail as well, and is the one to be thrown. */
  async #follow<T>(send: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw new Error('The transaction has ended')
    this.#count += 1
    const earlier = this.#sent.length
    try {
      return await send()
    } catch (error) {
      await Promise.all(this.#sent.slice(0, earlier))
      throw this.#failure ? this.#failure.error : error
    }
  }
}

/** Listeners of a subject, by its name; each subject of the domain adds its own to this interface. */
export interface Subjects {}

/** What a database is opened with. */
export interface DatabaseOptions {
  /** Runs before anything is written; it does not return when the data are another program's now. */
  assertHeld?: () => void
  /** The calendar of the settings; that of a server without settings when absent. */
  calendar?: Calendar
  /** The parts of the engine, for everything that reads or writes records. */
  parts?: EngineParts
}

export class Database implements Queries {
  readonly calendar: Calendar
  readonly kind: 'embedded' | 'server'
  readonly rows: Queries['rows']
  readonly each: Queries['each']
  readonly query: Queries['query']
  readonly #driver: Driver
  readonly #assertHeld: () => void
  readonly #parts: EngineParts | undefined
  readonly #connection: Connection
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #changeListeners = new Set<(changes: Changes, origin: string | undefined) => void>()
  readonly #statementListeners = new Set<(sql: string) => void>()
  readonly #failureListeners = new Set<(error: unknown) => void>()
  readonly #subjectListeners = new Map<keyof Subjects, Set<Subjects[keyof Subjects]>>()
  #commits = 0

  /**
   * @param driver The way to the statements.
   * @param options What it is opened with.
   */
  constructor(driver: Driver, { assertHeld = () => {}, calendar = calendarOf(), parts }: DatabaseOptions = {}) {
    this.#driver = driver
    this.#assertHeld = assertHeld
    this.calendar = calendar
    this.#parts = parts
    this.kind = driver.kind
    this.#connection = this.#observed(driver, true)
    const { rows, each, query } = queriesOn(this.#connection, this)
    this.rows = rows
    this.each = each
    this.query = query
  }

  /** The parts of the engine. Throws when the database was opened without them. */
  get parts(): EngineParts {
    if (!this.#parts) throw new Error('The database was opened without the parts of the engine')
    return this.#parts
  }

  /** Transactions committed since the start. */
  get commits(): number {
    return this.#commits
  }

  /** Runs several statements in one text, outside any transaction of ours. Out: the rows of all of them. */
  script(sql: string): Promise<unknown[]> {
    return this.#connection.script(sql)
  }

  /**
   * Runs work in one transaction and answers after its commit. A throw rolls everything back and is passed on; work
   * is never repeated. Statements of the work go through `trx`: one sent past it is refused, because on the embedded
   * database it would wait for its own transaction for ever.
   *
   * @param work What runs inside.
   * @param last Makes the answer from what the work has come to, with one statement, which leaves together with the
   *   commit; its failure rolls everything back as well.
   * @returns The answer of `last`, or of the work where there is no `last`.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>
  transaction<T, A>(work: (trx: Transaction) => Promise<T>, last: Last<T, A>): Promise<A>
  async transaction<T, A>(work: (trx: Transaction) => Promise<T>, last?: Last<T, A>): Promise<T | A> {
    this.#assertOutside()
    const changed = new Set<string>()
    const before: (() => Promise<void>)[] = []
    const after: (() => void | Promise<void>)[] = []
    const result = await this.#driver.transaction((session) =>
      this.#inside.run(true, async () => {
        const connection = new Unanswered(this.#observed(session, false))
        const queries = queriesOn(connection, this)
        const done = await work(
          Object.assign(queriesOn(connection, this), {
            database: this,
            send: (statement: Statement, refusal: (error: unknown) => unknown) => connection.send(statement, refusal),
            changed: (resource: string, what = 'rows') => {
              changed.add(resource)
              if (what === 'rows') changed.add(rowsOf(resource))
            },
            beforeCommit: (then: () => Promise<void>) => void before.push(then),
            afterCommit: (then: () => void | Promise<void>) => void after.push(then),
          }),
        )
        // Work before the commit comes after the answer, which is no last statement then.
        const early = last && before.length > 0 ? { answer: await last(done, queries) } : undefined
        for (const then of before) await then()
        this.#assertHeld()
        const { count } = connection
        const answer = early ? early.answer : last ? last(done, queries) : done
        // Without a statement under way, an error must be known before the commit is sent.
        if (connection.count === count) await answer
        connection.end()
        const result = Promise.all([answer, connection.answered()]).then(([value]) => value)
        return { result, changed: [...changed] }
      }),
    )
    this.#commits += 1
    if (changed.size > 0) this.#tell(changed, originOfWork())
    for (const then of after) await this.#attempt(then)
    return result
  }

  /** Runs work on one session of its own, for locks that live longer than a transaction. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#assertHeld()
    return this.#driver.session(work)
  }

  /**
   * Does the work of a start, before there is a request that a long statement would hold up.
   *
   * @param work - work whose statements may take their time in the embedded database, on a busy machine too
   * @returns what the work returns
   */
  withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
    return this.#driver.withoutTimeLimit(work)
  }

  /**
   * Receives the resources that changed, here and on other instances.
   *
   * @param listener - Receives the changes, and the page that asked for them where it is known on this instance.
   * @returns A function that ends it.
   */
  onChange(listener: (changes: Changes, origin: string | undefined) => void): () => void {
    this.#changeListeners.add(listener)
    return () => this.#changeListeners.delete(listener)
  }

  /**
   * Calls the listener with every error of work after a commit. Such an error never reaches the caller of the
   * transaction: what it wrote is stored, and a caller who hears of a failure would write it once more.
   *
   * @param listener Receives the error, usually for the log.
   * @returns A function that ends it.
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
   * @returns A function that removes it.
   */
  on<K extends keyof Subjects>(subject: K, listener: Subjects[K]): () => void {
    const listeners = this.#subjectListeners.get(subject) ?? new Set()
    this.#subjectListeners.set(subject, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /**
   * Makes a listener the only one of a subject: another application on the same database takes its place.
   *
   * @param subject - The name of the subject.
   * @param listener - Called by the writes of the subject.
   * @returns A function that removes it.
   */
  onAlone<K extends keyof Subjects>(subject: K, listener: Subjects[K]): () => void {
    this.#subjectListeners.set(subject, new Set())
    return this.on(subject, listener)
  }

  /** The listeners of a subject, for the writes of it. */
  listenersOf<K extends keyof Subjects>(subject: K): readonly Subjects[K][] {
    return [...(this.#subjectListeners.get(subject) ?? [])] as Subjects[K][]
  }

  /** Sees every statement but begin and commit, for tests that count them. Out: a function that ends it. */
  onStatement(listener: (sql: string) => void): () => void {
    this.#statementListeners.add(listener)
    return () => this.#statementListeners.delete(listener)
  }

  /** Starts to hear other instances. */
  listen(): Promise<void> {
    return this.#driver.subscribe((changes) => this.#tell(changes))
  }

  /** Throws when the database does not answer. */
  async ping(): Promise<void> {
    await this.#driver.run({ sql: 'select 1', parameters: [] }, 'array')
  }

  /** A compressed copy of the embedded database; undefined on a server, which has its own tools. */
  snapshot(): Promise<Blob | undefined> {
    return this.#driver.snapshot()
  }

  close(): Promise<void> {
    this.#assertHeld()
    return this.#driver.close()
  }

  #assertOutside(): void {
    if (this.#inside.getStore())
      throw new Error('A statement inside a transaction must be sent through the transaction')
  }

  #tell(changes: Changes, origin?: string): void {
    for (const listener of this.#changeListeners) {
      try {
        listener(changes, origin)
      } catch (error) {
        this.#reportFailure(error)
      }
    }
  }

  async #attempt(work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  #reportFailure(error: unknown): void {
    for (const listener of this.#failureListeners) listener(error)
  }

  /** The connection with the statement hook, the zone, and the guard against statements past an open transaction. */
  #observed(connection: Connection, guarded: boolean): Connection {
    const note = (sql: string) => {
      if (guarded) this.#assertOutside()
      this.#assertHeld()
      for (const listener of this.#statementListeners) listener(sql)
    }
    return {
      run: async (statement, mode) => {
        note(statement.sql)
        return connection.run(withZone(statement, this.calendar), mode)
      },
      each: async (statement, take) => {
        note(statement.sql)
        return connection.each(withZone(statement, this.calendar), take)
      },
      script: async (sql) => {
        note(sql)
        return connection.script(sql)
      },
    }
  }
}

/** Which database to open: a PostgreSQL server, the embedded one in a data folder, or one in memory for tests. */
export type DatabaseTarget =
  | { url: string }
  | { dataDir: string; limits?: Partial<ThreadLimits> }
  | { memory: true; image?: Blob }

/** Opens the way to the statements of a database. */
export async function openDriver(target: DatabaseTarget): Promise<Driver> {
  // Only what is needed is loaded: the library of the one or the other.
  if ('url' in target) {
    const { openServer } = await import('./server.ts')
    return openServer(target.url)
  }
  const { openEmbedded } = await import('./embedded.ts')
  if ('dataDir' in target) return openEmbedded(join(target.dataDir, 'db'), target.limits && { limits: target.limits })
  return openEmbedded(undefined, { image: target.image })
}

/**
 * Opens a database. It is not migrated yet, and the data folder must be locked by the caller.
 *
 * @param target - Which database it is.
 * @param options - What it is opened with.
 * @returns The database.
 */
export async function openDatabase(target: DatabaseTarget, options?: DatabaseOptions): Promise<Database> {
  return new Database(await openDriver(target), options)
}
