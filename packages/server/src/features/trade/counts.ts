/** Counts trading posts for each tab of the queue. */
import type { Caller, QueueCounts } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

const emptyCounts: QueueCounts = {
  on_hold: 0,
  needs_changes: 0,
  reported: 0,
  processed: 0,
  rejected: 0,
  expired: 0,
  archived: 0,
  all: 0,
}

interface CountedGroup {
  status: string
  waiting: number
  reported: number
  count: number
}

function countsOf(groups: readonly CountedGroup[]): QueueCounts {
  const counts = { ...emptyCounts }
  for (const { status, waiting, reported, count } of groups) {
    // The waiting tab counts trading posts and edits by their waiting state: the post of an edit has a tab of
    // its own.
    if (status !== 'on_hold' && status in counts) counts[status as keyof QueueCounts] += count
    counts.on_hold += waiting
    counts.reported += reported
    counts.all += count
  }
  return counts
}

/** Counts all trading posts. */
export async function countPosts(queries: Queries): Promise<QueueCounts> {
  const groups = await queries.query(sql<CountedGroup>`
    select status, count(*)::int as count, count(waiting_since)::int as waiting,
           count(*) filter (where reports_open > 0)::int as reported
      from tradinposts group by status`)
  return countsOf(groups)
}

/** Counts trading posts within the rows of a caller; only staff receive the count of reports. */
export async function countPostsFor({ database }: FeatureRoutes, caller: Caller, view: View): Promise<QueueCounts> {
  if (!view.rows) return countPosts(database)
  const rows = await runScopedQuery(
    database,
    { resource: resourceNamed('tradinposts'), caller, view },
    ({ from, where, document }) => {
      const columnRef = (name: string) => sql.ref(`${document}.${name}`)
      return sql<CountedGroup>`select ${columnRef('status')} as status, count(distinct ${columnRef('id')})::int as count, 0 as reported,
                        (count(distinct ${columnRef('id')}) filter (where ${columnRef('waiting_since')} is not null))::int as waiting
                   from ${from} where ${where} group by 1`
    },
  )
  return countsOf(rows)
}
