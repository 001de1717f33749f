/** PGlite itself: messages of PostgreSQL's protocol in, the bytes of its answers out. */
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { embeddedOptions } from './embedded-options.ts'

/** Where the embedded database computes: in the thread of its caller, or in a thread of its own. */
export interface Engine {
  /** How often the database was opened. Prepared statements and transactions end with the opening they belong to. */
  readonly opening: number
  /** Statements that may be sent before the first of them is answered. */
  readonly atOnce: number
  /**
   * Sends one message; answers come in the order of the messages.
   *
   * @param message - the bytes of one or several protocol messages that end with a sync
   * @param options - `limited` statements end after the time limit; `opening` refuses to run in another opening
   * @returns the bytes of the answer
   * @throws StatementTimeout when it took too long, NotBegun when the database was closed before it began
   */
  send(message: Uint8Array, options: SendOptions): Promise<Uint8Array>
  /** Whether its memory has grown so much that it should be opened again when nothing runs. */
  readonly isGrown: boolean
  /** Closes the database and opens it again with fresh memory; nothing may run meanwhile. */
  reopen(): Promise<void>
  /** Returns a compressed copy of the whole database. */
  copy(): Promise<Blob>
  close(): Promise<void>
}

export interface SendOptions {
  limited: boolean
  opening?: number | undefined
}

/** Opens PGlite with the settings of its session. In memory when there is no folder; `image` fills a new one. */
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
 * Runs one message.
 *
 * @returns the bytes of the answer, in a buffer of their own
 */
export async function runMessage(pglite: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  await pglite.execProtocolRawStream(message, {
    // The part is memory of the database, and is used again for the next one.
    onRawData: (part) => {
      parts.push(part.slice())
      length += part.length
    },
  })
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** The database in the thread of its caller, without a time limit: for tests and for commands that copy and restore. */
export function localEngine(pglite: PGlite): Engine {
  return {
    opening: 1,
    atOnce: 1,
    isGrown: false,
    reopen: () => Promise.resolve(),
    send: (message) => runMessage(pglite, message),
    copy: () => pglite.dumpDataDir('gzip'),
    close: async () => (pglite.closed ? undefined : pglite.close()),
  }
}

/** The bytes of the protocol's parts in one piece, in a buffer of their own: a pooled one would be copied whole. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
