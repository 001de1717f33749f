/** Adds notices to the inboxes of accounts, in the transaction of their cause. */
import type { PostOutcome } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'

/** Notice of a decision on a trading post, with the reason in the language of the author. */
type PostNotices = Record<`post.${PostOutcome}`, { title: string; reason: string }>

/** Values of each kind of notice, which are filled into the message `inbox.<kind>`. */
export interface Notices extends PostNotices {
  'bulk.finished': { resource: string; count: number; changed: number; refused: number; job: number; state: string }
  'view.shared': { name: string; by: string }
  'desk.waiting': { customer: string }
  'desk.returned': { customer: string; consultant: string }
  'chat.assigned': { customer: string }
  'consultation.assigned': { customer: string }
  'consultation.reopened': { customer: string }
  'import.done': { resource: string; created: number; updated: number }
  'import.failed': { resource: string; file: string }
}

/** A receiver of the accounts whose inboxes have changed, which never throws. */
type InboxListener = (users: readonly number[]) => void

declare module '../../db/database.ts' {
  interface Subjects {
    inbox: InboxListener
  }
}

/**
 * Subscribes to changes of inboxes by this instance.
 *
 * @returns An unsubscribe function.
 */
export const onInboxChange = (database: Database, listener: InboxListener): (() => void) =>
  database.onAlone('inbox', listener)

/** Emits that the inboxes of accounts have changed; within a transaction only after its commit. */
export function emitInboxChange(database: Database, users: readonly number[]): void {
  if (users.length > 0) for (const listener of database.listenersOf('inbox')) listener(users)
}

interface Notice<K extends keyof Notices> {
  /** Ids of the accounts. */
  users: readonly number[]
  kind: K
  params: Notices[K]
  /** Link of the notice in the panel; null for a notice without a page. */
  address: string | null
  /** Name of the event among those of its kind; an account receives a notice with the same key once. */
  key?: string
}

/**
 * Adds a notice for each of several accounts, in the transaction of its cause. An account that has the notice
 * of the same kind and key already receives none, also from another instance at the same time.
 */
export async function notify<K extends keyof Notices>(
  trx: Transaction,
  { users, kind, params, address, key }: Notice<K>,
): Promise<void> {
  const added = await trx.query(sql<{ user: number }>`
    insert into notices (user_id, kind, params, address, key)
    select id, ${kind}::text, ${JSON.stringify(params)}::jsonb, ${address}::text, ${key ?? null}::text from users
     where id = any(${[...users]}::int[]) and removed_at is null
     order by id on conflict (user_id, kind, key) do nothing returning user_id as "user"`)
  if (added.length === 0) return
  trx.changed('notices')
  trx.afterCommit(() =>
    emitInboxChange(
      trx.database,
      added.map(({ user }) => user),
    ),
  )
}
