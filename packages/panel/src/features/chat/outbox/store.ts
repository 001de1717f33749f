/** The outbox on the disk of this browser, one row for each message; a browser without a database has none. */
import type { DBSchema } from 'idb'
import { browserDatabase } from '../../../lib/browser-database.ts'
import type { Outgoing } from '../core/queue.ts'

interface Schema extends DBSchema {
  messages: { key: string; value: Outgoing; indexes: { user: number } }
}

const open = browserDatabase<Schema>('outbox', 1, (database) => {
  database.createObjectStore('messages', { keyPath: 'clientId' }).createIndex('user', 'user')
})

/** The messages of a writer that are not with the server, as the last page left them. */
export async function readOutbox(user: number): Promise<Outgoing[]> {
  const database = await open()
  return (await database?.getAllFromIndex('messages', 'user', user).catch(() => [])) ?? []
}

/** Writes some and forgets others in one step. A disk that is full loses nothing of the page itself. */
export async function writeOutbox(put: readonly Outgoing[], drop: readonly string[]): Promise<void> {
  const database = await open()
  if (!database) return
  try {
    // On the disk itself, not only with the operating system: the power may fail.
    const writing = database.transaction('messages', 'readwrite', { durability: 'strict' })
    await Promise.all([
      ...put.map((outgoing) => writing.store.put(outgoing)),
      ...drop.map((clientId) => writing.store.delete(clientId)),
      writing.done,
    ])
  } catch {
    // What could not be kept lasts as long as the page.
  }
}
