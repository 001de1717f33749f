/** The narrow interface of both kinds of database, on which everything else in `db/` is built. */

import type { SentRow } from './sent-row.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Whether the parameters of the statement decide its plan, so that a cached plan would be a bad one. */
  mustReplan?: boolean
  /**
   * Whether the text of the statement recurs: rows read as objects are prepared too, as rows read as lists
   * always are.
   */
  isRecurring?: boolean
}

export interface Answer {
  rows: unknown[]
  /** Number of written rows; undefined for reads. */
  affectedCount: number | undefined
}

/** Form of returned rows: lists or objects of values. */
export type RowMode = 'array' | 'object'

/** The receiver of statements: the pool, or the session of one transaction. */
export interface Connection {
  run(statement: Statement, mode: RowMode): Promise<Answer>
  /** Runs one read and gives each row to `take` as it was sent; its bytes are reused after `take` returns. */
  forEachRow(statement: Statement, take: (row: SentRow) => void): Promise<void>
  /**
   * Runs several statements in one text, without parameters: migrations.
   *
   * @returns The rows of all of them.
   */
  script(sql: string): Promise<unknown[]>
}

/**
 * Error of a transaction that ended in a rollback although nothing threw: an earlier error in it was
 * swallowed.
 */
export class RolledBackError extends Error {
  override name = 'RolledBackError'
}

/** The outcome of the work in a database transaction. */
export interface TransactionOutcome<T> {
  /**
   * Result of the transaction's work. A promise waits for the last statements: the commit is sent with them,
   * and fails when they fail.
   */
  result: T | Promise<T>
  /** Names of changed resources that are sent to the other programs on the database after the commit. */
  changed: readonly string[]
}

/** The use of a database's connections; the embedded database has a turn for a statement instead of each. */
export interface DatabaseLoad {
  used: number
  idle: number
  /** Number of statements and transactions that wait for a connection or a turn. */
  waiting: number
  limit: number
}

export interface Driver extends Connection {
  readonly kind: 'embedded' | 'server'
  /** Runs work in one transaction; a throw rolls it back. Throws when the commit itself fails. */
  transaction<T>(runTask: (connection: Connection) => Promise<TransactionOutcome<T>>): Promise<T>
  /** Runs work in its own session, outside a transaction. */
  session<T>(runTask: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Runs work whose statements have no time limit in the embedded database, which computes on this machine. A
   * server keeps its limit.
   *
   * @param runTask - The work; nothing else may run meanwhile.
   * @returns The result of the work.
   */
  withoutTimeLimit<T>(runTask: () => Promise<T>): Promise<T>
  /** Subscribes to changes that other instances announce; `'all'` when messages may have been missed. */
  subscribe(listener: (names: ReadonlySet<string> | 'all') => void): Promise<void>
  /**
   * Makes a compressed copy of the whole database; only for the embedded one.
   *
   * @param readBefore - Reads the database in the same moment.
   */
  snapshot(readBefore?: (connection: Pick<Connection, 'script'>) => Promise<void>): Promise<Blob | undefined>
  /** Returns the use of the connections at this moment. */
  load(): DatabaseLoad
  close(): Promise<void>
}
