/**
 * The start options of the embedded database. The file
 * imports nothing, so that comparing options loads no engine.
 */

export interface EmbeddedOptions {
  /** Parameters of PostgreSQL's command line, after those of PGlite itself. */
  startParams: readonly string[]
  /** Statements for the only session of the database. */
  session: string
}

export const embeddedOptions: EmbeddedOptions = {
  // Pages outside shared memory are read from the cache of the system, which PostgreSQL's own 128 MB would
  // only duplicate.
  startParams: ['-c', 'shared_buffers=32MB', '-c', 'wal_buffers=1MB'],
  session: `set time zone 'UTC'; set datestyle to 'ISO'; set jit = off`,
}
