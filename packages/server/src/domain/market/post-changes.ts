/** Which trading posts changed for their moderators: collected in the transaction, sent after its commit (market §7). */
import type { Database, Transaction } from '../../db/database.ts'

/** Sends what is known of a post by its document, and who changed it; it never throws. */
type Listener = (document: number) => void

const listeners = new WeakMap<Database, Listener>()

/** Has every change of a post sent from here on. */
export function onPostChange(database: Database, listener: Listener): void {
  listeners.set(database, listener)
}

/** Has the change of a post sent, once it is stored. */
export function notePost(trx: Transaction, document: number): void {
  const listener = listeners.get(trx.database)
  if (listener) trx.afterCommit(() => listener(document))
}
