/** What consultants have on their desks, for the page of a list or for one of them. */
import { type Caller, fault, maxInteger, rankOf } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authorise } from '../../resources/authorise.ts'
import { readText } from '../../resources/read/query-values.ts'
import { runScoped } from '../../resources/read/scoped.ts'

/** Figures of one consultant: consultations given to him, and rooms that are his. */
export interface Load {
  id: number
  /** Consultations that are not finished. */
  open: number
  answered: number
  finished: number
  all: number
  rooms: number
  /** Rooms whose customer waits for his reply. */
  waiting: number
}

/** As many as a page of a list may have (contract §5). */
const mostIds = 100

/** The ids of `ids=1,2,3`. Throws 400 for none, too many, and what is no id. */
function readIds(value: unknown): number[] {
  const texts = readText(value ?? '', 'ids').split(',')
  const ids = new Set(texts.map((text) => (/^\d{1,10}$/.test(text) ? Number(text) : 0)))
  if (ids.size > mostIds || [...ids].some((id) => id < 1 || id > maxInteger))
    throw fault('query.value', { params: { key: 'ids' } })
  return [...ids]
}

/**
 * The figures of those accounts among `ids` that the caller may look at, in one statement.
 *
 * In: the caller, and the `ids` of the query. Out: one row an account, by id; accounts out of reach are missing.
 * Errors: 400 for `ids`, 403 for those who are neither staff nor consultants. Staff see who is below their rank and
 * themselves, as in the list of users; a consultant sees himself only (contract §14).
 */
export async function loadOf(database: Database, caller: Caller, given: unknown): Promise<Load[]> {
  const users = resourceNamed('users')
  const view = authorise(users, 'list', caller)
  const isStaff = rankOf(caller.role) >= rankOf('admin')
  if (!isStaff && !caller.isConsultant) throw fault('access.denied')
  const ids = readIds(given)
  const wanted = isStaff ? ids : ids.filter((id) => id === caller.id)
  if (wanted.length === 0) return []
  const rows = await runScoped(
    database,
    { resource: users, caller, view, query: { filters: { id: { $in: wanted.map(String) } } } },
    ({ from, where, document }) => {
      const id = sql.ref(`${document}.id`)
      return sql`
        select ${id}, given.open::int, given.answered::int, given.finished::int, given."all"::int,
               held.rooms::int, held.waiting::int
          from ${from},
          lateral (select count(*) filter (where finished_at is null) as open, count(answered_at) as answered,
                          count(finished_at) as finished, count(*) as "all"
                     from consultations where consultant_id = ${id}) given,
          lateral (select count(*) as rooms,
                          count(*) filter (where waiting_since is not null and state <> 'closed'
                                             and coalesce(assignee_id, receiver_id) = ${id}) as waiting
                     from chatrooms where receiver_id = ${id} or assignee_id = ${id}) held
         where ${where} order by ${id}`
    },
  )
  return rows.map((row) => {
    const [id = 0, open = 0, answered = 0, finished = 0, all = 0, rooms = 0, waiting = 0] = row.map(Number)
    return { id, open, answered, finished, all, rooms, waiting }
  })
}
