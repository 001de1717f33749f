/** What somebody of the desk has not finished: consultations given to him, and rooms that he answers. */
import type { OpenWork } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'

/** Consultations of a person that are not finished. */
export const openConsultations = (person: number) => sql<boolean>`(consultant_id = ${person} and finished_at is null)`
/** Rooms a person answers that are not closed: those he holds, and those he receives while nobody else holds them. */
export const openRooms = (person: number) => sql<boolean>`
  ((assignee_id = ${person} or (receiver_id = ${person} and assignee_id is null)) and state <> 'closed')`

/** Counts the open work of a person. */
export async function openWorkOf(queries: Queries, person: number): Promise<OpenWork> {
  const [row] = await queries.query(sql<OpenWork>`
    select (select count(*)::int from consultations where ${openConsultations(person)}) as consultations,
           (select count(*)::int from chatrooms where ${openRooms(person)}) as rooms`)
  return row ?? { consultations: 0, rooms: 0 }
}
