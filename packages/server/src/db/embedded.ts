/** The database in this process: PGlite, in a folder or in memory. */
import { mkdirSync } from 'node:fs'
import { setImmediate as immediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Connection, Driver } from './driver.ts'
import { EmbeddedWire } from './embedded-wire.ts'
import { decoders } from './values.ts'

const unzip = promisify(gunzip)

/** A snapshot without its compression: PGlite's own unpacking of a torn one ends the process. */
async function unpack(image: Blob): Promise<Blob> {
  return new Blob([await unzip(await image.arrayBuffer())], { type: 'application/x-tar' })
}

/** How long statements may follow one another, in milliseconds, before sockets and timers get their turn. */
const longestRun = 10

/**
 * Lets one piece of work in at a time, in the order in which they came.
 *
 * The database computes in this thread and waits for nothing: a queue of statements would otherwise be worked off
 * before the answer of the first one leaves the house.
 */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let turn = performance.now()
  const pause = async () => {
    if (performance.now() - turn < longestRun) return
    await immediate()
    turn = performance.now()
  }
  return (work) => {
    const done = last.then(work, work)
    last = done.then(pause, pause)
    return done
  }
}

/**
 * Opens the embedded database; the folder must be locked before (architecture.md, decision 4).
 * In: the folder, or undefined for one in memory; `image` fills a new one from a snapshot.
 */
export async function openEmbedded(folder: string | undefined, image?: Blob): Promise<Driver> {
  const packed = image && (await unpack(image))
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(packed && { loadDataDir: packed }),
    parsers: { ...decoders },
    extensions: { pg_trgm },
  })
  const wire = new EmbeddedWire(pglite)
  await wire.script(`set time zone 'UTC'; set datestyle to 'ISO'; set jit = off`)
  const alone = oneAtATime()
  const connection: Connection = {
    run: (statement, mode) => alone(() => wire.run(statement, mode)),
    script: (sql) =>
      alone(async () => {
        try {
          return await wire.script(sql)
        } catch (error) {
          // A text that opens a transaction and fails in it would leave it open for whoever comes next.
          await wire.script('rollback')
          throw error
        }
      }),
  }

  async function inTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    let open = true
    // A statement that comes after the end would run beside all transactions.
    const inside = <R>(send: () => Promise<R>) =>
      open ? send() : Promise.reject(new Error('The transaction has ended'))
    await wire.script('begin')
    try {
      const result = await work({
        run: (statement, mode) => inside(() => wire.run(statement, mode)),
        script: (sql) => inside(() => wire.script(sql)),
      })
      open = false
      await wire.commit()
      return result
    } catch (error) {
      open = false
      await wire.script('rollback')
      throw error
    }
  }

  return {
    kind: 'embedded',
    ...connection,
    transaction: (work) => alone(() => inTransaction(work)),
    session: (work) => work(connection),
    publish: () => Promise.resolve(),
    subscribe: () => Promise.resolve(),
    snapshot: () =>
      alone(async () => {
        await wire.script('checkpoint')
        return pglite.dumpDataDir('gzip')
      }),
    close: () => alone(async () => (pglite.closed ? undefined : pglite.close())),
  }
}
