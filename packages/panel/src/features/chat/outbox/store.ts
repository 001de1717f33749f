/** The outbox in IndexedDB, one row for each message; a browser without IndexedDB stores nothing. */
import type { DBSchema } from 'idb'
import { browserDatabase } from '../../../lib/browser-database.ts'
import type { OutgoingMessage } from '../core/queue.ts'

interface Schema extends DBSchema {
  messages: { key: string; value: OutgoingMessage; indexes: { user: number } }
}

const openDatabase = browserDatabase<Schema>('outbox', 1, (database) => {
  database.createObjectStore('messages', { keyPath: 'clientId' }).createIndex('user', 'user')
})

/** Stored unsent messages of a user. */
export async function readOutbox(user: number): Promise<OutgoingMessage[]> {
  const database = await openDatabase()
  return (await database?.getAllFromIndex('messages', 'user', user).catch(() => [])) ?? []
}

/** Writes and deletes messages in one transaction. A full disk affects nothing that is in memory. */
export async function writeOutbox(
  putMessages: readonly OutgoingMessage[],
  droppedIds: readonly string[],
): Promise<void> {
  const database = await openDatabase()
  if (!database) return
  try {
    // Messages are flushed to the disk itself, not only to the operating system's cache: the power may fail.
    const transaction = database.transaction('messages', 'readwrite', { durability: 'strict' })
    await Promise.all([
      ...putMessages.map((unsentMessage) => transaction.store.put(unsentMessage)),
      ...droppedIds.map((clientId) => transaction.store.delete(clientId)),
      transaction.done,
    ])
  } catch {
    // A message that could not be stored in the database exists until the page is closed.
  }
}
