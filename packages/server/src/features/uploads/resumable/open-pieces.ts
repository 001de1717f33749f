/** Chooses the store of unfinished uploads: beside the stored files. */
import { join } from 'node:path'
import type { Settings } from '../../../settings.ts'
import { DiskStorage } from '../storage/disk-storage.ts'
import { ObjectStorage } from '../storage/object-storage.ts'
import { openStorage } from '../storage/open-storage.ts'
import { incomingName } from '../uploads.ts'
import { DiskPieces, ObjectPieces, type PieceStore } from './piece-store.ts'

/** Name of the folder of unfinished resumable uploads, in that of incoming files. */
export const resumableName = 'resumable'

/**
 * Creates the store of unfinished uploads.
 *
 * @param settings - The data folder, and the object store if one is set.
 * @returns The store; nothing is opened yet.
 */
export function openPieces(settings: Pick<Settings, 'dataDir' | 'store'>): PieceStore {
  const storage = openStorage(settings)
  if (storage instanceof ObjectStorage && settings.store) return new ObjectPieces(settings.store, storage)
  if (storage instanceof DiskStorage)
    return new DiskPieces(join(settings.dataDir, incomingName, resumableName), storage)
  throw new Error('The storage of files has no place for unfinished uploads')
}
