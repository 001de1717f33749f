/** The database in this process: PGlite, in a folder or in memory. */
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { PGlite, type Transaction as PGliteTransaction } from '@electric-sql/pglite'
import { decoders, encode } from './values.ts'
import type { Answer, Connection, Driver, RowMode, Statement } from './driver.ts'

const unzip = promisify(gunzip)

/** A snapshot without its compression: PGlite's own unpacking of a torn one ends the process. */
async function unpack(image: Blob): Promise<Blob> {
  return new Blob([await unzip(await image.arrayBuffer())], { type: 'application/x-tar' })
}

type Runner = Pick<PGlite | PGliteTransaction, 'query' | 'exec'>

async function runOn(runner: Runner, { sql, parameters }: Statement, mode: RowMode): Promise<Answer> {
  const { rows, affectedRows } = await runner.query(sql, parameters.map(encode), { rowMode: mode })
  return { rows, affected: affectedRows }
}

const connectionOn = (runner: Runner): Connection => ({
  run: (statement, mode) => runOn(runner, statement, mode),
  script: async (sql) => {
    await runner.exec(sql)
  },
})

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
  })
  await pglite.exec(`set time zone 'UTC'; set datestyle to 'ISO'`)
  const connection = connectionOn(pglite)
  return {
    kind: 'embedded',
    ...connection,
    transaction: (work) => pglite.transaction((trx) => work(connectionOn(trx))),
    session: (work) => work(connection),
    publish: () => Promise.resolve(),
    subscribe: () => Promise.resolve(),
    snapshot: async () => {
      await pglite.exec('checkpoint')
      return pglite.dumpDataDir('gzip')
    },
    close: async () => {
      if (!pglite.closed) await pglite.close()
    },
  }
}
