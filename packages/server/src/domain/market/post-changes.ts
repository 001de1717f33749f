/** Which trading posts changed for their moderators: collected in the transaction, sent after its commit (market §7). */
import type { Database, Transaction } from '../../db/database.ts'

/** Sends what is known of a post by its document, and who changed it; it never throws. */
type Listener = (document: number) => void

declare module '../../db/database.ts' {
  interface Subjects {
    post: Listener
  }
}

/** Has every change of a post sent from here on. Out: a function that ends it. */
export const onPostChange = (database: Database, listener: Listener): (() => void) => database.onAlone('post', listener)

/** Has the change of a post sent, once it is stored. */
export function notePost(trx: Transaction, document: number): void {
  for (const listener of trx.database.listenersOf('post')) trx.afterCommit(() => listener(document))
}
