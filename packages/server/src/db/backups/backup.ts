/** Writes a backup: a consistent copy of the database, the uploaded files, and their manifest. */
import { copyFile, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { schemaVersion } from '../migrate.ts'
import type { DataSettings } from '../open-data.ts'
import {
  archiveNames,
  BackupError,
  checksumsOf,
  type Manifest,
  manifestName,
  programVersion,
  uploadsName,
} from './manifest.ts'
import { dumpServer } from './postgres-tools.ts'

export interface BackupSource extends DataSettings {
  /** Open database of a PostgreSQL server. */
  database?: Database
  /** Packed copy of the embedded database. */
  image?: Blob
  /** Bucket with the uploaded files, which the manifest names because they stay there. */
  store?: { endpoint: string; bucket: string } | undefined
}

/** The notice for a backup without the uploaded files. */
export const bucketDescription = ({ endpoint, bucket }: { endpoint: string; bucket: string }): string =>
  `NOT in this backup: the uploaded files. They lie in the bucket ${bucket} at ${endpoint}; copy it with the store's own tools.`

/** The schema in a packed embedded database; opening it proves that it can be restored. */
export async function schemaOfImage(image: Blob): Promise<string> {
  const copy = await openDatabase({ memory: true, image }).catch(() => {
    throw new BackupError('The copy of the database cannot be opened.')
  })
  try {
    return await schemaVersion(copy)
  } finally {
    await copy.close()
  }
}

async function flushFile(file: string): Promise<void> {
  const fileHandle = await open(file, 'r+')
  try {
    await fileHandle.sync()
  } finally {
    await fileHandle.close()
  }
}

async function writeDatabase({ database, image, databaseUrl }: BackupSource, folder: string) {
  if (image !== undefined) {
    const file = join(folder, archiveNames.embedded)
    await writeFile(file, image.stream(), { mode: 0o600 })
    await flushFile(file)
    return { kind: 'embedded', schema: await schemaOfImage(image) } as const
  }
  if (database === undefined || databaseUrl === undefined) throw new BackupError('There is no database to back up.')
  // The schema is read before the copy: after a migration in between, the restore refuses the manifest.
  const schema = await schemaVersion(database)
  const file = join(folder, archiveNames.server)
  await dumpServer(databaseUrl, file)
  await flushFile(file)
  return { kind: 'server', schema } as const
}

/**
 * Copies the uploaded files. Hidden files belong to other programs, and a file that is deleted
 * meanwhile belongs to a deleted record. Neither must make the copy fail.
 */
async function copyUploads(sourceFolder: string, targetFolder: string): Promise<void> {
  await mkdir(targetFolder, { mode: 0o700 })
  for (const entry of await readdir(sourceFolder, { withFileTypes: true })) {
    if (!entry.isFile() || !/^[\w-][\w.-]*$/.test(entry.name)) continue
    try {
      await copyFile(join(sourceFolder, entry.name), join(targetFolder, entry.name))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
}

/**
 * Writes a backup into a new folder, which gets its name when the backup is complete.
 *
 * @throws A BackupError when the folder exists or a program is missing.
 */
export async function writeBackup(source: BackupSource, folder: string, now = new Date()): Promise<Manifest> {
  if (existsSync(folder)) throw new BackupError(`The folder ${folder} exists already.`)
  const draft = `${folder}.part`
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const { kind, schema } = await writeDatabase(source, draft)
    // Files are copied after the database: a file is written before its row, so every row finds its file.
    const uploads = join(source.dataDir, uploadsName)
    if (existsSync(uploads)) await copyUploads(uploads, join(draft, uploadsName))
    const manifest: Manifest = {
      format: 1,
      program: programVersion(),
      createdAt: now.toISOString(),
      kind,
      schema,
      ...(source.store && { filesIn: { endpoint: source.store.endpoint, bucket: source.store.bucket } }),
      files: await checksumsOf(draft),
    }
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await flushFile(join(draft, manifestName))
    await rename(draft, folder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
