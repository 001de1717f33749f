/** The backup that a command names: a folder, the file of an hourly copy, or one of the bucket of backups. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bucketScheme, fetchBackup } from '../features/backups/fetch-backup.ts'
import type { Settings } from '../settings.ts'

/**
 * Runs work on a backup. One of the bucket is fetched into a temporary folder, which is removed afterwards.
 *
 * @param settings - The bucket of backups.
 * @param named - A path, or `s3:` and the name of a backup in the bucket, or `s3:newest`.
 * @param runWork - The work on the path of the backup.
 * @returns What the work returns.
 */
export async function withNamedBackup<T>(
  { backups }: Pick<Settings, 'backups'>,
  named: string,
  runWork: (path: string) => Promise<T>,
): Promise<T> {
  if (!named.startsWith(bucketScheme)) return runWork(resolve(named))
  const workFolder = await mkdtemp(join(tmpdir(), 'dala-fetched-'))
  try {
    const folder = join(workFolder, 'backup')
    await fetchBackup(backups.bucket, named.slice(bucketScheme.length), folder)
    return await runWork(folder)
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}
