/** Chooses the storage of files: a bucket when one is set, else the data folder. */
import { join } from 'node:path'
import { uploadsName } from '../../../db/backups/manifest.ts'
import type { Settings } from '../../../settings.ts'
import { DiskStorage } from './disk-storage.ts'
import { ObjectStorage } from './object-storage.ts'
import type { FileStorage } from './storage.ts'

/**
 * Creates the storage of files by the settings.
 *
 * @param settings - The data folder, and the store if one is set.
 * @returns The storage; no file is opened yet.
 */
export function openStorage({ dataDir, store }: Pick<Settings, 'dataDir' | 'store'>): FileStorage {
  return store ? new ObjectStorage(store) : new DiskStorage(join(dataDir, uploadsName))
}
