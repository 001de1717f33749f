/** How the embedded database is started. The file loads nothing, so that who only compares options pays nothing. */

export interface EmbeddedOptions {
  /** Parameters of PostgreSQL's command line, after those of PGlite itself. */
  startParams: readonly string[]
  /** Statements for the one session that the database has. */
  session: string
}

export const embeddedOptions: EmbeddedOptions = {
  // What shared memory does not hold is read again from the cache of the system; PostgreSQL's own 128 MB would only
  // double that cache.
  startParams: ['-c', 'shared_buffers=32MB', '-c', 'wal_buffers=1MB'],
  session: `set time zone 'UTC'; set datestyle to 'ISO'; set jit = off`,
}
