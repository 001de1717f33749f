/** Restores a backup or an hourly copy. All checks run before present data are changed. */
import { mkdir, mkdtemp, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { basename, join } from 'node:path'
import { sql } from '../sql.ts'
import type { Database } from '../database.ts'
import { openEmbedded } from '../embedded.ts'
import { assertKnownSchema, schemaVersion } from '../migrate.ts'
import { type DataSettings, openData, lockDataFolder } from '../open-data.ts'
import { schemaOfImage } from './backup.ts'
import { endRestoredStateSql } from './end-restored-state.ts'
import { BackupError } from './backup-error.ts'
import { archiveNames, keyOf, readVerifiedManifest, uploadsName } from './manifest.ts'
import { runScript, writeScript } from './postgres-tools.ts'
import type { RowCounts } from './row-counts.ts'
import type { BackupKey } from './sealed-file.ts'
import { openFile } from './stored-file.ts'
import { draftFolder, hasDatabase, switchFolders } from './switch-over.ts'

export interface RestoreOptions {
  /** Whether a restore replaces a database with data. */
  mayOverwrite: boolean
  /** The key of encrypted backups. */
  key?: BackupKey | undefined
  /** Takes the uploaded files where they are not stored in the data folder. */
  putUpload?: (name: string, file: string) => Promise<void>
}

/** A backup whose files are what was backed up, or an hourly copy. */
export interface BackupContent {
  kind: 'embedded' | 'server'
  archive: string
  /** Schema version in the manifest; a single hourly copy has none. */
  schema: string | undefined
  uploads: string | undefined
  copiedAt: Date
  /** The key of its files; undefined when they are not encrypted. */
  key: BackupKey | undefined
  /** Numbers of rows in the moment of the copy, where the backup has them. */
  rows: RowCounts | undefined
}

/**
 * Finds the parts of a backup, and checks every file of it.
 *
 * @param backupPath - The folder of a backup, or the file of an hourly copy.
 * @param key - The key of encrypted backups.
 * @returns The places of its parts.
 * @throws BackupError when there is none, a file is missing, altered or not in the manifest, or the key of an
 *   encrypted one is missing or another.
 */
export async function readBackup(backupPath: string, key?: BackupKey): Promise<BackupContent> {
  const sourceStat = await stat(backupPath).catch(() => {
    throw new BackupError(`There is nothing at ${backupPath}.`)
  })
  if (sourceStat.isFile())
    return {
      kind: 'embedded',
      archive: backupPath,
      schema: undefined,
      uploads: undefined,
      copiedAt: sourceStat.mtime,
      key: undefined,
      rows: undefined,
    }
  const manifest = await readVerifiedManifest(backupPath)
  const uploads = join(backupPath, uploadsName)
  return {
    kind: manifest.kind,
    schema: manifest.schema,
    archive: join(backupPath, archiveNames[manifest.kind]),
    uploads: existsSync(uploads) ? uploads : undefined,
    copiedAt: new Date(manifest.createdAt),
    key: keyOf(manifest, key),
    rows: manifest.rows,
  }
}

/**
 * Runs work on the copy of the database as it was before its encryption, in a temporary file.
 *
 * @param content - The backup.
 * @param runWork - The work on the file.
 * @returns What the work returns.
 */
export async function withPlainArchive<T>(
  { archive, key }: Pick<BackupContent, 'archive' | 'key'>,
  runWork: (file: string) => Promise<T>,
): Promise<T> {
  if (key === undefined) return runWork(archive)
  const workFolder = await mkdtemp(join(tmpdir(), 'dala-opened-'))
  try {
    const file = join(workFolder, basename(archive))
    await openFile(archive, file, { key })
    return await runWork(file)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

/**
 * Restores a backup. The same step ends restored sessions, codes and queued letters.
 *
 * @param backupPath - The folder of a backup, or the file of an hourly copy.
 * @param targetSettings - The place of the data.
 * @param options - Whether present data may be replaced.
 * @returns The restored schema version.
 * @throws A BackupError (not a backup, altered, incomplete, of the other kind of database, or the place has
 *   data), a SchemaError (made by a newer program) or a LockError (a server is using the place). The present
 *   data are unchanged then.
 */
export async function restoreBackup(
  backupPath: string,
  targetSettings: DataSettings,
  options: RestoreOptions,
): Promise<string> {
  const source = await readBackup(backupPath, options.key)
  const kind = targetSettings.databaseUrl === undefined ? 'embedded' : 'server'
  if (source.kind !== kind) {
    const names = { embedded: 'the embedded database', server: 'a PostgreSQL server' }
    throw new BackupError(`This is a backup of ${names[source.kind]}; the settings name ${names[kind]}.`)
  }
  return targetSettings.databaseUrl === undefined
    ? restoreEmbedded(source, targetSettings.dataDir, options)
    : restoreServer(source, { ...targetSettings, databaseUrl: targetSettings.databaseUrl }, options)
}

/**
 * Names of uploads are random, so those of the backup are
 * added to the present ones. A file without a row is harmless.
 */
async function restoreUploads({ uploads, key }: BackupContent, dataDir: string, { putUpload }: RestoreOptions) {
  if (uploads === undefined) return
  const target = join(dataDir, uploadsName)
  const draft = join(dataDir, '.restored-upload')
  await mkdir(target, { recursive: true, mode: 0o700 })
  try {
    for await (const entry of await opendir(uploads)) {
      await openFile(join(uploads, entry.name), draft, { key })
      if (putUpload) await putUpload(entry.name, draft)
      else await rename(draft, join(target, entry.name))
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Throws a BackupError when the database of a backup has another schema than its manifest says. */
export function assertSchema(foundSchema: string, { schema }: BackupContent): void {
  if (schema !== undefined && schema !== foundSchema)
    throw new BackupError(`The backup has the schema ${foundSchema}, but its list says ${schema}.`)
}

async function restoreEmbedded(source: BackupContent, dataDir: string, options: RestoreOptions): Promise<string> {
  const lock = lockDataFolder({ dataDir, databaseUrl: undefined })
  const draft = draftFolder(dataDir)
  try {
    if (hasDatabase(dataDir) && !options.mayOverwrite)
      throw new BackupError(`The data folder ${dataDir} has a database already; --overwrite replaces it.`)
    const image = await withPlainArchive(source, async (file) => new Blob([await readFile(file)]))
    const schema = await schemaOfImage(image)
    assertSchema(schema, source)
    await rm(draft, { recursive: true, force: true })
    const copy = await openEmbedded(draft, { image })
    try {
      await copy.script(endRestoredStateSql(source.copiedAt))
    } finally {
      await copy.close()
    }
    await restoreUploads(source, dataDir, options)
    switchFolders(dataDir)
    return schema
  } finally {
    await rm(draft, { recursive: true, force: true })
    lock?.release()
  }
}

/**
 * Milliseconds to wait for connections to close: the
 * database server notices the end of a program with a delay.
 */
const leaveTimeout = 3_000
const checkInterval = 100

async function assertDatabaseFree(database: Database, { mayOverwrite }: RestoreOptions): Promise<void> {
  const countTables = () =>
    database.query(sql<{ tables: number; others: number }>`
      select (select count(*)::int from pg_tables where schemaname = 'public') as tables,
             (select count(*)::int from pg_stat_activity where application_name = 'dala'
                 and datname = current_database() and pid <> pg_backend_pid()) as others`)
  let [tableCount] = await countTables()
  for (
    let waitedMs = 0;
    tableCount !== undefined && tableCount.others > 0 && waitedMs < leaveTimeout;
    waitedMs += checkInterval
  ) {
    await pause(checkInterval)
    ;[tableCount] = await countTables()
  }
  if (tableCount === undefined || tableCount.others > 0)
    throw new BackupError('The database of DATABASE_URL is in use by a running server: stop it first.')
  if (tableCount.tables > 0 && !mayOverwrite)
    throw new BackupError('The database of DATABASE_URL has data already; --overwrite replaces them.')
}

async function restoreServer(
  source: BackupContent,
  targetSettings: DataSettings & { databaseUrl: string },
  options: RestoreOptions,
): Promise<string> {
  const workFolder = await mkdtemp(join(tmpdir(), 'dala-restore-'))
  const script = join(workFolder, 'database.sql')
  const { database, close } = await openData(targetSettings)
  try {
    await assertDatabaseFree(database, options)
    if (source.schema !== undefined) assertKnownSchema(source.schema)
    await withPlainArchive(source, (file) => writeScript(file, script))
    await restoreUploads(source, targetSettings.dataDir, options)
    await runScript(targetSettings.databaseUrl, script, endRestoredStateSql(source.copiedAt))
    return await schemaVersion(database)
  } finally {
    await close()
    await rm(workFolder, { recursive: true, force: true })
  }
}
