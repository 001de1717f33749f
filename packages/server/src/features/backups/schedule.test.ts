import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { copyDatabase } from '../../db/backups/backup.ts'
import { restoreBackup } from '../../db/backups/restore.ts'
import { verifyBackup } from '../../db/backups/verify.ts'
import { backupKeyOf } from '../../db/backups/sealed-file.ts'
import type { Database } from '../../db/database.ts'
import { openData } from '../../db/open-data.ts'
import { sql } from '../../db/sql.ts'
import { openBackupWorld, quickSteps } from '../../testing/backup-world.ts'
import { contentOf } from '../../testing/content.ts'
import { addTags } from '../../testing/data-folders.ts'
import { createTestDatabase, openTestDatabase, type TestDatabase } from '../../testing/databases.ts'
import { type ObjectStore, startObjectStore } from '../../testing/object-store.ts'
import { runAlone } from './alone.ts'
import { insertBackup } from './backup-rows.ts'
import type { BackupSteps } from './backup-runner.ts'
import { proveBackup } from './prove.ts'

// A proof opens a database of its own.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

let opened: TestDatabase
let store: ObjectStore
const database = (): Database => opened.database
beforeAll(async () => {
  opened = await openTestDatabase()
  store = await startObjectStore()
  await addTags(database(), 5)
})
afterAll(async () => {
  await store.close()
  await opened.close()
})
beforeEach(() => database().query(sql`delete from backups`))

const key = '0123456789abcdef'.repeat(4)
const bucketSettings = (prefix: string) => ({
  BACKUP_FOLDER: '',
  BACKUP_S3_BUCKET: store.settings.bucket,
  BACKUP_S3_PREFIX: prefix,
  BACKUP_S3_ENDPOINT: store.settings.endpoint,
  BACKUP_S3_REGION: store.settings.region,
  BACKUP_S3_ACCESS_KEY_ID: store.settings.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
})
/** Objects of a prefix in the folder of the bucket. */
const objectsIn = (path: string) => {
  const folder = join(store.bucket, path)
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('_object'))
        .map((entry) => join(entry.parentPath, entry.name))
    : []
}

/** Days of backups at 03:00 in Tashkent, which is 22:00 of the day before in UTC. */
const atDay = (day: number) => new Date(Date.UTC(2026, 2, day - 1, 22, 0)).toISOString()

/** Quick steps, but the proof of one backup restores it. */
const stepsThatRestore = (name: string): BackupSteps => ({
  ...quickSteps,
  proveBackup: (place, backup, context) =>
    (backup === name ? proveBackup : quickSteps.proveBackup)(place, backup, context),
})

describe('the schedule', () => {
  test('takes one backup a day at its time and proves it, the first of a month and of a week kept longer', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    world.addUpload('field.png', 'a picture')
    world.setTime('2026-02-28T21:59:00.000Z')
    const runner = world.startRunner()
    await runner.runSchedule()
    expect(await world.list()).toEqual([])
    for (const day of [1, 2, 3]) {
      world.setTime(atDay(day))
      await world.startRunner().runSchedule()
      await world.startRunner().runSchedule()
    }
    const backups = await world.list()
    // 1 March 2026 is a Sunday.
    expect(backups.map(({ kind }) => kind)).toEqual(['daily', 'weekly', 'monthly'])
    for (const { state, proof, places, proved_rows: rows, proved_files: files, proof_method: method } of backups) {
      expect({ state, proof, places, files, method, rows }).toEqual({
        state: 'complete',
        proof: 'proved',
        places: ['folder'],
        files: 2,
        method: 'read',
        rows: 5,
      })
    }
    expect(world.errors).toEqual([])
  })

  test('stores an unchanged file of several backups once, by hard links', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    world.addUpload('film.mp4', 'a film')
    for (const day of [1, 2]) {
      world.setTime(atDay(day))
      await world.startRunner().runSchedule()
      world.addUpload('new.png', 'a picture')
    }
    const [inode, other] = readdirSync(world.folder).map((name) =>
      statSync(join(world.folder, name, 'uploads', 'film.mp4')),
    )
    expect([inode?.nlink, inode?.ino === other?.ino]).toEqual([2, true])
    const newest = readdirSync(world.folder).sort().at(-1) ?? ''
    expect(readFileSync(join(world.folder, newest, 'uploads', 'new.png'), 'utf8')).toBe('a picture')
  })

  test('finds a backup that was damaged after its proof, and copies its file anew', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    world.addUpload('field.png', 'a picture')
    world.setTime(atDay(1))
    await world.runner.runSchedule()
    const [first = ''] = readdirSync(world.folder)
    writeFileSync(join(world.folder, first, 'uploads', 'field.png'), 'A picture')
    world.setTime(atDay(2))
    await world.runner.runSchedule()
    world.setTime(atDay(3))
    await world.runner.runSchedule()
    const proofs = (await world.list()).map(({ proof }) => proof)
    // The second backup shares the damaged file; the third one compares files and copies this one again.
    expect(proofs).toEqual(['proved', 'failed', 'failed'])
    expect((await world.list()).at(-1)?.proof_failure).toMatch(/uploads\/field\.png is not what was backed up/)
    expect(world.errors[0]).toMatch(/^the proof of a backup failed: BackupError/)
  })

  test('finds a copy of the database that lost a row although its checksum fits', async () => {
    const world = openBackupWorld(database())
    world.setTime(atDay(1))
    await world.runner.runSchedule()
    expect(await world.list()).toMatchObject([{ state: 'complete', proof: 'proved', proof_method: 'restored' }])
    const [name = ''] = readdirSync(world.folder)
    const file = join(world.folder, name, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { rows: Record<string, number> }
    manifest.rows.tags = (manifest.rows.tags ?? 0) + 1
    writeFileSync(file, JSON.stringify(manifest))
    world.setTime(atDay(2))
    await world.startRunner(stepsThatRestore(name)).runSchedule()
    expect((await world.list()).at(-1)?.proof_failure).toBe(
      'The copy of the database has 5 rows in tags, and had 6 when it was made.',
    )
  })

  test('deletes what is no longer kept, and never the last proved backup', async () => {
    const world = openBackupWorld(database(), { BACKUP_KEEP: '2d' }, quickSteps)
    for (const day of [3, 4, 5, 6]) {
      world.setTime(atDay(day))
      await world.startRunner().runSchedule()
    }
    expect((await world.list()).map(({ kind }) => kind)).toEqual(['daily', 'daily'])
    expect(readdirSync(world.folder).length).toBe(2)
  })

  test('tries three times in an hour each, and says why it failed', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    // A file in the place of the folder is an error of every attempt.
    writeFileSync(world.folder, '')
    for (const minutes of [0, 30, 60, 120, 180, 240]) {
      world.setTime(new Date(Date.parse(atDay(1)) + minutes * 60_000).toISOString())
      await world.runner.runSchedule()
    }
    const backups = await world.list()
    expect(backups.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    expect(backups[0]?.failure).toMatch(/the log of the server/)
    expect(world.errors.some((line) => line.startsWith('backup failed'))).toBe(true)
  })

  test('refuses a backup on a full disk in one sentence', async () => {
    const world = openBackupWorld(database(), { UPLOAD_RESERVE_MB: '1000000' }, quickSteps)
    world.setTime(atDay(1))
    await world.runner.runSchedule()
    expect((await world.list())[0]?.failure).toMatch(/too full for a backup: \d+ MB more must be free/)
  })

  test('ends a backup that a killed program has left running, and removes its half', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    world.setTime(atDay(1))
    const left = { name: 'dala-2026-02-27T22-00-00-000Z', kind: 'daily', encrypted: false } as const
    await insertBackup(database(), { ...left, now: new Date(atDay(0)) })
    const half = join(world.folder, `${left.name}.part`)
    mkdirSync(half, { recursive: true })
    mkdirSync(join(world.folder, 'of-somebody-else.part'))
    await world.startRunner().runSchedule()
    expect((await world.list()).map(({ state }) => state)).toEqual(['complete', 'failed'])
    expect([existsSync(half), existsSync(join(world.folder, 'of-somebody-else.part'))]).toEqual([false, true])
  })

  test('does nothing while another backup runs', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    world.setTime(atDay(1))
    await runAlone(database(), () => world.runner.runSchedule())
    expect(await world.list()).toEqual([])
  })

  test('notes a backup whose files are gone, and one that the record does not have', async () => {
    const world = openBackupWorld(database(), {}, quickSteps)
    for (const day of [1, 2]) {
      world.setTime(atDay(day))
      await world.startRunner().runSchedule()
    }
    await database().query(sql`delete from backups where kind = 'monthly'`)
    const left = { name: 'dala-2026-02-27T22-00-00-000Z', kind: 'daily', encrypted: false } as const
    const { id } = await insertBackup(database(), { ...left, now: new Date(atDay(0)) })
    await database().query(sql`update backups set state = 'complete' where id = ${id}::int`)
    world.setTime(atDay(3))
    await world.startRunner().runSchedule()
    expect((await world.list()).map(({ kind, state }) => [kind, state])).toEqual([
      ['daily', 'complete'],
      ['weekly', 'complete'],
      ['monthly', 'complete'],
      ['daily', 'missing'],
    ])
  })
})

describe('encrypted backups', () => {
  test('are read with their key only, and restore what was backed up', async () => {
    const world = openBackupWorld(database(), { BACKUP_KEY: key })
    world.addUpload('field.png', 'a picture of a field')
    world.setTime(atDay(1))
    await world.startRunner(quickSteps).runSchedule()
    world.setTime(atDay(2))
    await world.startRunner({ ...stepsThatRestore('dala-2026-03-01T22-00-00-000Z'), copyDatabase }).runSchedule()
    expect(
      (await world.list()).map(({ proof, proof_method: method, encrypted }) => [proof, method, encrypted]),
    ).toEqual([
      ['proved', 'restored', true],
      ['proved', 'read', true],
    ])
    const folder = join(world.folder, readdirSync(world.folder).sort().at(-1) ?? '')
    expect(statSync(join(folder, 'uploads', 'field.png')).nlink).toBe(2)
    expect(readFileSync(join(folder, 'uploads', 'field.png'), 'utf8')).not.toContain('picture')
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).not.toContain(key.slice(0, 16))
    const ownKey = backupKeyOf(Buffer.from(key, 'hex'))
    await expect(verifyBackup(folder)).rejects.toThrow(/is encrypted: set BACKUP_KEY/)
    await expect(verifyBackup(folder, backupKeyOf(Buffer.alloc(32, 1)))).rejects.toThrow(/another key/)
    expect((await verifyBackup(folder, ownKey)).rows.tags).toBe(5)
    const server = process.env.TEST_DATABASE_URL
    const target = {
      dataDir: join(world.settings.dataDir, 'restored'),
      databaseUrl: server && (await createTestDatabase(server, `encrypted_${process.env.VITEST_POOL_ID ?? '0'}`)),
    }
    await restoreBackup(folder, target, { mayOverwrite: false, key: ownKey })
    expect(readFileSync(join(target.dataDir, 'uploads', 'field.png'), 'utf8')).toBe('a picture of a field')
    const data = await openData(target)
    try {
      expect(await contentOf(data.database)).toBe(await contentOf(database()))
    } finally {
      await data.close()
    }
  })

  test('refuse a manifest that somebody without the key has changed', async () => {
    const world = openBackupWorld(database(), { BACKUP_KEY: key }, quickSteps)
    world.setTime(atDay(1))
    await world.runner.runSchedule()
    const [name = ''] = readdirSync(world.folder)
    const file = join(world.folder, name, 'manifest.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"occasion": "monthly"', '"occasion": "daily"'))
    await expect(verifyBackup(join(world.folder, name), backupKeyOf(Buffer.from(key, 'hex')))).rejects.toThrow(
      /its manifest\.json is not what was written/,
    )
  })
})

describe.each([
  ['as they are', {}],
  ['encrypted', { BACKUP_KEY: key }],
])('backups in a bucket, %s', (form, changed) => {
  const prefix = form === 'encrypted' ? 'encrypted' : 'plain'

  test('store each file once, and delete it after the last backup that names it', async () => {
    const world = openBackupWorld(database(), { ...bucketSettings(prefix), BACKUP_KEEP: '1d', ...changed }, quickSteps)
    world.addUpload('film.mp4', 'a film')
    for (const day of [3, 4]) {
      world.setTime(atDay(day))
      await world.startRunner().runSchedule()
      expect(objectsIn(`${prefix}/files`).length).toBe(1)
    }
    const backups = await world.list()
    expect(backups.map(({ proof, places, proved_files: files }) => [proof, places, files])).toEqual([
      ['proved', ['bucket'], 2],
    ])
    expect(world.errors).toEqual([])
    expect(objectsIn(`${prefix}/backups`).length).toBe(2)
  })

  test('find a damaged object by the schedule', async () => {
    const world = openBackupWorld(database(), { ...bucketSettings(`${prefix}-damaged`), ...changed }, quickSteps)
    world.addUpload('film.mp4', 'a film of a field')
    world.setTime(atDay(3))
    await world.runner.runSchedule()
    const [file = ''] = objectsIn(`${prefix}-damaged/files`)
    writeFileSync(file, `!${readFileSync(file).subarray(1).toString('latin1')}`, 'latin1')
    world.setTime(atDay(4))
    await world.startRunner().runSchedule()
    expect((await world.list()).map(({ proof }) => proof)).toEqual(['failed', 'failed'])
    expect((await world.list())[1]?.proof_failure).toMatch(/uploads\/film\.mp4 is not what was backed up/)
  })

  test('remove the half of an interrupted backup', async () => {
    const world = openBackupWorld(database(), { ...bucketSettings(`${prefix}-half`), ...changed }, quickSteps)
    world.setTime(atDay(3))
    await world.runner.runSchedule()
    const manifest = objectsIn(`${prefix}-half/backups`).find((object) => object.includes('manifest')) ?? ''
    writeFileSync(manifest.replace('dala-2026-03-02', 'x').replace(/x.*$/, 'stranger'), 'not ours')
    world.setTime(atDay(4))
    await world.startRunner().runSchedule()
    expect((await world.list()).map(({ state }) => state)).toEqual(['complete', 'complete'])
  })
})

test('reports a bucket that does not answer, without its key', async () => {
  const world = openBackupWorld(
    database(),
    {
      ...bucketSettings('gone'),
      BACKUP_S3_BUCKET: 'no-such-bucket',
    },
    quickSteps,
  )
  world.setTime(atDay(1))
  await world.runner.runSchedule()
  const [backup] = await world.list()
  expect(backup?.state).toBe('failed')
  expect(backup?.failure).toMatch(/^The store of backups did not take a file: NoSuchBucket/)
})
