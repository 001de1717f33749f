/** The one way to the database: statements, transactions with their after-commit work, and news of what changed. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import { compile } from './compiler.ts'
import type { Connection, Driver, Statement } from './driver.ts'
import { openEmbedded } from './embedded.ts'
import type { ThreadLimits } from './embedded-thread.ts'
import { openServer } from './server.ts'

export { compiler } from './compiler.ts'

/** Names of the resources that changed; `'all'` when changes may have been missed. */
export type Changes = ReadonlySet<string> | 'all'

type Row = readonly unknown[]
type TextRow = readonly (string | null)[]

/** What can be asked of the database, inside a transaction and outside. */
export interface Queries {
  /** Runs one statement. Out: rows as arrays of columns. Texts that come again are prepared once per connection. */
  rows: (statement: Statement) => Promise<Row[]>
  /** The same with every value as the text that PostgreSQL sent, for who only passes it on. */
  texts: (statement: Statement) => Promise<TextRow[]>
  /** Runs a template of Kysely's `sql`. Out: rows as objects. */
  query: <T>(template: RawBuilder<T>) => Promise<T[]>
}

/** One transaction: everything sent through it commits together or not at all. */
export interface Transaction extends Queries {
  /** What it is a transaction of. */
  readonly database: Database
  /** Notes that rows of a resource change; listeners hear of it after the commit, on every instance. */
  changed(resource: string): void
  /** Runs at the end of the work, still within the transaction, in the order given: what all of it has come to. */
  beforeCommit(work: () => Promise<void>): void
  /**
   * Runs after the commit, in the order given; never when the transaction is rolled back. A throw of it is reported to
   * `onFailureAfterCommit`, and the rest runs all the same.
   */
  afterCommit(work: () => void | Promise<void>): void
}

function queriesOn(connection: Connection): Queries {
  return {
    rows: async (statement) => (await connection.run(statement, 'array')).rows as Row[],
    texts: async (statement) => (await connection.run(statement, 'text')).rows as TextRow[],
    query: async <T>(template: RawBuilder<T>) => (await connection.run(compile(template), 'object')).rows as T[],
  }
}

export class Database implements Queries {
  readonly kind: 'embedded' | 'server'
  readonly rows: Queries['rows']
  readonly texts: Queries['texts']
  readonly query: Queries['query']
  readonly #driver: Driver
  readonly #assertHeld: () => void
  readonly #connection: Connection
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #changeListeners = new Set<(changes: Changes) => void>()
  readonly #statementListeners = new Set<(sql: string) => void>()
  readonly #failureListeners = new Set<(error: unknown) => void>()
  #commits = 0

  /**
   * @param driver The way to the statements.
   * @param assertHeld Runs before anything is written; it does not return when the data are another program's now.
   */
  constructor(driver: Driver, assertHeld: () => void = () => {}) {
    this.#driver = driver
    this.#assertHeld = assertHeld
    this.kind = driver.kind
    this.#connection = this.#observed(driver, true)
    const { rows, texts, query } = queriesOn(this.#connection)
    this.rows = rows
    this.texts = texts
    this.query = query
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
   */
  async transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    this.#assertOutside()
    const changed = new Set<string>()
    const before: (() => Promise<void>)[] = []
    const after: (() => void | Promise<void>)[] = []
    const result = await this.#driver.transaction((session) =>
      this.#inside.run(true, async () => {
        const connection = this.#observed(session, false)
        const done = await work({
          ...queriesOn(connection),
          database: this,
          changed: (resource) => changed.add(resource),
          beforeCommit: (then) => before.push(then),
          afterCommit: (then) => after.push(then),
        })
        for (const then of before) await then()
        if (changed.size > 0) await this.#driver.publish(session, [...changed])
        this.#assertHeld()
        return done
      }),
    )
    this.#commits += 1
    if (changed.size > 0) this.#tell(changed)
    for (const then of after) await this.#attempt(then)
    return result
  }

  /** Runs work on one session of its own, for locks that live longer than a transaction. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#assertHeld()
    return this.#driver.session(work)
  }

  /** Hears which resources changed, here and on other instances. Out: a function that ends it. */
  onChange(listener: (changes: Changes) => void): () => void {
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

  #tell(changes: Changes): void {
    for (const listener of this.#changeListeners) {
      try {
        listener(changes)
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

  /** The connection with the statement hook, and the guard against statements past an open transaction. */
  #observed(connection: Connection, guarded: boolean): Connection {
    const note = (sql: string) => {
      if (guarded) this.#assertOutside()
      this.#assertHeld()
      for (const listener of this.#statementListeners) listener(sql)
    }
    return {
      run: async (statement, mode) => {
        note(statement.sql)
        return connection.run(statement, mode)
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
  | { dataDir: string; assertHeld?: () => void; limits?: Partial<ThreadLimits> }
  | { memory: true; image?: Blob }

/** Opens a database. It is not migrated yet, and the data folder must be locked by the caller. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  if ('url' in target) return new Database(await openServer(target.url))
  if ('dataDir' in target) {
    const { dataDir, assertHeld, limits } = target
    return new Database(await openEmbedded(join(dataDir, 'db'), limits && { limits }), assertHeld)
  }
  return new Database(await openEmbedded(undefined, { image: target.image }))
}
