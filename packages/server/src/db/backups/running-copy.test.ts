import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { addTags, tagsIn } from '../../testing/data-folders.ts'
import { openDatabase } from '../database.ts'
import { LockError } from '../lock.ts'
import { migrateDatabase } from '../migrate.ts'
import { type DataSettings, openData } from '../open-data.ts'
import { Snapshots } from '../snapshots.ts'
import { sql } from '../sql.ts'
import { BackupError } from './backup-error.ts'
import { restoreBackup } from './restore.ts'
import { copyRunningDatabase } from './running-copy.ts'
import { verifyBackup } from './verify.ts'

// Each test opens several databases, which takes time.
vi.setConfig({ testTimeout: 60_000 })

const home = mkdtempSync(join(tmpdir(), 'dala-copies-'))

const embeddedSettings = (name: string): DataSettings => ({ dataDir: join(home, name), databaseUrl: undefined })

/** A running embedded database with its hourly copies. */
async function openRunningDatabase(name: string) {
  const settings = embeddedSettings(name)
  const { database, close } = await openData(settings)
  await migrateDatabase(database)
  return { at: settings, database, close, snapshots: new Snapshots(database, settings.dataDir) }
}

test('restores an hourly copy, and completes an interrupted restore at the next start', async () => {
  const { at, database, close, snapshots } = await openRunningDatabase('hourly')
  await addTags(database, 2)
  const file = (await snapshots.take()) ?? ''
  await addTags(database, 5)
  await expect(restoreBackup(file, at, { mayOverwrite: true })).rejects.toThrow(LockError)
  await close()
  await restoreBackup(file, at, { mayOverwrite: true })
  expect(await tagsIn(at)).toBe(2)
  // State of an interrupted restore: the former database is in place, the restored one beside it.
  const names = readdirSync(at.dataDir)
  const formerName = names.find((name) => name.startsWith('db.before-')) ?? ''
  renameSync(join(at.dataDir, 'db'), join(at.dataDir, '.db.restored'))
  renameSync(join(at.dataDir, formerName), join(at.dataDir, 'db'))
  expect(await tagsIn(at)).toBe(2)
  await expect(restoreBackup(join(home, 'nothing'), at, { mayOverwrite: false })).rejects.toThrow(BackupError)
  writeFileSync(join(home, 'torn.tar.gz'), readFileSync(file).subarray(0, 50_000))
  await expect(verifyBackup(join(home, 'torn.tar.gz'))).rejects.toThrow('The file torn.tar.gz cannot be opened')
  await expect(restoreBackup(join(home, 'torn.tar.gz'), at, { mayOverwrite: true })).rejects.toThrow(BackupError)
  expect(await tagsIn(at)).toBe(2)
})

test('backs up the whole database of the program that runs it, while others write', async () => {
  const { at, database, close, snapshots } = await openRunningDatabase('running')
  snapshots.start(() => {})
  let writtenCount = 0
  let isStopped = false
  const writer = async () => {
    while (!isStopped) {
      await addTags(database, 1)
      writtenCount += 1
      // The writer yields by itself, because statements of the embedded database never yield to the backup.
      await setImmediate()
    }
  }
  const writers = [writer(), writer()]
  const countBefore = writtenCount
  const copiedFolder = await copyRunningDatabase(at.dataDir)
  const countAfter = writtenCount
  isStopped = true
  await Promise.all(writers)
  await snapshots.stop()
  await close()
  expect(readdirSync(join(at.dataDir, 'backups'))).toEqual([])
  const copy = await openDatabase({ memory: true, image: copiedFolder })
  const [row] = await copy.query(sql<{ count: number }>`select count(*)::int as count from tags`)
  expect(row?.count).toBeGreaterThanOrEqual(countBefore)
  // Each of the two writers may have one more row whose answer had not arrived when the test counted the
  // rows.
  expect(row?.count).toBeLessThanOrEqual(countAfter + 2)
  await copy.close()
})

test('ends the wait for a copy of the database after a time limit', async () => {
  await expect(copyRunningDatabase(join(home, 'nobody'), 0)).rejects.toThrow(/did not answer/)
  expect(readdirSync(join(home, 'nobody', 'backups'))).toEqual([])
})
