/** Open work of a user of the desk: consultations assigned to them, and chat rooms that they answer. */
import type { OpenWork } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'

/** Id of a person, or SQL of it. */
type Person = number | Template<unknown>

/** SQL condition of a person's unfinished consultations. */
export const openConsultations = (person: Person) => sql<boolean>`(consultant_id = ${person} and finished_at is null)`
/**
 * Open chat rooms that a person answers: those assigned to them, and those that they receive while nobody is
 * assigned.
 */
export const openRooms = (person: Person) => sql<boolean>`
  ((assignee_id = ${person} or (receiver_id = ${person} and assignee_id is null)) and state <> 'closed')`

/** Counts the open consultations and chat rooms of a person. */
export async function openWorkOf(queries: Queries, person: number): Promise<OpenWork> {
  const [row] = await queries.query(sql<OpenWork>`
    select (select count(*)::int from consultations where ${openConsultations(person)}) as consultations,
           (select count(*)::int from chatrooms where ${openRooms(person)}) as rooms`)
  return row ?? { consultations: 0, rooms: 0 }
}
