/** Adds notices to the inboxes of accounts, in the transaction of their cause. */
import type { PostOutcome } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'

/** Notice of a decision on a trading post, with the reason in the language of the author. */
type PostNotices = Record<`post.${PostOutcome}`, { title: string; reason: string }>

/** Values of each kind of notice, which are filled into the message `inbox.<kind>`. */
export interface Notices extends PostNotices {
  'bulk.finished': { resource: string; count: number; changed: number; refused: number; job: number; state: string }
  'view.shared': { name: string; by: string }
  'desk.waiting': { customer: string }
  'desk.returned': { customer: string; consultant: string }
}

/** Adds a notice for each of several accounts. `address` is the notice's link in the panel. */
export async function notify<K extends keyof Notices>(
  trx: Transaction,
  { users, kind, params, address }: { users: readonly number[]; kind: K; params: Notices[K]; address: string | null },
): Promise<void> {
  await trx.query(sql`
    insert into notices (user_id, kind, params, address)
    select id, ${kind}::text, ${JSON.stringify(params)}::jsonb, ${address}::text from users
     where id = any(${[...users]}::int[]) and removed_at is null`)
  trx.changed('notices')
}
