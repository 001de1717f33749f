/** Reads the workload of consultants, for a page of a list or for a single consultant. */
import { type Caller, fault, type Workload, rankOfRole } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { resourceNamed, type View } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'

const isStaff = ({ role }: Caller) => rankOfRole(role) >= rankOfRole('admin')

/**
 * Returns the accounts that a caller may see.
 *
 * @param caller - The caller.
 * @returns The view of accounts.
 * @throws 403 for callers who are neither staff nor consultants.
 */
export function enterWorkload(caller: Caller): View {
  const view = authoriseCaller(resourceNamed('users'), 'list', caller)
  if (!isStaff(caller) && !caller.isConsultant) throw fault('access.denied')
  return view
}

/**
 * Reads the workload of accounts in one statement. Staff see users below their rank and themselves, as in the
 * list of users; consultants see only themselves (contract §14).
 *
 * @param database - The database.
 * @param caller - The caller.
 * @param view - The accounts that they may see.
 * @param ids - The requested accounts.
 * @returns One row for each account, by id; accounts that the caller may not see are missing.
 */
export async function readWorkload(
  database: Database,
  caller: Caller,
  view: View,
  ids: readonly number[],
): Promise<Workload[]> {
  const users = resourceNamed('users')
  const visibleIds = isStaff(caller) ? ids : ids.filter((id) => id === caller.id)
  if (visibleIds.length === 0) return []
  return runScopedQuery(
    database,
    { resource: users, caller, view, query: { filters: { id: { $in: visibleIds.map(String) } } } },
    ({ from, where, document }) => {
      const id = sql.ref(`${document}.id`)
      return sql<Workload>`
        select ${id} as id, questions.open::int as open, questions.answered::int as answered, questions.finished::int as finished,
               questions."all"::int as "all", chats.rooms::int as rooms, chats.waiting::int as waiting
          from ${from},
          lateral (select count(*) filter (where finished_at is null) as open, count(answered_at) as answered,
                          count(finished_at) as finished, count(*) as "all"
                     from consultations where consultant_id = ${id}) questions,
          lateral (select count(*) as rooms,
                          count(*) filter (where waiting_since is not null and state <> 'closed'
                                             and coalesce(assignee_id, receiver_id) = ${id}) as waiting
                     from chatrooms where receiver_id = ${id} or assignee_id = ${id}) chats
         where ${where} order by ${id}`
    },
  )
}
