/** Failures of the embedded database without an answer; their codes are those of a PostgreSQL server. */

/**
 * Error of a statement that exceeded the time limit and was ended with the database; committed data are
 * stored.
 */
export class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = '57014'
  constructor() {
    super('The statement took too long')
  }
}

/**
 * Error of a statement or a transaction during which the database was closed; it is reopened for the next
 * one.
 */
export class DatabaseLost extends Error {
  override name = 'DatabaseLost'
  readonly code = '57P01'
  constructor(cause?: unknown) {
    super('The embedded database was closed and is opened again', { cause })
  }
}

/** Error of a statement that would have to open the database on a full disk. */
export class NoSpaceError extends Error {
  override name = 'NoSpace'
  readonly code = 'ENOSPC'
  constructor() {
    super('The disk has no space left to open the embedded database')
  }
}

/** Error of a statement before whose beginning the database was closed: it can be sent again. */
export class NotBegunError extends DatabaseLost {
  override name = 'NotBegun'
}
