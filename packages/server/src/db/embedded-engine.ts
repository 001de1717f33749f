/** PGlite itself: converts messages of PostgreSQL's protocol to the bytes of its answers. */
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { embeddedOptions } from './embedded-options.ts'

/** The embedded database, which computes in the thread of its caller or in its own thread. */
export interface Engine {
  /** Number of the database's opening, with which its prepared statements and transactions end. */
  readonly openingNumber: number
  /** The number of statements that may be sent to the database before the first of them is answered. */
  readonly maxConcurrentStatements: number
  /**
   * Sends one protocol message to the database; answers arrive in the order of the messages.
   *
   * @param message - The bytes of one or several protocol messages that end with a sync.
   * @param options - `isLimited` statements end after the time
   *   limit; `openingNumber` refuses to run in another opening.
   * @returns The bytes of the answer.
   * @throws StatementTimeout when it took too long, NotBegun when the database was closed before it began.
   */
  send(message: Uint8Array, options: SendOptions): Promise<Uint8Array>
  /** Whether the database's memory has grown so much that the database should be reopened. */
  readonly isGrown: boolean
  /** Closes the database and reopens it with fresh memory; nothing may run meanwhile. */
  reopenDatabase(): Promise<void>
  /** Returns an archive of the whole database, which is not compressed. */
  copy(): Promise<ArrayBuffer>
  close(): Promise<void>
}

export interface SendOptions {
  isLimited: boolean
  openingNumber?: number | undefined
}

/** Opens PGlite with its session settings, in memory without a folder; `image` fills a new database. */
export async function openPglite(folder: string | undefined, image?: Blob): Promise<PGlite> {
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(image && { loadDataDir: image }),
    extensions: { pg_trgm },
    startParams: [...PGlite.defaultStartParams, ...embeddedOptions.startParams],
  })
  await pglite.exec(embeddedOptions.session)
  return pglite
}

/**
 * Sends one protocol message to the embedded database.
 *
 * @returns The bytes of the answer, in a buffer of their own.
 */
export async function runMessage(pglite: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  await pglite.execProtocolRawStream(message, {
    // The received bytes are memory of the database, which is reused for the next message.
    onRawData: (rawChunk) => {
      chunks.push(rawChunk.slice())
      length += rawChunk.length
    },
  })
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const rawChunk of chunks) {
    bytes.set(rawChunk, offset)
    offset += rawChunk.length
  }
  return bytes
}

/**
 * The database in the thread of its caller, without a time limit: for tests and for commands that copy and
 * restore.
 */
export function localEngine(pglite: PGlite): Engine {
  return {
    openingNumber: 1,
    maxConcurrentStatements: 1,
    isGrown: false,
    reopenDatabase: () => Promise.resolve(),
    send: (message) => runMessage(pglite, message),
    copy: async () => (await pglite.dumpDataDir('none')).arrayBuffer(),
    close: async () => (pglite.closed ? undefined : pglite.close()),
  }
}

/** Joins protocol messages into one buffer that is not pooled: a pooled one would be copied whole. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, rawChunk) => length + rawChunk.length, 0))
  let offset = 0
  for (const rawChunk of chunks) {
    bytes.set(rawChunk, offset)
    offset += rawChunk.length
  }
  return bytes
}
