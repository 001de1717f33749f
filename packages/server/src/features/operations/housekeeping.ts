/**
 * Deletes expired rows: audit, sent letters, codes, idempotency keys, sessions, subscriptions of browsers,
 * notices, removed records, bulk jobs, imports, files and shared pages of reports, the record of their letters,
 * and days of visits.
 */
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { trashDays } from '../../resources/write/restore.ts'
import { expireAudit } from './audit-expiry.ts'

const intervalMs = 86_400_000

/** Deletes expired rows once a day. */
export class HousekeepingJob {
  readonly #database: Database
  readonly #auditDays: number
  readonly #clock = new RepeatedWork(intervalMs)

  constructor(database: Database, auditDays: number) {
    this.#database = database
    this.#auditDays = auditDays
  }

  /**
   * Deletes expired rows now and once a day.
   *
   * @param onError - Handles an error, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.clear(), onError)
  }

  /** Stops the timer of the deletions and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /** Deletes all rows whose retention time is over (checklist §10: one year of audit). */
  async clear(): Promise<void> {
    const { query } = this.#database
    await query(sql`delete from mails where created_at < now() - interval '7 days'`)
    await query(sql`delete from reset_codes where expires_at < now()`)
    await query(sql`delete from email_confirmations where created_at < now() - interval '7 days'`)
    await query(sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`)
    await query(sql`delete from sessions where expires_at < now() - interval '7 days'`)
    await query(sql`
      delete from push_subscriptions where session_id not in (
        select id from sessions where revoked_at is null and expires_at > now() and last_seen_at > now() - interval '24 hours')`)
    await query(sql`delete from notices where created_at < now() - interval '90 days'`)
    await query(sql`delete from report_files where expires_at < now()`)
    await query(sql`delete from report_shares where expires_at < now() - interval '90 days'`)
    await query(sql`delete from report_sendings where created_at < now() - interval '1 year'`)
    await query(sql`delete from report_schedules where deleted_at < now() - interval '1 day'`)
    await query(sql`delete from user_days where first_at < now() - interval '6 years'`)
    await query(sql`delete from online_hours where hour < now() - interval '6 years'`)
    await query(sql`delete from home_put_off where until < now()`)
    await query(sql`delete from removed_rows where created_at < now() - make_interval(days => ${trashDays}::int)`)
    await query(sql`
      delete from bulk_jobs where created_at < now() - case when dry_run then interval '7 days' else interval '90 days' end`)
    await query(sql`
      delete from import_rows where import_id in (
        select id from insert_excel where updated_at < now() - interval '90 days' and state not in ('parsing', 'committing'))`)
    // The expiry of the audit runs last because it may have to wait for the sealer.
    await expireAudit(this.#database, this.#auditDays)
  }
}
