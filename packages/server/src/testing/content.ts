/**
 * The content of all records as one text for comparisons, without counters and timestamps that every write
 * changes.
 */
import { createHash } from 'node:crypto'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'

/** Names of tables with logs, visits, counts for reports and the program's own state, which the comparison leaves out. */
const traces = [
  'revisions',
  'audit',
  'restores',
  'backups',
  'migrations',
  'bulk_jobs',
  'bulk_rows',
  'notices',
  'idempotency_keys',
  'sessions',
  'mails',
  'seeds',
  'throttles',
  'user_days',
  'content_opens',
  'report_days',
  'report_counts',
  'report_marks',
  'report_checks',
  'report_versions',
  'desk_calendar',
  'system_days',
  'memory_changes',
  'memory_segments',
  'memory_stems',
]

/** Returns the checksum of every row of every table of records, without versions and times of writing. */
export async function contentOf(database: Database): Promise<string> {
  const tables = await database.query(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${traces}::text[]) order by tablename`)
  const hash = createHash('sha256')
  for (const { name } of tables) {
    const rows = await database.query(sql<{ row: string }>`
      select (to_jsonb(r) - 'version' - 'updated_at' - 'last_seen_at')::text as row from ${sql.table(name)} r order by 1`)
    hash.update(JSON.stringify([name, rows]))
  }
  return hash.digest('hex')
}
