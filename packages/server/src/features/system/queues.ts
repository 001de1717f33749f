/** Counts background work by kind, all kinds in one statement. */
import type { SystemState } from '@dala/model'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type QueueState = Extract<SystemState['queues'], { state: 'answered' }>['kinds'][number]

/** Number of marks of changed days after which their count ends. */
const mostMarks = 10_000

/**
 * Reads the state of the background work.
 *
 * @param database - The database.
 * @returns One row for each kind, in the order of the contract.
 */
export const readQueues = ({ query }: Pick<Database, 'query'>): Promise<QueueState[]> =>
  query(sql<QueueState>`
    select 'bulk' as kind, count(*) filter (where state = 'waiting')::int as waiting,
           count(*) filter (where state in ('running', 'undoing'))::int as running,
           count(*) filter (where state = 'failed' and created_at > now() - interval '24 hours')::int as failed,
           count(*) filter (where state in ('running', 'undoing') and started_at < now() - interval '1 hour')::int as stuck,
           max(coalesce(finished_at, started_at)) as last_at from bulk_jobs
    union all
    select 'imports', count(*) filter (where state = 'preview')::int,
           count(*) filter (where state in ('parsing', 'committing'))::int,
           count(*) filter (where state = 'failed' and updated_at > now() - interval '24 hours')::int,
           count(*) filter (where state in ('parsing', 'committing') and updated_at < now() - interval '1 hour')::int,
           max(updated_at) from insert_excel
    union all
    select 'reports', 0, count(*) filter (where state = 'running')::int,
           count(*) filter (where state = 'failed' and created_at > now() - interval '24 hours')::int,
           count(*) filter (where state = 'running' and claimed_at < now() - interval '1 hour')::int,
           max(created_at) from report_files
    union all
    select 'letters', count(*) filter (where sent_at is null and created_at > now() - interval '1 day')::int, 0,
           count(*) filter (where sent_at is null and created_at between now() - interval '2 days' and now() - interval '1 day')::int,
           0, max(sent_at) from mails
    union all
    select 'notices', count(*) filter (where state = 'waiting')::int, count(*) filter (where state = 'sending')::int,
           count(*) filter (where state = 'dropped' and reason is not null and changed_at > now() - interval '24 hours')::int,
           0, max(changed_at) filter (where state = 'sent') from notice_deliveries
    union all
    select 'counts', (select count(*)::int from (select 1 from report_marks limit ${mostMarks}::int) as m), 0, 0, 0,
           max(counted_at) from report_days`)
