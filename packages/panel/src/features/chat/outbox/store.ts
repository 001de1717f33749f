/** The outbox on the disk of this browser, one row for each message; a browser without a database has none. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Outgoing } from '../core/queue.ts'

interface Schema extends DBSchema {
  messages: { key: string; value: Outgoing; indexes: { user: number } }
}

let opening: Promise<IDBPDatabase<Schema> | undefined> | undefined

async function open(): Promise<IDBPDatabase<Schema> | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  opening ??= openDB<Schema>('outbox', 1, {
    upgrade: (database) => {
      database.createObjectStore('messages', { keyPath: 'clientId' }).createIndex('user', 'user')
    },
    // Another tab wants a later version, or the browser has closed it: it is opened again when it is needed.
    blocking: () => void close(),
    terminated: () => void close(),
  }).catch(() => undefined)
  return opening
}

async function close(): Promise<void> {
  const database = await opening
  opening = undefined
  database?.close()
}

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
