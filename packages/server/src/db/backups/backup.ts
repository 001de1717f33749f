/** Writes a backup: a consistent copy of the database, the uploaded files, and their manifest. */
import { constants, copyFile, link, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { schemaVersion } from '../migrate.ts'
import type { DataSettings } from '../open-data.ts'
import { BackupError } from './backup-error.ts'
import {
  archiveNames,
  checksumOf,
  type Manifest,
  manifestName,
  manifestText,
  programVersion,
  uploadsName,
} from './manifest.ts'
import { dumpServer } from './postgres-tools.ts'
import { countRows, type RowCounts } from './row-counts.ts'
import type { BackupKey } from './sealed-file.ts'
import { type StoredFile, storeFile, type StoreOptions } from './stored-file.ts'

export interface BackupSource extends DataSettings {
  /** Open database, for a PostgreSQL server and within the running program. */
  database?: Database
  /** Packed copy of the embedded database. */
  image?: Blob
  /** Bucket with the uploaded files, which the manifest names because they stay there. */
  store?: { endpoint: string; bucket: string } | undefined
}

/** The uploaded files, wherever they are stored. A file never changes under its name. */
export interface StoredUploads {
  list(): AsyncIterable<{ name: string }>
  /** Opens a file; undefined when it was deleted meanwhile. */
  read(name: string): Promise<{ stream: Readable } | undefined>
}

/** A copy of the database in a file. */
export interface DatabaseCopy extends StoredFile {
  kind: 'embedded' | 'server'
  schema: string
  rows: RowCounts
}

/** An earlier backup at the same place, whose files are used again instead of being copied. */
interface FormerBackup {
  folder: string
  manifest: Manifest
  /** Whether files are compared with their checksum before they are used again. */
  mustCompare: boolean
}

export interface BackupOptions extends StoreOptions {
  now?: Date
  /** Occasion of a backup that the server takes itself. */
  occasion?: string
  former?: FormerBackup | undefined
  uploads?: StoredUploads
  /** Throws a BackupError when the disk has too little space for more files. */
  assertSpace?: (folder: string) => Promise<void>
}

/** The notice for a backup without the uploaded files. */
export const bucketDescription = ({ endpoint, bucket }: { endpoint: string; bucket: string }): string =>
  `NOT in this backup: the uploaded files. They lie in the bucket ${bucket} at ${endpoint}; copy it with the store's own tools.`

/** Runs work on a packed embedded database in memory. Throws a BackupError when it cannot be opened. */
async function withImage<T>(image: Blob, runWork: (copy: Database) => Promise<T>): Promise<T> {
  const copy = await openDatabase({ memory: true, image }).catch(() => {
    throw new BackupError('The copy of the database cannot be opened.')
  })
  try {
    return await runWork(copy)
  } finally {
    await copy.close()
  }
}

/** The schema in a packed embedded database; opening it proves that it can be restored. */
export const schemaOfImage = (image: Blob): Promise<string> => withImage(image, schemaVersion)

async function flushFile(file: string): Promise<void> {
  const fileHandle = await open(file, 'r+')
  try {
    await fileHandle.sync()
  } finally {
    await fileHandle.close()
  }
}

async function copyEmbedded(
  { database, image: givenImage }: BackupSource,
  file: string,
  options: StoreOptions,
): Promise<DatabaseCopy> {
  if (givenImage === undefined) {
    if (database === undefined) throw new BackupError('There is no database to back up.')
    const schema = await schemaVersion(database)
    let rows: RowCounts = {}
    const image = await database.snapshot(async (connection) => {
      rows = await countRows(connection)
    })
    if (image === undefined) throw new BackupError('There is no database to back up.')
    return { kind: 'embedded', schema, rows, ...(await storeFile(Readable.fromWeb(image.stream()), file, options)) }
  }
  const stored = await storeFile(Readable.fromWeb(givenImage.stream()), file, options)
  return withImage(givenImage, async (copy) => ({
    kind: 'embedded',
    schema: await schemaVersion(copy),
    rows: await countRows(copy),
    ...stored,
  }))
}

/** Copies the database of a server, and counts its rows in the same snapshot. */
function copyServer(
  database: Database,
  databaseUrl: string,
  file: string,
  options: StoreOptions,
): Promise<DatabaseCopy> {
  return database.session(async (session) => {
    // The schema is read before the copy: after a migration in between, the restore refuses the manifest.
    const schema = await schemaVersion(database)
    await session.script('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    try {
      await session.script('begin isolation level repeatable read, read only')
      const [exported] = (await session.script('select pg_export_snapshot() as id')) as { id: string }[]
      const rows = await countRows(session)
      let stored: StoredFile | undefined
      const writeDump = async (bytes: Readable) => {
        stored = await storeFile(bytes, file, options)
      }
      await dumpServer(databaseUrl, exported?.id ?? '', writeDump, options.signal)
      if (stored === undefined) throw new BackupError('pg_dump gave no bytes.')
      return { kind: 'server', schema, rows, ...stored }
    } finally {
      await session.script('rollback')
      await session.script('reset statement_timeout; reset idle_in_transaction_session_timeout')
    }
  })
}

/**
 * Writes a copy of the database, with the numbers of its rows in the same moment.
 *
 * @param source - The database.
 * @param folder - The folder of the new file, which is named by the kind of the database.
 * @param options - The key, and the signal that ends the work.
 * @returns The copy.
 * @throws A BackupError when a program is missing or fails.
 */
export async function copyDatabase(source: BackupSource, folder: string, options: StoreOptions): Promise<DatabaseCopy> {
  const { database, databaseUrl } = source
  if (databaseUrl === undefined) return copyEmbedded(source, join(folder, archiveNames.embedded), options)
  if (database === undefined) throw new BackupError('There is no database to back up.')
  return copyServer(database, databaseUrl, join(folder, archiveNames.server), options)
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * The uploaded files in a folder. Hidden files belong to other programs, and a file that is deleted meanwhile
 * belongs to a deleted record. Neither must make a backup fail.
 */
export const uploadsIn = (folder: string): StoredUploads => ({
  async *list() {
    if (!existsSync(folder)) return
    for await (const entry of await opendir(folder))
      if (entry.isFile() && /^[\w-][\w.-]*$/.test(entry.name)) yield { name: entry.name }
  },
  async read(name) {
    try {
      return { stream: (await open(join(folder, name), 'r')).createReadStream() }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
})

/** Path of an uploaded file below the folder of a backup. */
export const uploadPath = (name: string) => `${uploadsName}/${name}`

/**
 * Makes a hard link to a file, or a copy where the file system has none. Takes no space of its own in the first
 * case, so that the same files of many backups are stored once.
 *
 * @returns False when there is no such file.
 */
export async function linkFile(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    await copyFile(source, target, constants.COPYFILE_EXCL)
    await flushFile(target)
    return true
  }
}

/** Uses a file of the former backup again, if that backup has it. Returns its checksum. */
async function reuseFile(former: FormerBackup, path: string, target: string): Promise<string | undefined> {
  const checksum = former.manifest.files[path]
  if (checksum === undefined) return undefined
  const source = join(former.folder, path)
  if (former.mustCompare && (await checksumOf(source).catch(() => '')) !== checksum) return undefined
  return (await linkFile(source, target)) ? checksum : undefined
}

/** Copies the uploaded files into the folder of a backup. Returns their checksums by path. */
async function copyUploads(
  uploads: StoredUploads,
  folder: string,
  { former, key, signal, assertSpace }: BackupOptions,
): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {}
  for await (const { name } of uploads.list()) {
    signal?.throwIfAborted()
    const path = uploadPath(name)
    const target = join(folder, path)
    if (Object.keys(checksums).length === 0) await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const reused = former && (await reuseFile(former, path, target))
    if (reused !== undefined) {
      checksums[path] = reused
      continue
    }
    const found = await uploads.read(name)
    if (!found) continue
    await assertSpace?.(folder)
    checksums[path] = (await storeFile(found.stream, target, { key, signal })).checksum
  }
  return checksums
}

/**
 * Makes the manifest of a backup.
 *
 * @param copy - The copy of the database.
 * @param uploads - The checksums of the uploaded files by path.
 * @param options - The time and the occasion.
 * @param store - The bucket with the uploaded files that are not in the backup.
 */
export function manifestOf(
  { kind, schema, rows, checksum }: DatabaseCopy,
  uploads: Readonly<Record<string, string>>,
  { now = new Date(), occasion }: Pick<BackupOptions, 'now' | 'occasion'>,
  store?: BackupSource['store'],
): Manifest {
  return {
    format: 2,
    program: programVersion(),
    createdAt: now.toISOString(),
    ...(occasion !== undefined && { occasion }),
    kind,
    schema,
    ...(store && { filesIn: { endpoint: store.endpoint, bucket: store.bucket } }),
    rows,
    files: { [archiveNames[kind]]: checksum, ...uploads },
  }
}

/**
 * Writes the folder of a backup, which gets its name when the backup is complete.
 *
 * @param folder - The new folder.
 * @param placeCopy - Writes the copy of the database into the folder that it receives.
 * @param uploads - The uploaded files; a backup without them is not one of the whole data.
 * @param options - The key, the former backup and others.
 * @param store - The bucket with the uploaded files that are not in the backup.
 * @returns The manifest.
 * @throws A BackupError when the folder exists.
 */
export async function writeFolder(
  folder: string,
  placeCopy: (draft: string) => Promise<DatabaseCopy>,
  uploads: StoredUploads,
  options: BackupOptions,
  store?: BackupSource['store'],
): Promise<Manifest> {
  if (existsSync(folder)) throw new BackupError(`The folder ${folder} exists already.`)
  const draft = `${folder}.part`
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const copy = await placeCopy(draft)
    // Files are copied after the database: a file is written before its row, so every row finds its file.
    const manifest = manifestOf(copy, await copyUploads(uploads, draft, options), options, store)
    await writeFile(join(draft, manifestName), manifestText(manifest, options.key), { mode: 0o600 })
    await flushFile(join(draft, manifestName))
    await rename(draft, folder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/**
 * Writes a backup of a database and of the files in its data folder.
 *
 * @param source - The database and the data folder.
 * @param folder - The new folder.
 * @param options - The key and the time.
 * @returns The manifest.
 * @throws A BackupError when the folder exists or a program is missing.
 */
export function writeBackup(
  source: BackupSource,
  folder: string,
  options: { now?: Date; key?: BackupKey | undefined } = {},
): Promise<Manifest> {
  const uploads = uploadsIn(join(source.dataDir, uploadsName))
  return writeFolder(folder, (draft) => copyDatabase(source, draft, options), uploads, options, source.store)
}

/** Returns the number of bytes of a file. */
export const bytesOf = async (file: string): Promise<number> => (await stat(file)).size
