/** Reads how old the last proved backup is, for the System page and `dala doctor`, which judge it alike. */
import type { Queries } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Days without a proved backup from which it is a warning. */
const mostUnprovedDays = 8

/** The proof of backups in a database. */
export interface ProvedBackups {
  /** When the newest proved backup was taken; null when none was ever proved. */
  proved_at: string | null
  /** Days since then, or since the first day of the installation; null before that day was measured. */
  days: number | null
  /** What became of the newest scheduled backup, when it has ended badly. */
  failure: { at: string; step: 'backup' | 'proof' } | null
}

interface ProofRow {
  proved_at: string | null
  days: number | null
  failed_at: string | null
  step: 'backup' | 'proof' | null
}

/**
 * Reads the proof of the backups in one statement. A backup that is being proved again still counts as proved.
 *
 * @param queries - The database.
 */
export async function readProvedBackups({ query }: Pick<Queries, 'query'>): Promise<ProvedBackups> {
  const [row] = await query(sql<ProofRow>`
    with proved as (
      select max(taken_at) as at from backups
       where state = 'complete' and (proof = 'proved' or (proof = 'running' and proved_rows is not null))
    ), scheduled as (
      select taken_at, case when state = 'failed' then 'backup' when proof = 'failed' then 'proof' end as step
        from backups where kind in ('daily', 'weekly', 'monthly') and state <> 'running'
       order by taken_at desc, id desc limit 1
    )
    select proved.at as proved_at,
           floor(extract(epoch from now() - coalesce(proved.at, (select min(measured_at) from system_days))) / 86400)::int as days,
           case when scheduled.step is not null then scheduled.taken_at end as failed_at, scheduled.step
      from proved left join scheduled on true`)
  if (!row) throw new Error('The backups could not be read')
  const { proved_at: provedAt, days, failed_at: at, step } = row
  return { proved_at: provedAt, days, failure: at === null || step === null ? null : { at, step } }
}

/** Tells whether it is too long ago that a backup was proved. */
export const isUnproved = ({ days }: Pick<ProvedBackups, 'days'>): boolean => days !== null && days >= mostUnprovedDays
