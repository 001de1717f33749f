/** What the two kinds of database have in common: the narrow interface everything else in `db/` is built on. */

import type { SentRow } from './sent-row.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Its parameters decide how to go about it: a plan that is kept for others would be a bad one. */
  replan?: boolean
  /** Its text comes again and again: rows read as objects are prepared too, as rows read as lists always are. */
  recurs?: boolean
}

export interface Answer {
  rows: unknown[]
  /** Rows that were written; undefined for reads. */
  affected: number | undefined
}

/** Rows as lists or objects of values. */
export type RowMode = 'array' | 'object'

/** One place statements can be sent to: the pool, or the session of one transaction. */
export interface Connection {
  run(statement: Statement, mode: RowMode): Promise<Answer>
  /** Runs one read and gives each of its rows to `take` as it was sent; its bytes are others after the return. */
  each(statement: Statement, take: (row: SentRow) => void): Promise<void>
  /** Several statements in one text, without parameters: migrations. Out: the rows of all of them. */
  script(sql: string): Promise<unknown[]>
}

/** The transaction ended in a rollback although nothing threw: an earlier error in it was swallowed. */
export class RolledBackError extends Error {
  override name = 'RolledBackError'
}

/** What the work of a transaction has come to. */
export interface Ended<T> {
  /** What it answers. A promise waits for its last statements: the commit leaves with them, and fails when they fail. */
  result: T | Promise<T>
  /** Names that the other programs on this database hear once it is committed. */
  changed: readonly string[]
}

export interface Driver extends Connection {
  readonly kind: 'embedded' | 'server'
  /** Runs work in one transaction; a throw rolls it back. Throws when the commit itself fails. */
  transaction<T>(work: (connection: Connection) => Promise<Ended<T>>): Promise<T>
  /** Runs work on one session of its own, outside a transaction. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Does work whose statements have no time limit in the embedded database, which computes on this machine. A server
   * keeps its limit.
   *
   * @param work - work that nothing else is done beside
   * @returns what the work returns
   */
  withoutTimeLimit<T>(work: () => Promise<T>): Promise<T>
  /** Hears the others; `'all'` when messages may have been missed. */
  subscribe(listener: (names: ReadonlySet<string> | 'all') => void): Promise<void>
  /** A copy of the whole database, compressed; only where the program itself keeps it. */
  snapshot(): Promise<Blob | undefined>
  close(): Promise<void>
}
