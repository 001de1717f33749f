/** How a statement of the embedded database can fail without an answer; the codes are those of a PostgreSQL server. */

/** The statement ran longer than the time limit, and was ended with the database; what was committed is stored. */
export class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly code = '57014'
  constructor() {
    super('The statement took too long')
  }
}

/** The database was closed under a statement or a transaction; it is opened again for the next one. */
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
