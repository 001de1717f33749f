/** Fetches a backup of a bucket into a folder, in the form of a backup that was written there. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from '../../db/backups/backup-error.ts'
import { manifestName } from '../../db/backups/manifest.ts'
import type { BackupBucketSettings } from '../../settings.ts'
import { BucketPlace } from './bucket-place.ts'

/** Beginning of the name of a backup in the bucket of the settings, on the command line. */
export const bucketScheme = 's3:'

/**
 * Fetches a backup of a bucket.
 *
 * @param bucket - The bucket of the settings.
 * @param name - The name of the backup, or `newest`.
 * @param folder - The new folder.
 * @throws BackupError without such a backup.
 */
export async function fetchBackup(
  bucket: BackupBucketSettings | undefined,
  name: string,
  folder: string,
): Promise<void> {
  if (!bucket) throw new BackupError('The settings name no bucket of backups: set BACKUP_S3_BUCKET.')
  const place = new BucketPlace(bucket)
  const names = await place.list()
  const chosenName = name === 'newest' ? names.at(-1) : names.find((listed) => listed === name)
  if (chosenName === undefined)
    throw new BackupError(`The bucket has no backup ${name}; it has: ${names.slice(-10).join(', ') || 'none at all'}.`)
  const { text, manifest } = await place.readManifestText(chosenName)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const file of Object.entries(manifest.files)) {
    const target = join(folder, file[0])
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await place.fetchFile(chosenName, file, target)
  }
  await writeFile(join(folder, manifestName), text, { mode: 0o600 })
}
