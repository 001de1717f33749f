/** Deletes expired audit lines: the oldest part of the chain, which continues from an anchor. */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { chainLock, type ChainLink } from './audit-chain.ts'
import { sealWaitingLines } from './sealer.ts'

const batch = 10_000

/**
 * Deletes audit lines older than a number of days, up to the first younger line of the chain (checklist §10).
 * Unsealed lines stay.
 *
 * @param database - The database.
 * @param days - The age in days.
 * @returns The number of deleted lines.
 */
export async function expireAudit(database: Database, days: number): Promise<number> {
  await sealWaitingLines(database)
  let removedCount = 0
  for (;;) {
    const count = await database.transaction((trx) => expireBatch(trx, days))
    removedCount += count
    if (count < batch) return removedCount
  }
}

async function expireBatch(trx: Transaction, days: number): Promise<number> {
  await trx.query(sql`select pg_advisory_xact_lock(${chainLock}::int), set_config('dala.audit_expiry', 'on', true)`)
  const [anchor] = await trx.query(sql<ChainLink>`
    insert into audit_anchor (seal, hash)
    select a.seal, a.hash from audit a where a.seal = least(
      (select min(seal) from audit) + ${batch - 1}::int,
      coalesce((select young.seal - 1 from audit young where young.seal is not null
          and young.created_at >= now() - make_interval(days => ${days}::int) order by young.seal limit 1),
        (select max(seal) from audit)))
    on conflict (one) do update set seal = excluded.seal, hash = excluded.hash, moved_at = now()
    returning seal, hash`)
  if (!anchor) return 0
  const [row] = await trx.query(sql<{ count: number }>`
    with gone as (delete from audit where seal <= ${anchor.seal}::int returning 1) select count(*)::int as count from gone`)
  trx.changed('audit')
  return row?.count ?? 0
}
