import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '../sql.ts'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addTags, tagsIn } from '../../testing/data-folders.ts'
import { createTestDatabase } from '../../testing/databases.ts'
import { engineParts } from '../../behaviours/index.ts'
import { buildUser } from '../../testing/factories.ts'
import { migrateDatabase, SchemaError } from '../migrate.ts'
import { type DataSettings, openData } from '../open-data.ts'
import { bucketDescription, writeBackup } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { archiveNames, checksumsOf, type Manifest, readVerifiedManifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import { verifyBackup } from './verify.ts'

// Each test opens several databases, which takes time.
vi.setConfig({ testTimeout: 60_000 })

const home = mkdtempSync(join(tmpdir(), 'dala-backups-'))
const server = process.env.TEST_DATABASE_URL
const pool = process.env.VITEST_POOL_ID ?? '0'
const restoreOptions = { mayOverwrite: false }
const archive = server === undefined ? archiveNames.embedded : archiveNames.server

/** Creates an empty target for a database of the kind of this run. */
async function createTarget(name: string): Promise<DataSettings> {
  const databaseUrl = server === undefined ? undefined : await createTestDatabase(server, `backup_${name}_${pool}`)
  return { dataDir: join(home, name), databaseUrl }
}

let source: DataSettings
const backup = join(home, 'backup')
/** A backup of the same database whose files are in a bucket. */
const backupWithBucket = join(home, 'without-files')
const store = { endpoint: 'https://s3.example.org', bucket: 'dala-files', secretAccessKey: 'a-secret' }
/** The place that was empty before the backup was restored into it. */
let target: DataSettings
let restoredSchema: string
beforeAll(async () => {
  source = await createTarget('source')
  const { database, close } = await openData(source, { parts: engineParts })
  await migrateDatabase(database)
  await addTags(database, 3)
  // A dump contains a line separator of Unicode as it is, within the line of its row.
  await database.script("update tags set color = U&'a\\2028b' where id = 1")
  const user = await buildUser(database, 'admin')
  await database.script(`
    insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), ${user}, now() + interval '1 day');
    insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth) select id, user_id, 'e', 'p', 'a' from sessions;
    insert into reset_codes (hash, user_id, expires_at) values (repeat('a', 64), ${user}, now() + interval '1 hour');
    insert into mails (recipient, locale, template, payload) values ('a@example.org', 'en', 'welcome', '{}')`)
  mkdirSync(join(source.dataDir, 'uploads'))
  writeFileSync(join(source.dataDir, 'uploads', 'field.png'), 'a picture')
  // Files that other programs leave in data folders must not make a backup fail.
  writeFileSync(join(source.dataDir, 'uploads', '.hidden'), 'not ours')
  mkdirSync(join(source.dataDir, 'uploads', 'folder'))
  const image = await database.snapshot()
  await writeBackup({ ...source, database, ...(image && { image }) }, backup)
  await writeBackup({ ...source, database, ...(image && { image }), store }, backupWithBucket)
  await close()
  target = await createTarget('target')
  restoredSchema = await restoreBackup(backup, target, restoreOptions)
})

/** A copy of the backup that a test may damage. */
function copyOf(name: string): string {
  const folder = join(home, `backup-${name}`)
  cpSync(backup, folder, { recursive: true })
  return folder
}

function changeManifest(folder: string, change: Partial<Manifest>): void {
  const file = join(folder, 'manifest.json')
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), ...change }))
}

test('restores a backup into an empty data folder', async () => {
  expect(restoredSchema).toMatch(/^\d{4}-/)
  expect(await tagsIn(target)).toBe(3)
  expect(readFileSync(join(target.dataDir, 'uploads', 'field.png'), 'utf8')).toBe('a picture')
})

test('refuses to restore over data, and replaces the data only when requested', async () => {
  const occupied = await createTarget('occupied')
  const { database, close } = await openData(occupied)
  await migrateDatabase(database)
  await addTags(database, 1)
  // A database in use is not restored: an embedded one is locked by its folder, a server has connections.
  await expect(restoreBackup(backup, occupied, { mayOverwrite: true })).rejects.toThrow(/in use by/)
  await close()
  await expect(restoreBackup(backup, occupied, restoreOptions)).rejects.toThrow(/--overwrite/)
  expect(await tagsIn(occupied)).toBe(1)
  await restoreBackup(backup, occupied, { mayOverwrite: true })
  await restoreBackup(backup, occupied, { mayOverwrite: true })
  expect(await tagsIn(occupied)).toBe(3)
})

test('restores a backup after connections that are about to end, but checks the lock of a folder once', async () => {
  const leaving = await createTarget('leaving')
  const { database, close } = await openData(leaving)
  await migrateDatabase(database)
  // A program with connections to a server ends during the restore; an embedded one ends afterwards.
  const restoreResult = restoreBackup(backup, leaving, { mayOverwrite: true }).catch(String)
  await (server === undefined && restoreResult)
  await close()
  expect(await restoreResult).toMatch(server === undefined ? /in use by/ : /^\d{4}-/)
})

test('ends the sessions, codes and queued letters of a restored copy', async () => {
  const { database, close } = await openData(target)
  try {
    const [storedCounts] = await database.query(sql<Record<string, number>>`
      select (select count(*)::int from sessions) as sessions,
             (select count(*)::int from sessions where revoked_at is null) as open,
             (select count(*)::int from push_subscriptions) as browsers,
             (select count(*)::int from reset_codes) as codes,
             (select count(*)::int from mails) as mails,
             (select count(*)::int from mails where sent_at is null) as waiting`)
    expect(storedCounts).toEqual({ sessions: 1, open: 0, browsers: 0, codes: 0, mails: 1, waiting: 0 })
    const [moment] = await database.query(sql<{ count: number; isEarlier: boolean }>`
      select count(*)::int as count, bool_and(copied_at <= restored_at and restored_at <= now()) as "isEarlier" from restores`)
    expect(moment).toEqual({ count: 1, isEarlier: true })
    // A copy of an older program has no table of restores; the next start finds that the table exists.
    await database.script(`delete from migrations where id = 27`)
    await migrateDatabase(database)
  } finally {
    await close()
  }
})

describe('a restore of a wrong backup', () => {
  test.each<[string, (folder: string) => void, RegExp]>([
    ['was altered', (folder) => writeFileSync(join(folder, 'uploads', 'field.png'), 'another'), /uploads\/field.png/],
    ['has lost a file', (folder) => rmSync(join(folder, archive)), /is missing/],
    ['has an additional file', (folder) => writeFileSync(join(folder, 'uploads', 'more.png'), ''), /more.png/],
    ['has no manifest', (folder) => rmSync(join(folder, 'manifest.json')), /has no manifest.json/],
    [
      'has a manifest that names files elsewhere',
      (folder) => changeManifest(folder, { files: { '../x': '0' } }),
      /cannot be read/,
    ],
    ['comes from a newer program', (folder) => changeManifest(folder, { schema: '9999-later' }), /schema/],
  ])('refuses a backup that %s', async (backupFault, spoil, message) => {
    const folder = copyOf(backupFault.replaceAll(' ', '-'))
    spoil(folder)
    const error: unknown = await restoreBackup(folder, source, { mayOverwrite: true }).catch(
      (thrownError: unknown) => thrownError,
    )
    expect([BackupError, SchemaError].some((kind) => error instanceof kind)).toBe(true)
    expect(String(error)).toMatch(message)
  })

  test('refuses to restore a backup of the other kind of database', async () => {
    const otherKind =
      server === undefined
        ? { ...source, databaseUrl: 'postgresql://localhost/x' }
        : { ...source, databaseUrl: undefined }
    await expect(restoreBackup(backup, otherKind, { mayOverwrite: true })).rejects.toThrow(BackupError)
    // The data of the target are unchanged after all of these refused restores.
    expect(await tagsIn(source)).toBe(3)
  })
})

describe('the check of a backup', () => {
  test('reads the rows of the database in it, and leaves no file', async () => {
    const { kind, schema, rows } = await verifyBackup(backup)
    expect(kind).toBe(server === undefined ? 'embedded' : 'server')
    expect(schema).toMatch(/^\d{4}-/)
    expect([rows.tags, rows.news]).toEqual([3, 0])
    expect(rows.migrations).toBe(Number(schema.slice(0, 4)))
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('dala-verify-'))).toEqual([])
  })

  /** Damages a file of a backup and its checksum, as a disk does before the backup is written. */
  async function damage(folder: string, spoil: (bytes: Buffer) => Buffer): Promise<void> {
    writeFileSync(join(folder, archive), spoil(readFileSync(join(folder, archive))))
    changeManifest(folder, { files: await checksumsOf(folder) })
  }

  test('reads a single file as an hourly copy, which only the embedded database has', async () => {
    const tagsOrError = await verifyBackup(join(backup, archive)).then(({ rows }) => rows.tags, String)
    expect(tagsOrError).toEqual(
      server === undefined ? 3 : 'BackupError: The file database.dump cannot be opened as a database.',
    )
  })

  test('names a file that is not what was backed up', async () => {
    const folder = copyOf('flipped')
    const bytes = readFileSync(join(folder, archive))
    bytes.writeUInt8(bytes.readUInt8(1_000) ^ 1, 1_000)
    writeFileSync(join(folder, archive), bytes)
    await expect(verifyBackup(folder)).rejects.toThrow(`The backup was altered: ${archive} is not what was backed up.`)
  })

  test('finds a database that cannot be read although its checksum fits', async () => {
    const folder = copyOf('torn')
    await damage(folder, (bytes) => bytes.subarray(0, bytes.length / 2))
    await expect(verifyBackup(folder)).rejects.toThrow(
      server === undefined ? `The file ${archive} cannot be opened as a database.` : /cannot be read by pg_restore/,
    )
  })

  test('refuses a schema that the program does not know, and one that the database does not have', async () => {
    const newerFolder = copyOf('newer')
    changeManifest(newerFolder, { schema: '9999-later' })
    await expect(verifyBackup(newerFolder)).rejects.toThrow(SchemaError)
    const otherFolder = copyOf('other-schema')
    changeManifest(otherFolder, { schema: '0001-resources' })
    await expect(verifyBackup(otherFolder)).rejects.toThrow(/but its list says 0001-resources/)
  })

  test('refuses a path without a backup', async () => {
    await expect(verifyBackup(join(home, 'nothing'))).rejects.toThrow(BackupError)
  })
})

test('writes no backup over an existing folder', async () => {
  await expect(writeBackup(source, backup)).rejects.toThrow(/exists already/)
})

test('states in a backup where the files are that it does not contain', async () => {
  expect((await readVerifiedManifest(backupWithBucket)).filesIn).toEqual({
    endpoint: store.endpoint,
    bucket: store.bucket,
  })
  expect(bucketDescription(store)).toMatch(/^NOT in this backup: .*dala-files at https:\/\/s3\.example\.org/)
})
