/** Chooses where files lie: a bucket when one is set, else the data folder. */
import { join } from 'node:path'
import { uploadsName } from '../../../db/backups/manifest.ts'
import type { Settings } from '../../../settings.ts'
import { DiskStorage } from './disk-storage.ts'
import { ObjectStorage } from './object-storage.ts'
import type { FileStorage } from './storage.ts'

/** In: where the data lies, and the store if one is set. Out: the storage; nothing is opened or asked yet. */
export function openStorage({ dataDir, store }: Pick<Settings, 'dataDir' | 'store'>): FileStorage {
  return store ? new ObjectStorage(store) : new DiskStorage(join(dataDir, uploadsName))
}
