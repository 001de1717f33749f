/** Failures of the embedded database without an answer; their codes are those of a PostgreSQL server. */

/** The statement exceeded the time limit and was ended with the database; committed data are stored. */
export class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = '57014'
  constructor() {
    super('The statement took too long')
  }
}

/** The database was closed during a statement or a transaction; it is reopened for the next one. */
export class DatabaseLost extends Error {
  override name = 'DatabaseLost'
  readonly code = '57P01'
  constructor(cause?: unknown) {
    super('The embedded database was closed and is opened again', { cause })
  }
}

/** The database was closed before this statement began: it can be sent again. */
export class NotBegun extends DatabaseLost {
  override name = 'NotBegun'
}
