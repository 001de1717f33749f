/**
 * Changes of trading posts for their moderators: collected
 * in the transaction, sent after its commit (market §7).
 */
import type { Database, Transaction } from '../../db/database.ts'

/** A receiver of changed trading posts by document, which never throws. */
type Listener = (document: number) => void

declare module '../../db/database.ts' {
  interface SubjectTypes {
    post: Listener
  }
}

/**
 * Subscribes to changes of trading posts.
 *
 * @returns An unsubscribe function.
 */
export const onPostChange = (database: Database, listener: Listener): (() => void) => database.onAlone('post', listener)

/** Notifies subscribers of a change of a trading post after the commit. */
export function notifyPostChange(trx: Transaction, document: number): void {
  for (const listener of trx.database.listenersOf('post')) trx.afterCommit(() => listener(document))
}
