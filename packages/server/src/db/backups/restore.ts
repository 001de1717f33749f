/** Restores a backup or an hourly copy. All checks run before present data are changed. */
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { sql } from '../sql.ts'
import type { Database } from '../database.ts'
import { openEmbedded } from '../embedded.ts'
import { assertKnownSchema, schemaVersion } from '../migrate.ts'
import { type DataSettings, openData, lockDataFolder } from '../open-data.ts'
import { schemaOfImage } from './backup.ts'
import { endRestoredStateSql } from './end-restored-state.ts'
import { archiveNames, BackupError, readVerifiedManifest, uploadsName } from './manifest.ts'
import { runScript, writeScript } from './postgres-tools.ts'
import { draftFolder, hasDatabase, switchFolders } from './switch-over.ts'

export interface RestoreOptions {
  /** Whether a restore replaces a database with data. */
  mayOverwrite: boolean
}

/** A backup whose files are what was backed up, or an hourly copy. */
export interface BackupContent {
  kind: 'embedded' | 'server'
  archive: string
  /** Schema version in the manifest; a single hourly copy has none. */
  schema: string | undefined
  uploads: string | undefined
  copiedAt: Date
}

/**
 * Finds the parts of a backup, and checks every file of it.
 *
 * @param backupPath - The folder of a backup, or the file of an hourly copy.
 * @returns The places of its parts.
 * @throws BackupError when there is none, or a file is missing, altered or not in the manifest.
 */
export async function readBackup(backupPath: string): Promise<BackupContent> {
  const sourceStat = await stat(backupPath).catch(() => {
    throw new BackupError(`There is nothing at ${backupPath}.`)
  })
  if (sourceStat.isFile())
    return { kind: 'embedded', archive: backupPath, schema: undefined, uploads: undefined, copiedAt: sourceStat.mtime }
  const { kind, schema, createdAt } = await readVerifiedManifest(backupPath)
  const uploads = join(backupPath, uploadsName)
  return {
    kind,
    schema,
    archive: join(backupPath, archiveNames[kind]),
    uploads: existsSync(uploads) ? uploads : undefined,
    copiedAt: new Date(createdAt),
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
  const source = await readBackup(backupPath)
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
async function restoreUploads({ uploads }: BackupContent, dataDir: string): Promise<void> {
  if (uploads !== undefined) await cp(uploads, join(dataDir, uploadsName), { recursive: true })
}

/** Throws a BackupError when the database of a backup has another schema than its manifest says. */
export function assertSchema(foundSchema: string, { schema }: BackupContent): void {
  if (schema !== undefined && schema !== foundSchema)
    throw new BackupError(`The backup has the schema ${foundSchema}, but its list says ${schema}.`)
}

async function restoreEmbedded(
  source: BackupContent,
  dataDir: string,
  { mayOverwrite }: RestoreOptions,
): Promise<string> {
  const lock = lockDataFolder({ dataDir, databaseUrl: undefined })
  const draft = draftFolder(dataDir)
  try {
    if (hasDatabase(dataDir) && !mayOverwrite)
      throw new BackupError(`The data folder ${dataDir} has a database already; --overwrite replaces it.`)
    const image = new Blob([await readFile(source.archive)])
    const schema = await schemaOfImage(image)
    assertSchema(schema, source)
    await rm(draft, { recursive: true, force: true })
    const copy = await openEmbedded(draft, { image })
    try {
      await copy.script(endRestoredStateSql(source.copiedAt))
    } finally {
      await copy.close()
    }
    await restoreUploads(source, dataDir)
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
    await writeScript(source.archive, script)
    await restoreUploads(source, targetSettings.dataDir)
    await runScript(targetSettings.databaseUrl, script, endRestoredStateSql(source.copiedAt))
    return await schemaVersion(database)
  } finally {
    await close()
    await rm(workFolder, { recursive: true, force: true })
  }
}
