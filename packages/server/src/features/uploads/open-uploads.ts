/** Creates the upload service from the settings, for the routes and for a seed that stores pictures. */
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { openStorage } from './storage/open-storage.ts'
import type { FileStorage } from './storage/storage.ts'
import { Uploads } from './uploads.ts'

/**
 * Creates the upload service.
 *
 * @param database - The database with the records of the files.
 * @param settings - The settings of the server.
 * @param warnOf - Receives errors of files that could not be removed; the sweep removes them later.
 * @param storage - The store of the files; by default that of the settings.
 * @returns The service; nothing is opened yet.
 */
export function openUploads(
  database: Database,
  settings: Settings,
  warnOf: (error: unknown, message: string) => void,
  storage: FileStorage = openStorage(settings),
): Uploads {
  const { dataDir, uploads: limits } = settings
  return new Uploads({ database, storage, dataDir, limits, warnOf: warnOf })
}
