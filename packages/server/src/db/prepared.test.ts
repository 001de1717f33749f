import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { migrateDatabase } from './migrate.ts'
import { embeddedOptions } from './embedded-options.ts'
import { placePreparedFolder, preparedFolder, prepareDatabase } from './prepared.ts'

/** The permissions of a folder that only its owner may enter; Windows has no such bits. */
const ownerPermissions = process.platform === 'win32' ? 0o666 : 0o700

let folder: string
beforeAll(() => prepareDatabase(), 120_000)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dala-prepared-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a prepared database', () => {
  it('fills an empty data folder with a prepared database, and leaves no migration to apply', async () => {
    // A user who may list the data folder must still not read the database in it.
    chmodSync(folder, 0o755)
    // A half-made folder stays behind when a program is killed while it copies the prepared database.
    mkdirSync(join(folder, '.db.prepared'))
    writeFileSync(join(folder, '.db.prepared', 'torn'), '')
    placePreparedFolder(folder)
    expect(readdirSync(folder)).toEqual(['db'])
    expect(statSync(join(folder, 'db')).mode & 0o777).toBe(ownerPermissions)
    const database = await openDatabase({ dataDir: folder })
    try {
      expect(await migrateDatabase(database)).toEqual([])
      const [row] = await database.rows({ sql: 'select count(*)::int from users', parameters: [] })
      expect(row).toEqual([0])
      const [sharedBuffers] = await database.rows({ sql: 'show shared_buffers', parameters: [] })
      expect(embeddedOptions.startParams).toContain(`shared_buffers=${String(sharedBuffers?.[0])}`)
    } finally {
      await database.close()
    }
  }, 60_000)

  it.each([
    ['start parameters', { startParams: [...embeddedOptions.startParams, '-c', 'wal_level=minimal'] }],
    ['start parameters in another order', { startParams: embeddedOptions.startParams.toReversed() }],
    ['session settings', { session: `${embeddedOptions.session}; set work_mem = '8MB'` }],
  ])('uses another prepared database for a program with other %s', (_what, changedOptions) => {
    expect(preparedFolder({ ...embeddedOptions })).toBe(preparedFolder())
    expect(preparedFolder({ ...embeddedOptions, ...changedOptions })).not.toBe(preparedFolder())
  })

  it.each(['db', '.db.restored'])('leaves a data folder with %s unchanged', (name) => {
    mkdirSync(join(folder, name))
    placePreparedFolder(folder)
    expect(readdirSync(folder)).toEqual([name])
    expect(readdirSync(join(folder, name))).toEqual([])
  })
})
