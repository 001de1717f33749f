/** Databases of this browser (IndexedDB), each opened on first use. */
import { type DBSchema, type IDBPDatabase, openDB, type OpenDBCallbacks } from 'idb'

/**
 * Describes a database of the browser (IndexedDB). If the browser closes it, or a newer version in another
 * tab does, the next call opens it again.
 *
 * @param name - The name of the database.
 * @param version - The version of its schema.
 * @param upgradeDatabase - Creates the parts of the schema that an older version lacks.
 * @returns Opens the database; resolves to undefined where the browser refuses it or another tab blocks it.
 */
export function browserDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgradeDatabase: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
): () => Promise<IDBPDatabase<Schema> | undefined> {
  let openingDatabase: Promise<IDBPDatabase<Schema> | undefined> | undefined
  const closeDatabase = async () => {
    const database = await openingDatabase
    openingDatabase = undefined
    database?.close()
  }
  const connect = () =>
    new Promise<IDBPDatabase<Schema> | undefined>((resolve) => {
      let isBlocked = false
      const handleBlocked = () => {
        isBlocked = true
        resolve(undefined)
      }
      // Browsers that refuse databases throw when one is opened, synchronously.
      const openConnection = async () =>
        openDB<Schema>(name, version, {
          upgrade: upgradeDatabase,
          blocked: handleBlocked,
          blocking: () => void closeDatabase(),
          terminated: () => void closeDatabase(),
        })
      openConnection().then(
        (database) => (isBlocked ? database.close() : resolve(database)),
        () => resolve(undefined),
      )
    })
  return async () => {
    if (typeof indexedDB === 'undefined') return undefined
    openingDatabase ??= connect()
    return openingDatabase
  }
}
