/**
 * The start options of the embedded database. The file
 * imports nothing, so that comparing options loads no engine.
 */

export interface EmbeddedOptions {
  /** Command-line parameters of PostgreSQL, after those of PGlite itself. */
  startParams: readonly string[]
  /** Statements that set up the only session of the database. */
  session: string
}

export const embeddedOptions: EmbeddedOptions = {
  // The system's cache holds pages outside shared memory; PostgreSQL's usual 128 MB would duplicate it.
  startParams: ['-c', 'shared_buffers=32MB', '-c', 'wal_buffers=1MB'],
  session: `set time zone 'UTC'; set datestyle to 'ISO'; set jit = off`,
}
