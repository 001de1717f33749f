/** Places of scheduled backups: what a folder and a bucket have in common. */
import type { BackupPlaceName } from '@dala/model/api/backups'
import type { DatabaseCopy, StoredUploads } from '../../db/backups/backup.ts'
import type { Manifest } from '../../db/backups/manifest.ts'
import type { BackupKey } from '../../db/backups/sealed-file.ts'

/** Names of backups that the schedule and the panel make; other files of a place are never touched. */
export const backupName = /^dala-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** The name of the backup of a time. */
export const nameOfBackup = (now: Date) => `dala-${now.toISOString().replaceAll(/[:.]/g, '-')}`

/** A copy of the database that waits to be written to all places. */
export interface StagedCopy extends DatabaseCopy {
  file: string
}

export interface WriteOptions {
  now: Date
  occasion: string
  key: BackupKey | undefined
  uploads: StoredUploads
  /** Whether stored files are compared before they are used again. */
  mustCompare: boolean
  signal: AbortSignal
  /** Throws a BackupError when a disk has too little space for more files. */
  assertSpace: (folder: string) => Promise<void>
}

/** A place of backups. Every method throws a BackupError with one sentence about what is wrong. */
export interface BackupPlace {
  readonly name: BackupPlaceName
  /** Names of the complete backups, oldest first. */
  list(): Promise<string[]>
  /** Removes what an interrupted backup has left. */
  clean(): Promise<void>
  readManifest(name: string): Promise<Manifest>
  /** Writes a backup, which becomes complete with its manifest. Returns the bytes of all of its files. */
  write(name: string, copy: StagedCopy, options: WriteOptions): Promise<number>
  /** Compares every stored file with its checksum. Returns the number of files. */
  compareFiles(name: string, manifest: Manifest, signal: AbortSignal): Promise<number>
  /** Returns the path of the copy of the database, which is fetched into a folder where it is not on a disk. */
  fetchCopy(name: string, manifest: Manifest, folder: string): Promise<string>
  remove(name: string): Promise<void>
  /** Removes stored files that no backup names. */
  sweep(): Promise<void>
}

/** Tells whether the files of a backup may be used again by one with this key. */
export const isSameKey = ({ encryption }: Manifest, key: BackupKey | undefined) => encryption?.keyId === key?.id
